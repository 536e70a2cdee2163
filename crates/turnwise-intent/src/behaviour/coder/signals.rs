//! What is seen in the words of a request: does it ask, does it order, what does it point to, what is left to go by.
//!
//! Verbs count only where an order puts them (at the start, after "and", after a comma), because "build", "test" and
//! "format" are nouns as often. Next: `scope`, `clarify`.

use std::sync::LazyLock;

use turnwise_core::selected::ReferenceKind;

use super::files::files_in;
use super::vocabulary::{ACTIONS, ASKING, ASKING_PHRASES, GENERIC, SHOWING, SURROUNDINGS};
use crate::behaviour::{matches_any, patterns, says};
use crate::pattern::Pattern;
use crate::split::segments;
use crate::words::{Word, Words};

static RUN_TALK: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(continue|resume|proceed|unpause|carry on|keep going|go on|go ahead|next|retry|skip|move on) (with)? (it|this|that|one|now|from there|where (we|you) left off|(the|this|that)? (run|mission|plan|step|next step|failed step|last step|current step|execution|next one|rest))?",
        "(pause|abort|stop|halt|cancel|kill|interrupt) (it|this|that|now|everything|the (run|mission|plan|execution|job|current step))?",
        "(status|progress|state|where are we|where were we|any progress|any news)",
        "how far (are we|are you|is it|along) ...",
        "how is (it|that|this|the run|the mission|the plan) (going|coming along|doing|progressing) ...",
        "(is|are) (it|that|we|you|the run|the mission) (already)? (done|finished|still running|running|ready|stuck|paused|there) ...",
        "(what|which) step (is|are|was) ...",
        "what is (the|its|our)? (status|progress|state) ...",
        "what is (it|the run|the mission|running|happening) (doing|at|now|right now)?",
        "... (the|this|current|last|active|paused) (run|mission) ...",
        "(propose|suggest) (a|another)? fix ...",
        "pick (it)? up where (we|you|it) (left|stopped) ...",
        "(show|give) (me|us)? (the|a)? (current)? (status|progress) ...",
    ])
});

static COMMANDS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(run|execute|rerun|re-run) ...",
        "(compile|lint|typecheck|type-check) ...",
        "type check ...",
        "build (it|everything|(the|this)? (project|release|solution|image|app|code|workspace|crate|package))?",
        "(start|launch|restart|boot) (up)? (the|a|my)? (dev|development|local|web|test|api|docker)? (server|app|application|container|containers|watcher|service|database|stack) ...",
        "(install|npm|cargo|yarn|pnpm|pip|make|pytest|docker|git|go) ...",
        "commit (it|this|that|these|everything|(the|my|all)? changes) ...",
        "(check|see|verify) (if|that|whether) ... (passes|pass|compiles|builds|succeeds|is green|are green)",
    ])
});

/// "make" and "go" open commands and orders alike; behind these words they are orders.
static NO_COMMANDS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "make (it|this|that|the|a|an|sure|my|our|these|those|them|all|every|everything) ...",
        "make",
        "go (through|over|with|back|for|to) ...",
        "(run|execute) (it|this|that)? (through|by|past) ...",
    ])
});

/// Requests to look something up that open like an order: "search for X", "go to the definition of X".
static LOOKS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(search|scan|hunt) (in|through|across)? (all|the|this|my|our)? (whole|entire)? (code|codebase|project|repo|repository|workspace|files|sources|folder)? for ...",
        "grep ...",
        "(go|jump) to (the)? (definition|declaration|implementation|source) ...",
        "(print|display|view|read|open|output) (me)? (the)? (first|last|top)? # (line|lines) ...",
        "(print|display|view|read|open|output) (me)? (the)? (line|lines|file|contents|content|definition|source) ...",
    ])
});

/// What is named and nothing said of it: "usages of X".
static NAMED: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(the|all)? (definition|definitions|declaration|usage|usages|uses|references|callers|occurrences|mentions|contents|content|signature) (of|to) ...",
        "(the)? (line|lines) ... of ...",
        "(the)? (first|last|top) # lines ...",
    ])
});

/// A wish that opens like a statement: "we need user accounts".
static WISHES: LazyLock<Vec<Pattern>> =
    LazyLock::new(|| patterns(&["(i|we) (need|want|would like|could use|should have|are missing) ..."]));

static REMARKS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(thanks|thank you|cheers) ...",
        "(great|ok|cool|nice|perfect|good|lgtm|got it|understood|awesome|hello|hi|hey|yes|no|sure|fine) (thanks|job|work|one|idea|there|all)?",
        "(that|this|it) (works|worked|helped|helps|looks good|looks great|is great|is perfect|is fine|makes sense) ...",
    ])
});

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct Signals {
    words: Words,
    /// Whether some sentence asks.
    pub is_question: bool,
    /// Orders in verb position, not negated, outside questions.
    pub actions: usize,
    /// Whether it asks to run something.
    pub is_command: bool,
    /// Whether it is a courtesy: nothing is asked for.
    pub is_remark: bool,
    /// Whether it is about a run.
    pub about_run: bool,
    /// Whether "this", "it" or "the file" needs something to point to.
    pub needs_reference: bool,
    /// Words that say which part of the code is meant.
    pub content: usize,
    points: bool,
}

impl Signals {
    /// Looks at `prompt`, whose named files are `files`.
    #[must_use]
    pub fn of(prompt: &str, files: &[String]) -> Self {
        let words = Words::of(prompt);
        let mut signals = Self { points: points(&words.all), ..Self::default() };
        for segment in segments(prompt) {
            let sentence = Words::of(segment);
            let asks = asks(&sentence) || looks(&sentence, segment);
            signals.is_question |= asks;
            signals.actions += match asks {
                true => orders_within_question(&sentence),
                false => orders(sentence.core()) + usize::from(matches_any(&WISHES, &sentence)),
            };
            signals.is_remark |= matches_any(&REMARKS, &sentence);
            signals.is_command |= !asks && is_command(&sentence);
            signals.about_run |= matches_any(&RUN_TALK, &sentence);
        }
        signals.content = words.all.iter().enumerate().filter(|(at, _)| is_content(&words.all, *at)).count();
        signals.needs_reference = files.is_empty() && unresolved(&words.all);
        signals.words = words;
        signals
    }

    /// All words.
    #[must_use]
    pub fn words(&self) -> &[Word] {
        &self.words.all
    }

    /// Whether it points at something ("this", "it", "the open file").
    #[must_use]
    pub fn is_pointing(&self) -> bool {
        self.points
    }

    /// Whether it names the project as a whole, which no open file stands for.
    #[must_use]
    pub fn names_surroundings(&self) -> bool {
        self.words.has_any(SURROUNDINGS)
    }

    /// The kind of reference that the words name.
    #[must_use]
    pub(super) fn names_reference(&self) -> Option<ReferenceKind> {
        let named = |phrases: &[&str]| phrases.iter().any(|phrase| says(&self.words.all, phrase));
        if named(&["open file", "current file", "open editor", "this file", "selection", "selected"]) {
            return Some(ReferenceKind::LastOpenEditor);
        }
        if named(&["last diff", "the diff", "last change", "last edit", "that change", "my last"]) {
            return Some(ReferenceKind::LastAppliedDiff);
        }
        named(&["the proposal", "your proposal", "the plan", "the checkpoint"])
            .then_some(ReferenceKind::LastArtifactProposed)
    }
}

fn asks(sentence: &Words) -> bool {
    let core = sentence.core();
    let opens = core.iter().find(|word| !matches!(word.text.as_str(), "just" | "please" | "only"));
    sentence.asks
        || opens.is_some_and(|word| !word.quoted && ASKING.contains(&word.text.as_str()) && !is_command(sentence))
        || ASKING_PHRASES.iter().any(|phrase| says(&sentence.all, phrase))
}

/// Whether it is a look at something, though it opens like an order or with nothing but a name.
fn looks(sentence: &Words, said: &str) -> bool {
    let shows = match said.split_whitespace().collect::<Vec<_>>().as_slice() {
        [verb, _] => SHOWING.contains(&verb.to_lowercase().as_str()) && files_in(said).len() == 1,
        _ => false,
    };
    let is_named = sentence.all.len() <= NAMED_WORDS_MAX && matches_any(&NAMED, sentence);
    let obliges = sentence.has_any(&["should", "must", "need", "needs", "is", "are"]);
    shows || matches_any(&LOOKS, sentence) || (is_named && !obliges)
}

/// Words of a sentence that does no more than name something.
const NAMED_WORDS_MAX: usize = 6;

fn is_command(sentence: &Words) -> bool {
    matches_any(&COMMANDS, sentence) && !matches_any(&NO_COMMANDS, sentence)
}

fn is_action(word: &Word) -> bool {
    !word.quoted && ACTIONS.contains(&word.text.as_str())
}

/// Whether the word at `at` stands where an order has its verb.
fn in_verb_position(words: &[Word], at: usize) -> bool {
    const BEFORE_VERBS: &[&str] =
        &["and", "then", "please", "just", "also", "us", "you", "but", "now", "instead", "plz"];
    let Some(before) = at.checked_sub(1).and_then(|before| words.get(before)) else { return true };
    before.pause_after || BEFORE_VERBS.contains(&before.text.as_str())
}

fn is_negated(words: &[Word], at: usize) -> bool {
    words[at.saturating_sub(2)..at].iter().any(|word| matches!(word.text.as_str(), "not" | "never" | "without"))
}

fn orders(words: &[Word]) -> usize {
    let counts = |at: usize| is_action(&words[at]) && in_verb_position(words, at) && !is_negated(words, at);
    let needed = |at: usize| {
        let before: Vec<&str> = words[at.saturating_sub(2)..at].iter().map(|word| word.text.as_str()).collect();
        is_action(&words[at])
            && matches!(before.as_slice(), ["needs" | "need" | "should" | "must" | "has" | "have", "to" | "be"])
    };
    (0..words.len()).filter(|at| counts(*at) || needed(*at)).count()
}

/// A question that goes over into an order: "why does it fail, and fix it". "How do I build and run it" does not.
fn orders_within_question(sentence: &Words) -> usize {
    let core = sentence.core();
    let opens_with_how =
        core.first().is_some_and(|word| matches!(word.text.as_str(), "how" | "should" | "when" | "do"));
    if opens_with_how || core.is_empty() {
        return 0;
    }
    let joined = |at: usize| at > 0 && matches!(core[at - 1].text.as_str(), "and" | "then");
    let on_it = |at: usize| {
        core.get(at + 1).is_some_and(|word| matches!(word.text.as_str(), "it" | "this" | "that" | "them" | "the"))
    };
    (1..core.len()).filter(|at| is_action(&core[*at]) && joined(*at) && on_it(*at) && !is_negated(core, *at)).count()
}

/// A verb that orders says what to do, not where; so does one that stands behind nothing but empty words.
fn is_content(words: &[Word], at: usize) -> bool {
    let word = &words[at];
    let is_empty = |word: &Word| GENERIC.contains(&word.text.as_str());
    if is_empty(word) || crate::language::NEGATORS.contains(&word.text.as_str()) {
        return false;
    }
    let orders = in_verb_position(words, at) || words[..at].iter().all(is_empty);
    !(is_action(word) && orders)
}

fn points(words: &[Word]) -> bool {
    let pronoun = |word: &Word| {
        !word.quoted && matches!(word.text.as_str(), "this" | "that" | "these" | "those" | "it" | "them" | "here")
    };
    words.iter().any(pronoun)
        || ["the file", "open file", "current file", "the selection"].iter().any(|p| says(words, p))
}

/// Whether something is pointed at that the message itself does not name.
fn unresolved(words: &[Word]) -> bool {
    let named_before = |at: usize| (0..at).any(|before| is_content(words, before));
    let next_is = |at: usize, list: &[&str]| words.get(at + 1).is_some_and(|next| list.contains(&next.text.as_str()));
    let file = says(words, "the file") || says(words, "the selection");
    file || words.iter().enumerate().any(|(at, word)| {
        if word.quoted {
            return false;
        }
        match word.text.as_str() {
            "this" | "these" => !next_is(at, SURROUNDINGS),
            "that" | "those" | "it" | "them" | "here" => !next_is(at, SURROUNDINGS) && !named_before(at),
            _ => false,
        }
    })
}
