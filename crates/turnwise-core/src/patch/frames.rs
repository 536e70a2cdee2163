//! The sentences in which people ask for another structure: each function is one kind of them, and reads a sentence
//! only as a whole. Whatever is not one of them is the assistant's business. Next: `wish`.

use super::effect_phrases::{ANYTHING, CHANGING, NO_EFFECTS};
use super::lead::{after, before, is};
use super::phrases::{
    A_STEP, AFTER, ALL, APPROVE_VERBS, AT_ONCE, BEFORE, BEING, CHART, DROP, EXCEPT, LIMIT, LIMITING, MOVE_VERBS,
    NEEDLESS, ONE_AT_A_TIME, ONLY, PLAN_NAMES, QUOTES, REFERENCE_WORDS_MAX, RENAME, RUN_VERBS, SHOULD_BE_CALLED, SPLIT,
    STEP_ONLY, SWAP, THAT, TO_END, TO_FRONT, UP_TO, YES_TO,
};
use super::refer::{Reference, Steps};
use super::tokens::Token;
use super::{Patch, PatchError, Wish};
use crate::{StepId, limits, text};

/// What a sentence asks for, if it is of the kind looked for; an error where it is and cannot be done as said.
pub(super) type Found = Option<Result<Wish, PatchError>>;

/// One sentence about a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sentence<'a> {
    pub(super) text: &'a str,
    pub(super) words: &'a [Token],
    pub(super) steps: Steps<'a>,
}

impl<'a> Sentence<'a> {
    /// Tries each kind in turn.
    pub(super) fn read(self) -> Found {
        self.one_at_a_time()
            .or_else(|| self.without_effects())
            .or_else(|| self.swapped())
            .or_else(|| self.waiting())
            .or_else(|| self.ordered())
            .or_else(|| self.placed())
            .or_else(|| self.renamed())
            .or_else(|| self.split())
            .or_else(|| self.constrained())
            .or_else(|| self.added())
            .or_else(|| self.all_but())
            .or_else(|| self.dropped())
            .or_else(|| self.up_to())
            .or_else(|| self.kept())
            .or_else(|| self.ordered_by_words())
    }

    fn with(self, words: &'a [Token]) -> Self {
        Self { words, ..self }
    }

    pub(super) fn any(self, words: &[Token]) -> Option<Result<Reference, PatchError>> {
        self.steps.referred(words).transpose()
    }

    /// Steps that can be nothing else.
    pub(super) fn plain(self, words: &[Token]) -> Option<Result<Vec<StepId>, PatchError>> {
        match self.any(words)? {
            Ok(found) => found.is_plain.then_some(Ok(found.steps)),
            Err(error) => Some(Err(error)),
        }
    }

    /// The longest start of `words` that names steps plainly, with what follows.
    fn leading(self, words: &'a [Token]) -> Option<(Vec<StepId>, &'a [Token])> {
        let longest = words.len().min(REFERENCE_WORDS_MAX);
        (1..=longest).rev().find_map(|length| match self.plain(&words[..length]) {
            Some(Ok(steps)) => Some((steps, &words[length..])),
            Some(Err(_)) | None => None,
        })
    }

    /// The text of `words` as it was written.
    fn written(self, words: &[Token]) -> Option<String> {
        let (first, last) = (words.first()?, words.last()?);
        let written = self.text[first.start..last.end].trim_matches(|letter: char| QUOTES.contains(&letter));
        (!written.is_empty()).then(|| text::clip(written, limits::QUOTE_WIDTH))
    }

    fn one_at_a_time(self) -> Found {
        let words = after(self.words, &RUN_VERBS).unwrap_or(self.words);
        let words = after(words, &ALL).unwrap_or(words);
        if is(words, &ONE_AT_A_TIME) {
            return structure(Patch::OneAtATime);
        }
        let forbidden = after(self.words, &["don't", "do not", "never", "not", "no"])?;
        let forbidden = after(forbidden, &RUN_VERBS).unwrap_or(forbidden);
        let forbidden = after(forbidden, &ALL).unwrap_or(forbidden);
        is(forbidden, &AT_ONCE).then(|| Ok(Wish::Structure(vec![Patch::OneAtATime])))
    }

    /// "Don't write anything", "read only": no step that changes something, and none that only serves one.
    fn without_effects(self) -> Found {
        let of_any = || {
            let words = after(self.words, &["don't", "do not", "never", "not", "no", "without", "no need to", "stop"])?;
            is(after(words, &CHANGING)?, &ANYTHING).then_some(())
        };
        let stripped = after(self.words, &RUN_VERBS).unwrap_or(self.words);
        let stripped = after(stripped, &ALL).unwrap_or(stripped);
        if !is(self.words, &NO_EFFECTS) && !is(stripped, &NO_EFFECTS) && of_any().is_none() {
            return None;
        }
        match self.steps.changing() {
            none if none.is_empty() => Some(Err(PatchError::NoChange(
                "The plan changes nothing as it is: all its steps only read. Say y to run it.".to_owned(),
            ))),
            changing => structure(Patch::Drop(self.steps.with_servants(changing))),
        }
    }

    fn swapped(self) -> Found {
        let words = after(self.words, &SWAP)?;
        let words = before(words, &["around", "over", "places", "in order"]).unwrap_or(words);
        let joined = words.iter().position(|word| matches!(word.text.as_str(), "with" | "for"));
        let steps = match joined {
            Some(at) => {
                let (one, other) = (self.any(&words[..at])?, self.any(&words[at + 1..])?);
                pair(one, other).map(|(one, other)| [one.steps, other.steps].concat())
            }
            None => self.any(words)?.map(|found| found.steps),
        };
        match steps {
            Ok(steps) => match steps.as_slice() {
                [one, other] => structure(Patch::Swap(*one, *other)),
                _ => None,
            },
            Err(error) => Some(Err(error)),
        }
    }

    /// "do step 3 before step 2", "step 1 after steps 2 and 3", "first step 2, then step 1".
    fn ordered(self) -> Found {
        if let Some(words) = after(self.words, &["first", "first do", "first run"])
            && let Some(at) = words.iter().position(|word| word.text == "then")
        {
            let then = after(&words[at + 1..], &RUN_VERBS).unwrap_or(&words[at + 1..]);
            let first = before(&words[..at], &["and"]).unwrap_or(&words[..at]);
            return self.orders(then, first);
        }
        let at = (1..self.words.len()).find(|at| after(&self.words[*at..], &[BEFORE, AFTER].concat()).is_some())?;
        let (left, right) = self.words.split_at(at);
        let left = after(left, &MOVE_VERBS).unwrap_or(left);
        let left = before(left, &BEING).unwrap_or(left);
        match after(right, BEFORE) {
            Some(later) => self.orders(later, left),
            None => self.orders(left, after(right, AFTER)?),
        }
    }

    /// Each of `later` after each of `earlier`, where at least one of them is plainly a step.
    fn orders(self, later: &[Token], earlier: &[Token]) -> Found {
        let (later, earlier) = match pair(self.any(later)?, self.any(earlier)?) {
            Ok(both) => both,
            Err(error) => return Some(Err(error)),
        };
        if !later.is_plain && !earlier.is_plain {
            return None;
        }
        let pairs = later.steps.iter().flat_map(|later| earlier.steps.iter().map(move |earlier| (*later, *earlier)));
        Some(Ok(Wish::Structure(pairs.map(|(later, earlier)| Patch::Order { later, earlier }).collect())))
    }

    /// "do step 2 first", "start with step 2", "move step 1 to the end".
    fn placed(self) -> Found {
        let verb = |words: &'a [Token]| after(words, &MOVE_VERBS).unwrap_or(words);
        let moves = after(self.words, &MOVE_VERBS).is_some();
        let begun = after(self.words, &["start with", "begin with", "start from", "begin from"]);
        let first = begun.or_else(|| before(self.words, &TO_FRONT).map(verb));
        let last = before(self.words, &TO_END).map(verb);
        let (words, place): (_, fn(StepId) -> Patch) = match (first, last) {
            (Some(words), _) => (words, Patch::First),
            (None, Some(words)) => (words, Patch::Last),
            (None, None) => return None,
        };
        let words = before(words, &BEING).unwrap_or(words);
        // "Do the second one first": with a verb of doing, what is counted can only be steps.
        let counted =
            || self.any(words).map(|found| found.map(|found| found.steps)).filter(|_| moves && is_counted(words));
        match self.plain(words).or_else(counted)? {
            Ok(steps) => match steps.as_slice() {
                [only] => structure(place(*only)),
                _ => None,
            },
            Err(error) => Some(Err(error)),
        }
    }

    fn renamed(self) -> Found {
        if let Some(words) = after(self.words, &RENAME) {
            if let Some((steps, name)) = self.leading(words) {
                return self.step_named(&steps, after(name, &["to", "as", "into", "to be"]).unwrap_or(name));
            }
            let name = after(words, &PLAN_NAMES)?;
            let name = after(name, &["to", "as", "into"]).unwrap_or(name);
            let is_idiom = is(name, &["off", "quits", "a day", "a night", "again"]);
            let title = self.written(name).filter(|_| !is_idiom)?;
            return structure(Patch::Rename(title));
        }
        if let Some(words) = after(self.words, &["give", "giving"]) {
            let steps = self.leading(words);
            let named = steps.as_ref().map_or_else(|| after(words, &PLAN_NAMES), |(_, rest)| Some(rest))?;
            let name = after(named, &["the name", "a name", "the title", "the label", "the new name", "name"])?;
            let title = || structure(Patch::Rename(self.written(name)?));
            return steps.map_or_else(title, |(steps, _)| self.step_named(&steps, name));
        }
        let (steps, rest) = self.leading(self.words)?;
        self.step_named(&steps, after(rest, &SHOULD_BE_CALLED)?)
    }

    fn step_named(self, steps: &[StepId], name: &[Token]) -> Found {
        let [step] = steps else { return None };
        structure(Patch::RenameStep { step: *step, name: self.written(name)? })
    }

    fn split(self) -> Found {
        let words = after(self.words, &SPLIT)?;
        let (steps, rest) = self.leading(words)?;
        let words = after(rest, &["up", "down"]).unwrap_or(rest);
        let words = self.written(words).unwrap_or_default();
        let [step] = steps.as_slice() else { return None };
        Some(Ok(Wish::Split { step: *step, words }))
    }

    /// "limit step 2 to Q4", "only Germany in step 1", "in step 2 only take USA", "step 1 only for Germany".
    fn constrained(self) -> Found {
        let limited = after(self.words, &LIMIT).and_then(|words| self.leading(words)).and_then(|(steps, rest)| {
            let rest = after(rest, &["to", "by", "on", "for", "down to", "with", "to only", "to just"])?;
            Some((steps, rest))
        });
        let within = || {
            let (steps, rest) = after(self.words, &["in", "for", "on", "at"]).and_then(|words| self.leading(words))?;
            let rest = rest.strip_prefix(part_of(rest)).unwrap_or(rest);
            Some((steps, after(rest, &ONLY)?))
        };
        let behind = || {
            let at = self.words.iter().rposition(|word| matches!(word.text.as_str(), "in" | "for" | "on" | "of"))?;
            let steps = self.plain(&self.words[at + 1..])?.ok()?;
            let said = after(&self.words[..at], &ONLY)?;
            Some((steps, said))
        };
        let own = || {
            let (steps, rest) = self.leading(self.words)?;
            let rest = rest.strip_prefix(part_of(rest)).unwrap_or(rest);
            Some((steps, after(rest, &STEP_ONLY)?))
        };
        let (steps, words) = limited.or_else(within).or_else(behind).or_else(own)?;
        Some(Ok(Wish::Constrain { steps, words: self.written(words)? }))
    }

    fn added(self) -> Found {
        let words = after(self.words, &["add", "insert", "include", "put in", "append", "also add"])?;
        let words = after(words, &A_STEP)?;
        let words = after(words, &THAT).unwrap_or(words);
        Some(Ok(Wish::Add { words: self.written(words)? }))
    }

    /// "all but step 3", "run everything except the last step", "approve without step 4".
    fn all_but(self) -> Found {
        let verb = after(self.words, &APPROVE_VERBS).or_else(|| after(self.words, &RUN_VERBS));
        let verb = verb.or_else(|| after(self.words, &YES_TO));
        let words = verb.unwrap_or(self.words);
        let all = after(words, &ALL);
        if verb.is_none() && all.is_none() {
            return None;
        }
        self.without(after(all.unwrap_or(words), EXCEPT)?)
    }

    fn dropped(self) -> Found {
        let named = after(self.words, &DROP).or_else(|| before(self.words, &NEEDLESS))?;
        let named = before(named, &["out", "off", "away", "from the plan", "from it", "altogether"]).unwrap_or(named);
        self.without(named)
    }

    fn without(self, words: &[Token]) -> Found {
        if is(words, &CHART) {
            return structure(Patch::NoChart);
        }
        // Said by its words, a step goes with those that only serve it: nobody speaks of the look at a file beforehand.
        let whole = |found: Reference| {
            if found.by_words { self.steps.with_servants(found.steps) } else { found.steps }
        };
        Some(self.any(words)?.map(|found| Wish::Structure(vec![Patch::Drop(whole(found))])))
    }

    /// "stop after step 2", "up to step 3".
    fn up_to(self) -> Found {
        let words = after(self.words, &UP_TO)?;
        let last = match self.plain(words)? {
            Ok(steps) => *steps.last()?,
            Err(error) => return Some(Err(error)),
        };
        structure(Patch::Keep((1..=last.number().min(self.steps.count() + 1)).map(StepId::new).collect()))
    }

    /// "approve step 1", "only the first two steps", "just run steps 1, 2", "steps 1-3 only".
    fn kept(self) -> Found {
        let limited = after(self.words, &LIMITING);
        let words = limited.unwrap_or(self.words);
        let approving = after(words, &APPROVE_VERBS);
        let running = after(words, &RUN_VERBS);
        let meant = after(words, &YES_TO);
        let words = approving.or(running).or(meant).unwrap_or(words);
        let again = after(words, &LIMITING);
        let words = again.unwrap_or(words);
        let ended = before(words, &["only", "alone", "and nothing else", "and no others", "and no other"]);
        let is_limited = limited.or(again).or(ended).is_some();
        let found = match self.any(ended.unwrap_or(words))? {
            Ok(found) => found,
            Err(error) => return Some(Err(error)),
        };
        // "Run all steps" is a yes to the plan as it is, and for the reply grammar to take or not.
        if is_all(words) {
            return None;
        }
        let is_meant = match (approving.is_some(), running.is_some()) {
            (true, _) => true,
            (false, true) => found.is_plain || found.steps.len() > 1 || is_counted(words),
            // Several steps by themselves are an answer to "run it?"; one may be the start of anything.
            (false, false) => found.is_plain && (is_limited || meant.is_some() || found.steps.len() > 1),
        };
        is_meant.then(|| Ok(Wish::Structure(vec![Patch::Keep(found.steps)])))
    }

    /// Whether it says nothing at all once `phrases` are taken from its front.
    pub(super) fn without_lead(self, phrases: &[&str]) -> Option<Self> {
        after(self.words, phrases).map(|words| self.with(words))
    }
}

/// "The second one", "the last ones".
fn is_counted(words: &[Token]) -> bool {
    words.len() > 1 && words.last().is_some_and(|word| matches!(word.text.as_str(), "one" | "ones"))
}

fn is_all(words: &[Token]) -> bool {
    words.first().is_some_and(|word| matches!(word.text.as_str(), "all" | "both"))
}

fn structure(patch: Patch) -> Found {
    Some(Ok(Wish::Structure(vec![patch])))
}

fn pair<T>(one: Result<T, PatchError>, other: Result<T, PatchError>) -> Result<(T, T), PatchError> {
    Ok((one?, other?))
}

/// The comma or colon that `words` begin with.
fn part_of(words: &[Token]) -> &[Token] {
    let parts = words.iter().take_while(|word| word.text == super::tokens::PART).count();
    &words[..parts]
}
