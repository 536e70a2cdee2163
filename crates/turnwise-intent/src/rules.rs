//! The first tier after commands: rules on words, first match wins.
//!
//! The rules themselves are data of the profile; here is only when one applies: its phases, its form (order or
//! question), whether the message names known things, and its patterns. Next: `reader`.

use turnwise_core::{Act, Control, Phase, ReadContext};

use crate::profile::{Form, Profile, Rule};
use crate::words::{Word, Words};

/// A rule that applies, and the target it found.
#[derive(Clone, Debug)]
pub struct Match<'p> {
    /// The rule.
    pub rule: &'p Rule,
    /// The words of its `<target>`, as the person wrote them.
    pub target: Option<String>,
}

/// The first rule of `profile` that applies to `segment`, whose words are `words`.
#[must_use]
pub fn outspoken<'p>(profile: &'p Profile, segment: &str, words: &Words, context: &ReadContext) -> Option<Match<'p>> {
    first_match(profile.rules.iter().filter(|rule| !rule.when_unsure), segment, words, context)
}

/// The first that applies among the rules that only speak when the head is unsure.
#[must_use]
pub fn fallback<'p>(profile: &'p Profile, segment: &str, words: &Words, context: &ReadContext) -> Option<Match<'p>> {
    first_match(profile.rules.iter().filter(|rule| rule.when_unsure), segment, words, context)
}

fn first_match<'p>(
    mut rules: impl Iterator<Item = &'p Rule>,
    segment: &str,
    words: &Words,
    context: &ReadContext,
) -> Option<Match<'p>> {
    rules.find_map(|rule| {
        if !holds(rule, words, context) {
            return None;
        }
        let target = matched(rule, segment, words, context)?;
        Some(Match { rule, target })
    })
}

fn holds(rule: &Rule, words: &Words, context: &ReadContext) -> bool {
    let form = match rule.form {
        Form::Any => true,
        Form::Order => !words.asks,
        Form::Question => words.asks,
    };
    form && (rule.phases.is_empty() || rule.phases.contains(&context.phase))
        && (!rule.grounded || !context.grounding.is_empty())
        && (!rule.refers_back || refers_back(context))
        && (!rule.leans || leans(words, context))
}

/// Whether the words lean on what came before them in the conversation.
fn leans(words: &Words, context: &ReadContext) -> bool {
    let core = words.core().iter().map(|word| if word.quoted { "" } else { word.text.as_str() });
    // "And" is set aside as an opening, but tells that what follows is a piece of a question.
    let joined = words.all.first().filter(|first| first.text == "and" && words.core().first() != words.all.first());
    let said: Vec<&str> = joined.map(|first| first.text.as_str()).into_iter().chain(core).collect();
    turnwise_core::lean::leans(&said, &context.grounding)
}

/// Whether there is something earlier that "that" or "also" can point to.
#[must_use]
pub fn refers_back(context: &ReadContext) -> bool {
    context.has_plan || context.has_result || context.phase != Phase::Idle
}

fn matched(rule: &Rule, segment: &str, words: &Words, context: &ReadContext) -> Option<Option<String>> {
    let views = [words.core(), words.all.as_slice()];
    let excepts = |view: &[Word]| rule.unless.iter().any(|pattern| pattern.matches(view).is_some());
    let excepted = views.iter().any(|view| match unnamed(rule, view, context) {
        Some(masked) => excepts(&masked),
        None => excepts(view),
    });
    if excepted {
        return None;
    }
    views.iter().find_map(|view| {
        let range = rule.say.iter().find_map(|pattern| pattern.matches(view))?;
        Some(range.map(|range| segment[view[range.start].start..view[range.end - 1].end].to_owned()))
    })
}

/// The words with those that name known things left blank, where a rule is about such things and several are named:
/// "drivers with more than 20 results" speaks of a table called results, and not of what was found.
fn unnamed(rule: &Rule, view: &[Word], context: &ReadContext) -> Option<Vec<Word>> {
    let names = |word: &Word| context.grounding.iter().any(|name| name.to_lowercase() == word.text);
    if !rule.grounded || rule.unless.is_empty() || context.grounding.len() < 2 || !view.iter().any(names) {
        return None;
    }
    let blank = |word: &Word| Word { quoted: word.quoted || names(word), ..word.clone() };
    Some(view.iter().map(blank).collect())
}

/// Whether words are only like an order for `act`. "Don't stop" and "should we stop?" are like "stop"; only rules may
/// read a command from them, "should we build a dashboard?" starts no task, and nothing is continued where there is
/// nothing yet.
#[must_use]
pub fn is_only_likeness(act: &Act, words: &Words, context: &ReadContext) -> bool {
    use Control::{
        AskFirst, Cancel, Edit, Exit, Facts, Flow, Help, Pause, Queue, Receipts, Redo, Replan, Reset, Resume, RunReads,
        ShowPlan, Status, SwitchMode, Why,
    };
    match act {
        Act::Control(SwitchMode(_) | Reset | Redo | Exit | Cancel | Replan | Pause | Resume | RunReads | Flow) => {
            words.is_no_plain_order()
        }
        Act::PlanNew(_) => words.weighs_or_forbids(),
        Act::PlanContinue => words.weighs_or_forbids() || !refers_back(context),
        Act::Control(Help | Status | Facts | ShowPlan | Queue | Receipts | Why | Edit | AskFirst) | Act::Query(_) => {
            false
        }
    }
}
