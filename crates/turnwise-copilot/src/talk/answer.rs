//! Answers: what there is to work with, and what stands in the working folder. What would take understanding is not
//! made up. Next: `draft`.

use turnwise_core::{Answer, AnswerOutcome, EffectClass, Presentation, QueryKind, Question, text};
use turnwise_intent::behaviour::coder::files_in;

use super::copilot::Copilot;
use super::further;
use super::run::beginning;
use crate::limits::Limit;

pub(super) async fn answer(copilot: &Copilot, question: &Question) -> AnswerOutcome {
    let words = text::words(&question.text);
    let says = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
    if let QueryKind::Plan { .. } = question.kind {
        return unknown("The plan shows each step with all that it is called with; there is nothing behind it.");
    }
    if let Some(limit) = Limit::read(&question.text).filter(|_| question.kind == QueryKind::Definition) {
        return held(question, &limit);
    }
    if says(&["tool", "tools", "recipe", "recipes", "capabilities"]) || is_about_us(&words) {
        return known(at_hand(copilot).await);
    }
    let named = files_in(&question.text);
    if let Some(counted) = counted(copilot, &words, &named) {
        return counted;
    }
    if let [file] = named.as_slice() {
        return match copilot.folder.read(file) {
            Ok(content) => known(beginning(&content, LINES_SHOWN)),
            Err(told) => unknown(told),
        };
    }
    if says(&["files", "folder", "directory"]) {
        return match copilot.folder.list(None) {
            Ok(listed) => known(beginning(&listed, LINES_SHOWN)),
            Err(told) => unknown(told),
        };
    }
    let recipes = copilot.recipes();
    if let [recipe, ..] = recipes.about(&question.text).as_slice() {
        let phrase = recipe.words.first().map(String::as_str).unwrap_or_default();
        return unknown(format!("The recipe “{}” is about that: say “{phrase}” to have it planned.", recipe.name));
    }
    unknown(
        "Answering that takes a language model, and there is none here. Ask “what can you do”, or say what should be \
         done.",
    )
}

/// What has to hold from here on, whatever is planned.
fn held(question: &Question, limit: &Limit) -> AnswerOutcome {
    let taken: Vec<_> = question.facts.iter().map(|fact| fact.name()).collect();
    let statement = further::statement(limit, |name| taken.contains(&name));
    let text = format!("Held: “{}”. {} /facts lists it.", limit.said, limit.taken());
    AnswerOutcome::Learned { statement: Box::new(statement), text, replan: false }
}

/// “How many lines are in notes.txt?”
fn counted(copilot: &Copilot, words: &[String], named: &[String]) -> Option<AnswerOutcome> {
    let [file] = named else { return None };
    let at = words.windows(2).position(|pair| pair[0] == "how" && pair[1] == "many")?;
    let what = words.get(at + 2)?.as_str();
    Some(match copilot.folder.read(file) {
        Ok(content) => known(match what {
            "lines" | "rows" => format!("{file} has {}.", text::count(content.lines().count(), "line")),
            "words" => format!("{file} has {}.", text::count(content.split_whitespace().count(), "word")),
            "letters" | "characters" => format!("{file} has {}.", text::count(content.chars().count(), "character")),
            "bytes" => format!("{file} has {}.", text::count(content.len(), "byte")),
            _ => return None,
        }),
        Err(told) => unknown(told),
    })
}

/// “What can you do”, in whatever form.
fn is_about_us(words: &[String]) -> bool {
    let has = |word: &str| words.iter().any(|one| one == word);
    has("you") && (has("can") || has("could")) && (has("do") || has("use"))
}

/// All tools and recipes, a line each.
async fn at_hand(copilot: &Copilot) -> String {
    let (tools, mut troubles) = copilot.toolbox.all().await;
    let recipes = copilot.recipes();
    let mut lines = vec!["Tools:".to_owned()];
    for about in &tools {
        let effect = match about.effect {
            EffectClass::Pure => "changes nothing",
            EffectClass::OnceOnly => "runs once",
            _ => "can be taken back",
        };
        lines.push(format!("  {}: {} ({effect})", about.name, about.told));
    }
    if !recipes.all.is_empty() {
        lines.push("Recipes:".to_owned());
    }
    for recipe in &recipes.all {
        let phrase = recipe.words.first().map(String::as_str).unwrap_or_default();
        lines.push(format!("  {}: “{phrase}”", recipe.name));
    }
    troubles.extend(recipes.troubles);
    lines.extend(troubles);
    lines.push("Steps can also be written down: “1. run `ls` 2. write it to list.txt”.".to_owned());
    lines.join("\n")
}

fn known(text: String) -> AnswerOutcome {
    AnswerOutcome::Known { answer: Answer { text, table: None, presentation: Presentation::Value } }
}

fn unknown(explanation: impl Into<String>) -> AnswerOutcome {
    AnswerOutcome::Unknown { explanation: explanation.into() }
}

/// Lines of a file that an answer shows.
const LINES_SHOWN: usize = 60;
