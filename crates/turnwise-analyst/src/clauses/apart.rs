//! Clauses that are whole questions by themselves: "total fees, and how many rentals were cancelled?", "fees per boat
//! and rentals per state". Each is planned by itself, so that its tests and groups stay with it; where it is open
//! whether the tests of the first are meant for the second too, the person is asked. Next: `joined`.

use turnwise_core::{Clarification, Task};

use super::super::catalogue::Catalogue;
use super::super::draft;
use super::super::form::{Analysis, Mention, QueryForm};
use super::super::lexicon::Role;
use super::super::read::{self, Read};
use super::attributed::{self, Attributed};
use super::joined::{BACK, LEADING, has_plan, repeats};
use super::merge::beside;
use super::trace::which;

/// Words that open a question.
const ASKING: [&str; 5] = ["who", "whose", "what", "which", "how"];
/// Words that bind what stands on both sides of an "and".
const BINDING: [&str; 16] = [
    "between",
    "compare",
    "compared",
    "comparing",
    "both",
    "ratio",
    "difference",
    "versus",
    "vs",
    "against",
    "correlation",
    "than",
    "share",
    "percentage",
    "whose",
    "where",
];

/// Words that open a sentence of what is to be shown of the one before it.
const SHOWING: [&str; 9] = ["return", "list", "give", "show", "display", "include", "output", "report", "state"];

/// Places a further clause may begin at: beyond them a text is a list, which is read as one.
const JOINTS_MAX: usize = 6;

/// Where two clauses meet.
struct Joint<'a> {
    left: &'a str,
    right: &'a str,
    /// The second is a question in words of its own, not an item of a list.
    asks: bool,
    /// The first is a sentence of its own.
    sentence: bool,
}

/// What becomes of clauses that stand by themselves; none where there are no such.
pub fn apart(catalogue: &Catalogue, text: &str, task: &Task) -> Option<Result<Read, Box<Clarification>>> {
    let joints = joints(text);
    // Each further clause doubles what is tried, and a person means few of them.
    if joints.len() > JOINTS_MAX {
        return None;
    }
    joints.iter().find_map(|joint| settled(catalogue, text, joint, task))
}

fn settled(
    catalogue: &Catalogue,
    text: &str,
    joint: &Joint<'_>,
    task: &Task,
) -> Option<Result<Read, Box<Clarification>>> {
    let opening = joint.right.split_whitespace().next().unwrap_or_default().to_lowercase();
    if joint.sentence && SHOWING.contains(&opening.as_str()) {
        return shown_apart(catalogue, joint, task);
    }
    if !names_own(catalogue, joint) {
        return None;
    }
    let mut left = whole(catalogue, joint.left, task)?;
    let rest = match apart(catalogue, joint.right, task) {
        Some(Ok(rest)) => rest,
        Some(Err(asked)) => return Some(Err(asked)),
        None => match whole(catalogue, joint.right, task) {
            Some(rest) => rest,
            None => return strays(catalogue, text, joint, &left.form, task),
        },
    };
    if repeats(&left.form, &rest.form) {
        return None;
    }
    let way = match joint.asks {
        _ if joint.sentence => told_apart(&left.form, &rest.form),
        true => asked_apart(&left.form, &rest.form),
        false => listed_apart(&left.form, &rest.form, whole(catalogue, text, task).as_ref()),
    };
    let question = || Some(Err(Box::new(which(joint.right, joint.left))));
    match attributed::only_first(catalogue, joint.left, &left.form, &rest.form).filter(|_| !joint.asks) {
        Some(Attributed::Form(form)) => {
            left.form = *form;
            return has_plan(catalogue, &left.form, task).map_or_else(question, |()| Some(Ok(left)));
        }
        Some(Attributed::Open) => return question(),
        None => {}
    }
    match way {
        Way::Together => None,
        Way::Open => question(),
        Way::Apart => {
            let (mut other, mut form) = (rest.form, left.form);
            let further = std::mem::take(&mut other.beside);
            for next in std::iter::once(other).chain(further) {
                let Some(more) = beside(form, next) else { return question() };
                form = more;
            }
            left.form = form;
            has_plan(catalogue, &left.form, task).map_or_else(question, |()| Some(Ok(left)))
        }
    }
}

/// "Show customers. Show orders": two orders, of rows of their own each.
fn shown_apart(catalogue: &Catalogue, joint: &Joint<'_>, task: &Task) -> Option<Result<Read, Box<Clarification>>> {
    let opening = joint.left.split_whitespace().next().unwrap_or_default().to_lowercase();
    if !SHOWING.contains(&opening.as_str()) {
        return None;
    }
    let own = |text: &str| listed(catalogue, text, task).or_else(|| whole(catalogue, text, task));
    let (first, second) = (own(joint.left)?, own(joint.right)?);
    let both = beside(first.form.clone(), second.form).filter(|form| has_plan(catalogue, form, task).is_some());
    Some(match both {
        Some(form) => Ok(Read { form, ..first }),
        None => Err(Box::new(which(joint.right, joint.left))),
    })
}

/// A list of rows that is ordered with words of its own, and that names the rows first.
fn listed(catalogue: &Catalogue, text: &str, task: &Task) -> Option<Read> {
    let spans = read::spot(catalogue, text).spans;
    let orders = spans.first().is_some_and(|span| span.role() == Some(Role::Command));
    let names = spans
        .iter()
        .find(|span| span.is_name())
        .is_some_and(|span| Mention { words: String::new(), candidates: span.names.clone() }.table().is_some());
    let mut read = read::question(catalogue, text);
    draft::check(catalogue, &read).ok()?;
    read::listed_by_flag(catalogue, &mut read);
    let plain = read.form.measures.is_empty() && read.form.subject.is_some();
    (orders && names && plain && has_plan(catalogue, &read.form, task).is_some()).then_some(read)
}

/// "How many" of something that is no question by itself, whose tests would be put on the number before it.
fn strays(
    catalogue: &Catalogue,
    text: &str,
    joint: &Joint<'_>,
    left: &QueryForm,
    task: &Task,
) -> Option<Result<Read, Box<Clarification>>> {
    let counts =
        matches!(turnwise_core::text::words(joint.right).as_slice(), [how, many, ..] if how == "how" && many == "many");
    let both = whole(catalogue, text, task).filter(|_| counts && tests(left) == (false, false))?;
    (!both.form.filters.is_empty()).then(|| Err(Box::new(which(joint.right, joint.left))))
}

/// How two clauses go together.
enum Way {
    /// As one question.
    Together,
    /// Each by itself.
    Apart,
    /// Nobody but the person knows.
    Open,
}

/// Of sentences: nothing of the one is said of the other.
fn told_apart(left: &QueryForm, right: &QueryForm) -> Way {
    let bare = |form: &QueryForm| tests(form) == (false, false) && form.ranking.is_none();
    if bare(left) && bare(right) && left.dimensions == right.dimensions { Way::Together } else { Way::Apart }
}

/// Of a question behind another one.
fn asked_apart(left: &QueryForm, right: &QueryForm) -> Way {
    let own = tests(right).0 || tests(right).1;
    let (tested, timed) = tests(left);
    let alike = left.measures == right.measures && left.dimensions == right.dimensions;
    match () {
        () if left.ranking.is_some() && right.ranking.is_none() && !own => Way::Together,
        () if alike && timed && tests(right).1 && !tested && !tests(right).0 => Way::Together,
        () if timed && !tests(right).1 => {
            if own || tested {
                Way::Open
            } else {
                Way::Together
            }
        }
        () if own || left.ranking.is_some() || right.ranking.is_some() => Way::Apart,
        () if tested => Way::Open,
        () if left.dimensions != right.dimensions => Way::Apart,
        () => Way::Together,
    }
}

/// Of a number behind another one, where what stands at the end is said of both unless the groups differ.
fn listed_apart(left: &QueryForm, right: &QueryForm, both: Option<&Read>) -> Way {
    if left.dimensions.is_empty() || left.ranking.is_some() || right.ranking.is_some() {
        return Way::Together;
    }
    let other = !right.dimensions.is_empty() && left.dimensions != right.dimensions;
    let lost = both.is_some_and(|both| both.form.measures.len() < left.measures.len() + right.measures.len());
    match () {
        () if other && tests(left) == (false, false) => Way::Apart,
        () if other || lost => match tests(left) {
            (false, false) => Way::Apart,
            _ => Way::Open,
        },
        () => Way::Together,
    }
}

/// Whether a form has tests, and whether it has a time.
fn tests(form: &QueryForm) -> (bool, bool) {
    let held = form.measures.iter().any(|measure| !measure.holds.is_empty());
    (held || !form.filters.is_empty() || !form.conditions.is_empty(), !form.periods.is_empty())
}

/// A question with a number of its own, if `text` is one without anything around it.
fn whole(catalogue: &Catalogue, text: &str, task: &Task) -> Option<Read> {
    let mut read = read::question(catalogue, text);
    draft::check(catalogue, &read).ok()?;
    read::listed_by_flag(catalogue, &mut read);
    let form = &read.form;
    let number = !form.measures.is_empty() || form.ranking.is_some();
    let plain = form.analysis == Analysis::Plain && form.claim.is_none();
    (number && plain && has_plan(catalogue, form, task).is_some()).then_some(read)
}

/// Whether the second clause says itself what it is of: "how many orders …" and not "how many placed an order".
fn names_own(catalogue: &Catalogue, joint: &Joint<'_>) -> bool {
    let words = turnwise_core::text::words(joint.right);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["how", "many" | "much", first, rest @ ..] => {
            let spans = read::spot(catalogue, &words[2..].join(" ")).spans;
            let opens = spans.first().is_some_and(read::Spotted::is_name);
            let named = read::spot(catalogue, first).spans.iter().any(|span| span.is_name());
            opens || named || rest.last() == Some(&"there")
        }
        _ => true,
    }
}

/// Every place where a further clause may begin.
fn joints(text: &str) -> Vec<Joint<'_>> {
    let words = |text: &str| turnwise_core::text::words(text);
    let opens = |text: &str, list: &[&str]| words(text).first().is_some_and(|word| list.contains(&word.as_str()));
    let said = |text: &str, list: &[&str]| words(text).iter().any(|word| list.contains(&word.as_str()));
    let quoted = |at: usize| {
        text[..at].matches('"').count() % 2 == 1 || text[..at].matches('(').count() > text[..at].matches(')').count()
    };
    let places = text.char_indices().filter(|(at, here)| matches!(here, ' ' | ',') && !quoted(*at));
    let joint = |(at, here): (usize, char)| {
        let (left, behind) = (text[..at].trim(), text[at + 1..].trim_start());
        let further = ["and also ", "and "].iter().find_map(|lead| behind.strip_prefix(lead));
        let comma = here == ',';
        // A comma before "and" is the same place.
        if !comma && left.ends_with(',') {
            return None;
        }
        let sentence = left.ends_with(['?', '!', ';', '.']);
        let right = match further {
            Some(further) => further,
            None if sentence || (comma && opens(behind, &ASKING)) => behind,
            None => return None,
        };
        let left = left.trim_end_matches(['?', '!', ';', '.', ',']);
        // "How many were there in May" says of nothing before that it is there.
        let own = ["are there", "were there", "is there", "was there"]
            .iter()
            .fold(right.to_owned(), |own, there| own.replace(there, ""));
        let leans = said(&own, &BACK) || opens(left, &LEADING) || left.is_empty() || said(left, &BINDING);
        let asks = opens(right, &ASKING) || sentence || (comma && opens(left, &ASKING));
        (!leans).then_some(Joint { left, right, asks, sentence })
    };
    places.filter_map(joint).collect()
}
