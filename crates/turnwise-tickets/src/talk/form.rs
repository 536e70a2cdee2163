//! Forms: what is asked back before anything is shown, and what the answers settle. Each question has a topic of its
//! own, by which its answer is known again. Next: `plan`.

use turnwise_core::{Choice, Clarification, ClarifiedAnswer, text};

use super::offers;
use crate::draft::{self, Draft, Field, is_field, sentences, stories_named, take_answer};
use crate::tracker::Problem;
use crate::words::words;

/// Topics.
const STORIES: &str = "stories";
pub(super) const SIZE: &str = "size";
const MISSING: &str = "missing:";
const REQUIRED: &str = "required:";
const CRITERIA: &str = "criteria:";

/// Values of choices.
pub(super) const CANCEL: &str = "cancel";
/// The stories that were named are all there are.
const AS_NAMED: &str = "as_named";
pub(super) const AT_ONCE: &str = "create_all";
pub(super) const IN_BATCHES: &str = "split";

/// The latest answer on `topic`.
pub(super) fn answer<'a>(answers: &'a [ClarifiedAnswer], topic: &str) -> Option<&'a str> {
    answers.iter().rev().find(|answer| answer.topic == topic).map(|answer| answer.answer.trim())
}

/// Whether the person gave up.
pub(super) fn is_cancelled(answers: &[ClarifiedAnswer]) -> bool {
    answers.iter().any(|answer| answer.answer == CANCEL)
}

/// A question that has to be answered: nothing is assumed in its place.
pub(super) fn needed(topic: &str, question: String, choices: Vec<Choice>) -> Clarification {
    Clarification { topic: topic.to_owned(), question, choices, assumption: None, of: QUESTIONS_ALL }
}

pub(super) fn choice(value: impl Into<String>, label: impl Into<String>) -> Choice {
    Choice::new(value, label)
}

pub(super) fn cancel() -> Choice {
    choice(CANCEL, "Cancel")
}

/// An order of several, taken apart.
pub(super) struct Listed {
    /// Without the names.
    pub order: String,
    /// The names, where it says some.
    pub names: Option<String>,
}

/// The names that an order of several lists: behind the colon of its first sentence, or on the lines below. What begins
/// with the name of a field is told of all of them, and lists nothing.
pub(super) fn listed(problem: &str) -> Listed {
    let (line, below) = problem.split_once('\n').unwrap_or((problem, ""));
    let line = line.trim();
    let (head, told) = match line.strip_suffix(':') {
        Some(head) => (head, ""),
        None => line.split_once(": ").unwrap_or((line, "")),
    };
    if head == line || sentences(head).len() != 1 {
        return announced(problem);
    }
    let told = sentences(told);
    // A name may be told in two sentences, as long as another name follows.
    let unlabelled = told.iter().take_while(|sentence| !is_field(sentence, &[])).count();
    let last = (1..unlabelled).rfind(|at| told[*at].contains(';'));
    let named = last.map_or(unlabelled.min(1), |last| last + 1);
    let lines: Vec<&str> = if named == told.len() { below.lines().collect() } else { Vec::new() };
    let more = lines.iter().take_while(|line| !is_field(line, &[])).count();
    let mut names = told[..named].join(" ");
    for line in &lines[..more] {
        names.push('\n');
        names.push_str(line);
    }
    let rest = told[named..].join(" ");
    let below: Vec<&str> = below.lines().skip(more).collect();
    let line = format!("{head}. {rest}");
    let order = format!("{}\n{}", line.trim_end(), below.join("\n")).trim_end().to_owned();
    let names = names.trim();
    Listed { order, names: (!names.is_empty()).then(|| names.to_owned()) }
}

/// The names on the lines below a sentence that only announces them: “… for search. The stories are:”.
fn announced(problem: &str) -> Listed {
    let none = || Listed { order: problem.to_owned(), names: None };
    let Some((head, names)) = problem.split_once(":\n") else { return at_once(problem).unwrap_or_else(none) };
    let told = sentences(head);
    let announces = |last: &String| text::words(last).iter().any(|word| draft::is_kind(word));
    match told.split_last() {
        Some((last, order)) if announces(last) && !order.is_empty() => {
            Listed { order: order.join(" "), names: Some(names.to_owned()) }
        }
        _ => none(),
    }
}

/// The names right behind what counts them: “an epic for billing with stories invoices, refunds and dunning”.
fn at_once(problem: &str) -> Option<Listed> {
    let mut told = sentences(problem).into_iter();
    let first = told.next()?;
    let tokens: Vec<&str> = first.split_whitespace().collect();
    let plain: Vec<String> = tokens.iter().map(|token| text::words(token).join(" ")).collect();
    let is_many = |at: &usize| plain[*at].ends_with('s') && draft::is_kind(&plain[*at]);
    let with = |noun: usize| (noun.saturating_sub(COUNTED_WITHIN)..noun).rfind(|at| INTRODUCES.contains(&&*plain[*at]));
    let (noun, with) = (0..plain.len()).filter(is_many).find_map(|noun| Some((noun, with(noun)?)))?;
    let behind = plain.get(noun + 1)?;
    let is_joint = |word: &String| words().connectives.contains(word);
    // “with 3 stories for auth” says what they are about, where that was not said before.
    let is_list = match is_joint(behind) {
        true => plain[..with].iter().any(is_joint) && tokens[noun + 1..].iter().any(|token| token.ends_with(',')),
        false => tokens[noun + 1..].iter().any(|token| token.ends_with(',') || *token == "and"),
    };
    let names = tokens[noun + 1 + usize::from(is_joint(behind))..].join(" ");
    let order = format!("{}. {}", tokens[..with].join(" "), told.collect::<Vec<_>>().join(" "));
    is_list.then(|| Listed { order: order.trim_end().to_owned(), names: Some(names) })
}

/// The stories that are named so far, by the latest answer or else by the order, and whether there are no others,
/// however many were asked for.
pub(super) fn stories(order: &Listed, answers: &[ClarifiedAnswer], wanted: Option<usize>) -> (Vec<String>, bool) {
    let mut said = answers.iter().filter(|answer| answer.topic == STORIES);
    let listed = said.clone().rev().find(|answer| answer.answer != AS_NAMED).map(|answer| answer.answer.as_str());
    let listed = listed.or(order.names.as_deref());
    let is_all = said.next_back().is_some_and(|answer| answer.answer == AS_NAMED);
    (listed.map(|listed| stories_named(listed, wanted)).unwrap_or_default(), is_all)
}

/// The names of the stories, or of what else is called `several`.
pub(super) fn of_stories(several: &str, count: Option<usize>, got: usize) -> Clarification {
    let wanted = count.map_or_else(|| "the".to_owned(), |count| format!("the {count}"));
    let how = "One on each line, or separated by “;”. Behind “ - ” you may say how one sees that it is done: “Sign up - an \
               address can be used once; …”";
    match (got, count) {
        (1.., Some(count)) => {
            let question = format!(
                "You asked for {count} {several} and named {got}. Go on with those, or name all of them again. {how}"
            );
            needed(STORIES, question, vec![choice(AS_NAMED, format!("Go on with {got}")), cancel()])
        }
        _ => needed(STORIES, format!("What are {wanted} {several} called? {how}"), Vec::new()),
    }
}

/// At most three missing fields at once; `None` when they were asked for often enough.
pub(super) fn of_missing(draft: &Draft, answers: &[ClarifiedAnswer]) -> Option<Clarification> {
    let asked = answers.iter().filter(|answer| answer.topic.starts_with(MISSING)).count();
    if asked > RE_ASKED_MAX {
        return None;
    }
    let missing: Vec<Field> = draft.missing().into_iter().take(QUESTIONS_MAX).collect();
    let names: Vec<String> = missing.iter().map(name_of).collect();
    let topic = format!("{MISSING}{}:{}", names.join(","), asked + 1);
    let head = match asked {
        0 => "Before I show you the ticket, I need:",
        _ => "Still missing:",
    };
    let question = match missing.as_slice() {
        [only] => format!("{head} {}", only.question()),
        several => {
            let lines = (1..).zip(several).map(|(number, field)| format!("{number}. {}", field.question()));
            let lines: Vec<String> = lines.collect();
            format!("{head}\n{}\nAnswer in one message: “1. … 2. …”.", lines.join("\n"))
        }
    };
    // No choices: they would be numbered as the questions are, and “1” would be taken for one.
    Some(needed(&topic, question, Vec::new()))
}

/// Takes in what was answered about missing fields, oldest first.
pub(super) fn take_missing(draft: &mut Draft, answers: &[ClarifiedAnswer]) {
    for answer in answers {
        let Some(asked) = answer.topic.strip_prefix(MISSING) else { continue };
        let names = asked.rsplit_once(':').map_or(asked, |(names, _)| names);
        let asked: Vec<Field> = names.split(',').filter_map(field_of).collect();
        take_answer(draft, &asked, &answer.answer);
    }
}

/// How each of several is seen to be done, in one question; `None` when it was asked for often enough.
pub(super) fn of_criteria(items: &[Draft], answers: &[ClarifiedAnswer]) -> Option<Clarification> {
    let asked = answers.iter().filter(|answer| answer.topic.starts_with(CRITERIA)).count();
    if asked > RE_ASKED_MAX {
        return None;
    }
    let lacking = (1..).zip(items).filter(|(_, item)| item.list(Field::AcceptanceCriteria).is_empty());
    let lines: Vec<String> = lacking.map(|(number, item): (usize, _)| format!("{number}. {}", item.title)).collect();
    let question = format!(
        "Before I show you the tickets: how will we see that each is done? One acceptance criterion is enough.\n{}\n\
         Answer in one message: “1. … 2. …”; without a number it counts for all of these.",
        lines.join("\n")
    );
    Some(needed(&format!("{CRITERIA}{}", asked + 1), question, Vec::new()))
}

/// Takes in what was answered about that, oldest first.
pub(super) fn take_criteria(items: &mut [Draft], answers: &[ClarifiedAnswer]) {
    let answers = answers.iter().filter(|answer| answer.topic.starts_with(CRITERIA));
    answers.for_each(|answer| draft::take_criteria(items, &answer.answer));
}

fn name_of(field: &Field) -> String {
    serde_json::to_string(field).unwrap_or_default().trim_matches('"').to_owned()
}

fn field_of(name: &str) -> Option<Field> {
    serde_json::from_str(&format!("\"{name}\"")).ok()
}

/// A field that the tracker wants.
pub(super) fn of_problem(problem: &Problem) -> Clarification {
    let mut choices: Vec<Choice> =
        problem.allowed.iter().take(CHOICES_MAX).map(|value| choice(value.clone(), value.clone())).collect();
    choices.push(cancel());
    let question = format!("{} What should it be?", problem.told);
    needed(&format!("{REQUIRED}{}", problem.field), question, choices)
}

/// Takes the answer about the field of `problem` into the item it is about; false where there is none.
pub(super) fn take_required(items: &mut [Draft], problem: &Problem, answers: &[ClarifiedAnswer]) -> bool {
    let topic = format!("{REQUIRED}{}", problem.field);
    let (Some(said), Some(item)) = (answer(answers, &topic), items.get_mut(problem.item)) else { return false };
    // “team: red” answers as it is taught elsewhere.
    let names_it = |(label, _): &(&str, &str)| text::words(label) == text::words(&problem.field);
    let said = said.split_once(':').filter(names_it).map_or(said, |(_, said)| said.trim());
    // What is refused a second time is asked again.
    item.more.insert(problem.field.clone(), said.to_owned()).as_deref() != Some(said)
}

/// A very large preview; `odd` is an answer that was none.
pub(super) fn of_size(characters: usize, odd: Option<&str>) -> Clarification {
    let odd = odd.map(|said| format!("“{said}” is none of the ways on. ")).unwrap_or_default();
    let told = |number: usize| text::thousands(u64::try_from(number).unwrap_or(u64::MAX));
    let (characters, most) = (told(characters), told(SIZE_MAX));
    let question = format!(
        "{odd}That is {characters} characters of text, more than {most}. Create it all at once, or split it into \
         batches?"
    );
    let choices = vec![choice(AT_ONCE, offers::AT_ONCE), choice(IN_BATCHES, offers::IN_BATCHES), cancel()];
    needed(SIZE, question, choices)
}

/// Words before what an order consists of.
const INTRODUCES: [&str; 2] = ["with", "into"];
/// Words between those and the noun.
const COUNTED_WITHIN: usize = 4;
/// Questions that one preview may need, as the engine counts them: each settles something of its own.
const QUESTIONS_ALL: u8 = 12;
/// Characters of a preview from which on it is asked whether to split it.
pub(super) const SIZE_MAX: usize = 10_000;
/// Fields asked for at once.
const QUESTIONS_MAX: usize = 3;
/// How often what is missing is asked for again.
const RE_ASKED_MAX: usize = 2;
/// Values that a question offers.
const CHOICES_MAX: usize = 8;

#[cfg(test)]
mod tests {
    use super::listed;

    #[track_caller]
    fn check(said: &str, order: &str, names: Option<&str>) {
        let listed = listed(said);
        assert_eq!((listed.order.as_str(), listed.names.as_deref()), (order, names), "{said}");
    }

    #[test]
    fn names_stand_in_the_first_sentence_or_below_it_and_fields_are_none() {
        check(
            "Create 2 tickets: a; b. Acceptance criteria: c",
            "Create 2 tickets. Acceptance criteria: c",
            Some("a; b."),
        );
        check(
            "an epic with 2 stories: a - x. It is short; b",
            "an epic with 2 stories.",
            Some("a - x. It is short; b"),
        );
        check("Create 2 tickets:\n- a\n- b\nRisks: c", "Create 2 tickets.\nRisks: c", Some("- a\n- b"));
        check("an epic with 2 stories for a. The stories are:\nb\nc", "an epic with 2 stories for a.", Some("b\nc"));
        check("an epic for a with stories b, c and d. Risks: e", "an epic for a. Risks: e", Some("b, c and d."));
        check("an epic for a with stories for b, c and d", "an epic for a.", Some("b, c and d"));
        check("an epic with 3 stories for a, b and c", "an epic with 3 stories for a, b and c", None);
        check("Create 2 tickets: Problem: a", "Create 2 tickets. Problem: a", None);
        check("Create 2 tickets. Risks: a; b", "Create 2 tickets. Risks: a; b", None);
    }
}
