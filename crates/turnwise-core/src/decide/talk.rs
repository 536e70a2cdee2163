//! Talking a task over before it is planned (FL-07, FL-08): what is said is noted, in order, and shown; "implement" and
//! its like, as an instruction, hand all of it to planning, whose plan is approved as any other. What was noted stands
//! in the open question itself, so it survives whatever the question survives. Next: `act`, which starts tasks.

use std::sync::Arc;

use super::turn::Turn;
use super::{act, answer, control, learn, message, say};
use crate::patch::further;
use crate::{
    Act, Conversation, FactKind, MessageReading, Outcome, Pending, PendingId, PendingKind, Phase, PlanKind, PointEdit,
    PointSort, QueryKind, Reading, Reply, Resolution, Talk, Tier, limits, text,
};

impl Conversation {
    /// A question is closed; a talk that was handed to planning is remembered, should nothing come of it.
    pub(crate) fn end_question(&mut self, ended: PendingId, resolution: Resolution) {
        let talk = self.pending.iter().find(|open| open.id == ended && resolution == Resolution::Approved);
        if let Some(talk) = talk.filter(|open| matches!(open.kind, PendingKind::TalkedOver { .. })) {
            self.talked = Some(Arc::new(talk.kind.clone()));
        }
        self.pending.retain(|open| open.id != ended);
    }
}

/// Whether a new task is talked over first.
pub(super) fn comes_first(turn: &Turn<'_>) -> bool {
    turn.flow().talk() != Talk::None && turn.state().phase() == Phase::Idle
}

/// The talk that is open.
pub(super) fn open(state: &Conversation) -> Option<&Pending> {
    state.pending().iter().find(|pending| matches!(pending.kind, PendingKind::TalkedOver { .. }))
}

/// Adds what was said about the task to the talk, or begins one with it.
pub(super) fn note(turn: &mut Turn<'_>, words: &str, kind: PlanKind) {
    add(turn, words, kind, Point::About);
}

/// Adds a question to the talk, or begins one with it; what is said after it is said about it.
pub(super) fn note_question(turn: &mut Turn<'_>, words: &str, kind: PlanKind) {
    add(turn, words, kind, Point::Own);
}

/// How a point stands to those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Point {
    /// A question of its own.
    Own,
    /// Said about the one before.
    About,
}

/// What was noted.
#[derive(Clone, Debug)]
struct Noted {
    points: Vec<String>,
    kind: PlanKind,
    own: Vec<usize>,
    /// One for each point.
    sorts: Vec<PointSort>,
}

impl Noted {
    /// What stands in `question`, if it is a talk.
    fn of(question: &Pending) -> Option<Self> {
        Self::of_kind(&question.kind)
    }

    fn of_kind(kind: &PendingKind) -> Option<Self> {
        let PendingKind::TalkedOver { points, kind, own, mut sorts } = kind.clone() else { return None };
        sorts.resize(points.len(), PointSort::Wish);
        Some(Self { points, kind, own, sorts })
    }

    /// Nothing yet.
    fn nothing(kind: PlanKind) -> Self {
        Self { points: Vec::new(), kind, own: Vec::new(), sorts: Vec::new() }
    }

    /// Whether all that was noted is simply wanted.
    fn is_plain(&self) -> bool {
        self.sorts.iter().all(|sort| *sort == PointSort::Wish)
    }

    /// The points of a sort, in order.
    fn of_sort(&self, sort: PointSort) -> impl Iterator<Item = &str> {
        let sorted = self.points.iter().zip(&self.sorts).filter(move |(_, own)| **own == sort);
        sorted.map(|(point, _)| point.as_str())
    }

    /// Without the point at `at`; what stood behind it moves up.
    fn without(mut self, at: usize) -> Self {
        self.points.remove(at);
        let moved = |place: usize| if place > at { place - 1 } else { place };
        self.own = self.own.iter().filter(|place| **place != at).map(|place| moved(*place)).collect();
        self.own.retain(|place| *place > 0);
        self.sorts.remove(at);
        self
    }
}

fn add(turn: &mut Turn<'_>, words: &str, kind: PlanKind, point: Point) {
    let begun = open(turn.state()).and_then(Noted::of);
    let mut noted = begun.unwrap_or_else(|| Noted::nothing(kind));
    // What began as a comparison stays one, whatever is added to it.
    if noted.kind == PlanKind::Plain {
        noted.kind = kind;
    }
    if noted.points.len() >= limits::PLAN_CHANGES_MAX {
        turn.refuse("That is as much as one talk holds. Say \"implement\" to have it planned, or \"cancel\".");
        return;
    }
    if point == Point::Own && !noted.points.is_empty() {
        noted.own.push(noted.points.len());
    }
    // What is ordered, and each question of its own, is what is wanted.
    let sort = if point == Point::Own { PointSort::Wish } else { turn.reader.point(words) };
    noted.sorts.push(sort);
    noted.points.push(words.trim().to_owned());
    put(turn, noted);
    turn.note(Outcome::Merged, "Noted; nothing is planned before you say so.");
}

/// Puts what was noted before the person, in place of what stood there.
fn put(turn: &mut Turn<'_>, noted: Noted) {
    turn.close_all(Resolution::Changed);
    let is_plain = noted.is_plain();
    let Noted { points, kind, own, mut sorts } = noted;
    if is_plain {
        sorts.clear();
    }
    let pending = turn.ask(PendingKind::TalkedOver { points, kind, own, sorts });
    say::show(turn, &pending);
}

/// Takes up again, as it was noted, what could not be planned: its task, and what was to be changed or added.
pub(super) fn note_again(turn: &mut Turn<'_>, problem: &str, changes: &[String], kind: PlanKind) {
    // Point by point with its marks, where it is what was handed over last.
    if let Some(mut noted) = turn.state().talked.as_ref().and_then(|kind| Noted::of_kind(kind)) {
        let tasks = tasks(&noted);
        let rest: Vec<String> = tasks.iter().skip(1).map(|one| further::asked(one)).collect();
        if tasks.first().is_some_and(|first| first == problem) && changes.starts_with(&rest) {
            for change in &changes[rest.len()..] {
                noted.points.push(change.clone());
                noted.sorts.push(turn.reader.point(change));
            }
            put(turn, noted);
            turn.note(Outcome::Merged, "Noted; nothing is planned before you say so.");
            return;
        }
    }
    let mut own = Vec::new();
    let mut points = vec![problem.to_owned()];
    for change in changes {
        match further::question_of(change) {
            Some(question) => {
                own.push(points.len());
                points.push(question.to_owned());
            }
            None => points.push(change.clone()),
        }
    }
    put(turn, Noted { points, kind, own, sorts: Vec::new() });
    turn.note(Outcome::Merged, "Noted; nothing is planned before you say so.");
}

/// What was noted, and how it goes on.
pub(super) fn so_far(points: &[String], sorts: &[PointSort], kind: PlanKind) -> String {
    let kind = match kind {
        PlanKind::Plain => "a task",
        PlanKind::Compare => "a comparison",
        PlanKind::Predict => "a forecast",
    };
    let listed = points.iter().enumerate().map(|(at, point)| {
        let mark = match sorts.get(at).copied().unwrap_or_default() {
            PointSort::Wish => "",
            PointSort::Decision => " (decided)",
            PointSort::Constraint => " (must hold)",
            PointSort::Open => " (still open)",
        };
        format!("{}. {point}{mark}", at + 1)
    });
    let listed: Vec<String> = listed.collect();
    let noted = format!("Noted so far, as {kind}; nothing is planned yet:\n{}", listed.join("\n"));
    format!("{noted}\nSay \"implement\" to have it planned, \"cancel\" to drop it, or go on.")
}

/// A command that hands on what was talked over, with nothing behind it: the talk itself is what it is about.
pub(super) fn begun(turn: &mut Turn<'_>, reading: &Reading) -> bool {
    let is_bare = reading.tier == Tier::Slash && reading.segment.starts_with('/');
    let Some(talk) = open(turn.state()).filter(|_| is_bare).cloned() else { return false };
    implement(turn, &talk);
    true
}

/// Words said while a talk is open: an instruction to begin, a question beside it, or something more to note.
pub(super) fn hear(turn: &mut Turn<'_>, question: &Pending, words: &str, grounding: &[String]) -> bool {
    if let Some(edit) = turn.reader.point_edit(words) {
        edited(turn, question, &edit);
        return true;
    }
    if begins_with_change(turn, question, words) {
        return true;
    }
    // The one choice there is, by its number.
    if words.trim().trim_end_matches('.') == "1" {
        implement(turn, question);
        return true;
    }
    match instruction(words) {
        Instruction::Begin => {
            implement(turn, question);
            return true;
        }
        Instruction::NotYet => {
            answer::hold(turn, question);
            return true;
        }
        Instruction::None => {}
    }
    // “Open: which colour?” asks nobody.
    if is_left_open(turn, words) {
        note(turn, words, PlanKind::Plain);
        return true;
    }
    let context = turn.read_context(grounding);
    let reply = turn.reader.reply(words, &context);
    message::note_reply(turn, question, &reply);
    match reply {
        Reply::Approve | Reply::ApproveWithNote { .. } => implement(turn, question),
        Reply::Cancel => control::cancel(turn),
        Reply::Likely => say::ask_back(turn, question),
        Reply::Reject | Reply::Hold => answer::hold(turn, question),
        Reply::Question => message::ask_aside(turn, words, grounding),
        Reply::Change { .. } if turn.reader.point(words) == PointSort::Constraint => {
            note(turn, words, PlanKind::Plain);
        }
        Reply::Change { .. } if message::states(turn, words, &context) => return false,
        Reply::Change { .. } => note(turn, words, PlanKind::Plain),
        Reply::Other => match turn.reader.read(words, &context) {
            // What cannot be read as a request is still something that was said about the task.
            MessageReading::Unsure { .. } => note(turn, words, PlanKind::Plain),
            MessageReading::Understood { requests, .. } if is_said(words, &requests) => {
                note(turn, words, PlanKind::Plain);
            }
            MessageReading::Understood { .. }
            | MessageReading::UnknownCommand { .. }
            | MessageReading::Bare { .. }
            | MessageReading::Empty => {
                return false;
            }
        },
    }
    true
}

/// Whether words say something of the task: they ask nothing and order nothing.
fn is_said(words: &str, requests: &[Reading]) -> bool {
    let is_plain = |request: &Reading| request.act == Act::Query(QueryKind::Plain);
    !asks(words) && !requests.is_empty() && requests.iter().all(is_plain)
}

fn asks(words: &str) -> bool {
    let first = text::words(words).into_iter().next().unwrap_or_default();
    words.contains(['?', '？']) || ASKING.contains(&first.as_str())
}

/// Whether a question is named as one that is open, before a colon.
fn is_left_open(turn: &Turn<'_>, words: &str) -> bool {
    let named = words.split_once(':').filter(|(lead, rest)| !rest.trim().is_empty() && text::words(lead).len() <= 3);
    named.is_some_and(|(lead, _)| turn.reader.point(&format!("{lead} point")) == PointSort::Open)
}

/// Begins a talk with words that ask nothing and order nothing, where a task is talked over first and nothing else
/// could be made of them; false where there is no such talk.
pub(super) fn begins_with(turn: &mut Turn<'_>, words: &str) -> bool {
    let begins = comes_first(turn) && turn.reader.owns_steps() && open(turn.state()).is_none() && !asks(words);
    if begins {
        note(turn, words, PlanKind::Plain);
    }
    begins
}

/// Changes what was noted, by the numbers it is shown with.
fn edited(turn: &mut Turn<'_>, question: &Pending, edit: &PointEdit) {
    let Some(mut noted) = Noted::of(question) else { return };
    let (PointEdit::Drop { number } | PointEdit::Replace { number, .. } | PointEdit::Sort { number, .. }) = edit;
    let points = text::count(noted.points.len(), "point");
    let Some(at) = number.checked_sub(1).filter(|at| *at < noted.points.len()) else {
        turn.refuse(format!("There is no point {number}: {points} noted."));
        return;
    };
    if noted.sorts[at] == PointSort::Constraint && super::program::refused(turn) {
        return;
    }
    match edit {
        PointEdit::Drop { .. } if noted.points.len() == 1 => {
            turn.refuse("That is all that was noted. Say \"cancel\" to drop the task.");
            return;
        }
        PointEdit::Drop { .. } => noted = noted.without(at),
        PointEdit::Replace { words, .. } => {
            // What is asked for stays that, in other words.
            if at > 0 && !noted.own.contains(&at) {
                noted.sorts[at] = turn.reader.point(words);
            }
            noted.points[at].clone_from(words);
        }
        PointEdit::Sort { sort, .. } => noted.sorts[at] = *sort,
    }
    put(turn, noted);
    turn.note(Outcome::Merged, "Noted anew; nothing is planned before you say so.");
}

/// "Implement, but only 2024": what follows the instruction is noted as the last point, and the work begins.
fn begins_with_change(turn: &mut Turn<'_>, question: &Pending, words: &str) -> bool {
    let Some(rest) = behind_instruction(words) else { return false };
    // What may follow a yes is the reply grammar's to say.
    let said = format!("yes{rest}");
    match turn.reader.reply(&said, &turn.read_context(&[])) {
        Reply::ApproveWithNote { .. } => implement(turn, question),
        Reply::Change { change } => {
            note(turn, &change, PlanKind::Plain);
            let noted = open(turn.state()).cloned();
            if let Some(noted) = noted {
                implement(turn, &noted);
            }
        }
        Reply::Approve
        | Reply::Likely
        | Reply::Reject
        | Reply::Cancel
        | Reply::Question
        | Reply::Hold
        | Reply::Other => return false,
    }
    true
}

/// What stands behind the instruction that `words` begin with: from the comma or the joining word on.
fn behind_instruction(words: &str) -> Option<&str> {
    if words.contains(['?', '？']) {
        return None;
    }
    let ends = words.char_indices().filter(|(_, letter)| matches!(letter, ',' | ';' | ':' | '.' | ' '));
    ends.map(|(at, _)| words.split_at(at)).find_map(|(first, rest)| {
        let next = text::words(rest).into_iter().next()?;
        let is_joined = !rest.starts_with(' ') || JOINING.contains(&next.as_str());
        (is_joined && instruction(first) == Instruction::Begin).then_some(rest)
    })
}

/// The tasks that what was noted comes to: each is a question with what was said about it. What is open is none.
fn tasks(noted: &Noted) -> Vec<String> {
    let mut questions: Vec<Vec<&str>> = Vec::new();
    for (at, point) in noted.points.iter().enumerate().filter(|(at, _)| noted.sorts[*at] != PointSort::Open) {
        match questions.last_mut().filter(|_| !noted.own.contains(&at)) {
            Some(about) => about.push(point),
            None => questions.push(vec![point]),
        }
    }
    questions.into_iter().map(|points| points.join(", ")).collect()
}

/// Hands everything noted to planning: the first question as the task, each further one as a step beside it.
pub(super) fn implement(turn: &mut Turn<'_>, question: &Pending) {
    let Some(noted) = Noted::of(question) else { return };
    if turn.flow().talk() == Talk::Only {
        turn.refuse(
            "This assistant talks tasks over and starts none (allow_execution_transition is off). What was noted stays.",
        );
        return;
    }
    let mut questions = tasks(&noted).into_iter();
    let Some(first) = questions.next() else {
        turn.refuse("All that was noted is still open, so there is nothing to plan yet.");
        return;
    };
    let more: Vec<String> = questions.map(|one| further::asked(&one)).collect();
    turn.close(question.id, Resolution::Approved);
    compiled(turn, &noted);
    act::plan_with(turn, turn.message(), &first, &more, noted.kind);
}

/// FL-08: what was talked over as requirements, which are shown and held as facts, where whatever plans, then or later,
/// reads them.
fn compiled(turn: &mut Turn<'_>, noted: &Noted) {
    let sorts = [
        (PointSort::Decision, FactKind::Decision, "Decided", "decision"),
        (PointSort::Constraint, FactKind::Constraint, "Must hold", "constraint"),
        (PointSort::Open, FactKind::Note, "Still open", "open_point"),
    ];
    if noted.is_plain() {
        return;
    }
    let wanted: Vec<&str> = noted.of_sort(PointSort::Wish).collect();
    let mut lines = vec!["Requirements, as they go into the plan:".to_owned()];
    lines.extend((!wanted.is_empty()).then(|| format!("  Wanted: {}", wanted.join("; "))));
    for (sort, kind, told, name) in sorts {
        let points: Vec<&str> = noted.of_sort(sort).collect();
        if !points.is_empty() {
            lines.push(format!("  {told}: {}", points.join("; ")));
        }
        for point in points {
            learn::settled(turn, name, kind, point);
        }
    }
    turn.say(lines.join("\n"), None);
}

/// What words are as an instruction to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instruction {
    Begin,
    NotYet,
    None,
}

/// FL-07: the words count only as an instruction. In a question or beside other words they are a mention.
fn instruction(words: &str) -> Instruction {
    // What stands in quotation marks is somebody's words, and orders nothing.
    if words.contains('?') || words.trim_start().starts_with(QUOTES) {
        return Instruction::None;
    }
    let said = text::words(words);
    let is_denied = said.iter().any(|word| DENIALS.contains(&word.as_str()));
    let bare: Vec<&str> =
        said.iter().map(String::as_str).filter(|word| !FILLERS.contains(word) && !DENIALS.contains(word)).collect();
    // "Do not implement that": the first word only helps the second.
    let bare = match bare.as_slice() {
        ["do", rest @ ..] if !rest.is_empty() => rest,
        all => all,
    };
    match (BEGINNINGS.contains(&bare.join(" ").as_str()), is_denied) {
        (false, _) => Instruction::None,
        (true, true) => Instruction::NotYet,
        (true, false) => Instruction::Begin,
    }
}

/// Marks of words that are only quoted.
const QUOTES: [char; 8] = ['"', '“', '”', '„', '‘', '«', '`', '\''];
/// What begins the work.
const BEGINNINGS: [&str; 10] =
    ["implement", "build", "create", "do", "go ahead", "make", "plan", "start", "proceed", "get going"];
/// Words around an instruction that change nothing of it.
const FILLERS: [&str; 17] = [
    "it", "this", "that", "now", "please", "ok", "okay", "yes", "yeah", "then", "so", "let's", "lets", "us", "just",
    "with", "all",
];
/// Words by which something is joined to an instruction without a pause.
const JOINING: [&str; 12] =
    ["but", "only", "just", "without", "except", "and", "for", "with", "by", "excluding", "minus", "limited"];
/// What asks for an answer, where no mark says so.
const ASKING: [&str; 27] = [
    "who", "what", "which", "when", "where", "why", "how", "is", "are", "was", "were", "does", "do", "did", "can",
    "could", "should", "would", "has", "have", "tell", "show", "list", "explain", "describe", "give", "count",
];
/// Words that make it the opposite.
const DENIALS: [&str; 8] = ["not", "don't", "dont", "never", "no", "yet", "without", "won't"];

#[cfg(test)]
mod tests {
    use super::{Instruction, behind_instruction, instruction};

    #[test]
    fn what_follows_an_instruction_is_told_from_it() {
        for (words, rest) in [
            ("implement, but only 2024", Some(", but only 2024")),
            ("ok do it but skip Canada", Some(" but skip Canada")),
            ("go ahead with only Q4", Some(" with only Q4")),
            ("build it. by month please", Some(". by month please")),
            ("don't build it, but only 2024", None),
            ("implement", None),
            ("create a chart of sales", None),
            ("should we build it, or only plan it?", None),
            ("the plan is fine, but only 2024", None),
        ] {
            assert_eq!(behind_instruction(words), rest, "{words}");
        }
    }

    #[test]
    fn only_an_instruction_begins_the_work() {
        for words in
            ["implement", "Build it!", "ok, do it", "go ahead", "please make it", "create it now", "let's plan it"]
        {
            assert_eq!(instruction(words), Instruction::Begin, "{words}");
        }
        for words in ["don't build it yet", "do not implement that", "no, don't do it", "not yet, don't start"] {
            assert_eq!(instruction(words), Instruction::NotYet, "{words}");
        }
        for words in [
            "should we build it?",
            "build it?",
            "we could build it in March",
            "Anna said \"build it\" yesterday",
            "what would you implement",
            "not yet",
            "yes",
        ] {
            assert_eq!(instruction(words), Instruction::None, "{words}");
        }
    }
}
