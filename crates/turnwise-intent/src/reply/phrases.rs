//! The words of the reply grammar, as patterns. Adding one here widens what counts as an answer; the tests under
//! `tests/data/replies.jsonl` say what must never count as a yes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::Assent;
use crate::pattern::Pattern;
use crate::words::Word;

/// The compiled grammar.
pub(super) struct Phrases {
    yes: Vec<Pattern>,
    courtesy: Vec<Pattern>,
    notes: Vec<Pattern>,
    no: Vec<Pattern>,
    cancel: Vec<Pattern>,
    hold: Vec<Pattern>,
    refusals: Vec<Pattern>,
    connectors: Vec<Pattern>,
    interjections: Vec<Pattern>,
    explain: Vec<Pattern>,
    suggestions: Vec<Pattern>,
}

/// What a sentence opens with.
pub(super) struct Opening {
    pub words: usize,
    pub assent: Assent,
}

static PHRASES: LazyLock<Phrases> = LazyLock::new(Phrases::compile);

/// What the plan may be called.
const LISTS: &[(&str, &[&str])] = &[
    (
        "it",
        &[
            "it",
            "this",
            "that",
            "them",
            "these",
            "(the|this|that|your|my)? (plan|proposal|draft|query|analysis|steps|approach)",
            "all of (it|them|that)",
        ],
    ),
    (
        "fine",
        &[
            "good",
            "great",
            "fine",
            "ok",
            "right",
            "correct",
            "perfect",
            "excellent",
            "awesome",
            "amazing",
            "nice",
            "reasonable",
            "sensible",
            "solid",
            "all right",
            "wonderful",
            "fantastic",
            "spot on",
            "on point",
            "lovely",
            "acceptable",
            "brilliant",
            "cool",
            "splendid",
        ],
    ),
    (
        "very",
        &["very", "really", "pretty", "quite", "all", "just", "perfectly", "totally", "absolutely", "so", "super"],
    ),
    (
        "while",
        &[
            "a (minute|min|moment|second|sec|bit|while|mo|tick)",
            "(one|#|two|five|a few|a couple of|some|more)? (minute|minutes|min|mins|moment|moments|second|seconds|sec|secs|time|bit|hours|hour|days|day)",
        ],
    ),
];

/// Words that are a yes by themselves.
const YES: &[&str] = &[
    "yes",
    "y",
    "yep",
    "yup",
    "yeah",
    "yea",
    "yess",
    "yas",
    "ye",
    "aye",
    "sure",
    "sure thing",
    "ok",
    "okie",
    "(ok|okie) dokey",
    "absolutely",
    "definitely",
    "certainly",
    "of course",
    "affirmative",
    "agreed",
    "confirmed",
    "confirm",
    "accepted",
    "accept {it}?",
    "approve {it}?",
    "approved",
    "aprove {it}?",
    "aproved",
    "(i|we) (approve|accept|agree|confirm)",
    "(i|we) (approve|accept|confirm) {it}",
    "(i|we) agree (with|to) {it}",
    "go",
    "go ahead",
    "goahead",
    "go for it",
    "go on",
    "go go",
    "do it",
    "do that",
    "do so",
    "proceed",
    "please do",
    "(run|execute|start|launch|begin) {it}?",
    "carry on",
    "carry it out",
    "continue",
    "ship it",
    "make it so",
    "make it happen",
    "get (going|started|to it)",
    "let us (go|do it|do this|do that|proceed|start|run it|roll|begin|get started|go ahead|go for it|go with {it})",
    "lgtm",
    "sgtm",
    "wfm",
    "(it|that|this|{it})? looks {very}? {fine} (to me|from here|enough)?",
    "look {fine}",
    "(it|that|this|{it})? sounds {very}? {fine} (to me)?",
    "sounds like a plan",
    "(it|that|this|{it}) (is|would be|will be|seems) {very}? {fine} (with me|by me|for me|to me)?",
    "(that|it|this|{it}|which)? works (for me|for us)?",
    "(that|this|it|{it}) will (do|work)",
    "(fine|ok|good|great|cool|all right) (by|with|for) (me|us)",
    "fine",
    "good",
    "great",
    "perfect",
    "excellent",
    "wonderful",
    "all good",
    "all right",
    "good to go",
    "good idea",
    "good plan",
    "great plan",
    "nice plan",
    "great idea",
    "(i|we) am {very}? (happy|fine|ok|good|satisfied|pleased|comfortable) with {it}",
    "(i|we) are {very}? (happy|fine|ok|good|satisfied) with {it}",
    "happy with {it}",
    "(i|we) am (in|on board|good)",
    "no objections",
    "no objection",
    "no (changes|change) (needed|necessary|required|please)?",
    "nothing to (change|add)",
    "no (complaints|concerns|problem|problems|issues)",
    "you (can|may|could|have my permission to) (go ahead|proceed|start|begin|run {it}|do {it}|continue|execute {it}|go on|go)",
    "you have my (approval|permission|ok|blessing|go ahead)",
    "(i|we) give (you)? (my|the) (approval|permission|ok|go ahead|green light)",
    "green light",
    "greenlight",
    "thumbs up",
    "roger",
    "roger that",
    "10-4",
    "exactly",
    "precisely",
    "correct",
    "right",
    "indeed",
    "(that|this|it|which) is (exactly)? what (i|we) (want|wanted|need|needed|meant|asked for)",
    "looking good",
    "hell yes",
    "heck yes",
    "for sure",
    "you bet",
    "by all means",
    "with pleasure",
    "full steam ahead",
    "fire away",
    "hit it",
    "send it",
    "let it (run|rip)",
    "permission granted",
    "granted",
    "it is a (go|yes)",
    "that is a (go|yes)",
    "it gets my (approval|vote|ok)",
    "(i|we) (like|love) it",
    "\u{1f44d}",
    "\u{2705}",
    "\u{2714}",
    "\u{2713}",
    "\u{1f44c}",
    "\u{1f680}",
    "\u{1f197}",
];

/// Words that may surround a yes without being one.
const COURTESY: &[&str] = &[
    "please",
    "thanks",
    "thank you",
    "(thanks|thank you) (so much|very much|a lot|a bunch|again|in advance|a ton|for {it})",
    "many thanks",
    "cheers",
    "ta",
    "then",
    "now",
    "right now",
    "right away",
    "asap",
    "immediately",
    "straight away",
    "today",
    "as (it is|is|planned|proposed|shown|described|written|they are)",
    "with {it}",
    "to me",
    "for me",
    "by me",
    "ahead",
    "nice",
    "cool",
    "awesome",
    "amazing",
    "brilliant",
    "neat",
    "sweet",
    "lovely",
    "very",
    "well",
    "so",
    "oh",
    "ah",
    "hey",
    "hi",
    "hello",
    "team",
    "mate",
    "buddy",
    "dude",
    "man",
    "friend",
    "folks",
    "everyone",
    "boss",
    "chief",
    "my friend",
    "and",
    "just",
    "this time",
    "already",
    "anyway",
    "lol",
    "haha",
    "wow",
    "super",
    "great (work|job|stuff)",
    "good (work|job|stuff)",
    "nice (work|job|one|stuff)",
    "well done",
    "that is it",
    "that is all",
    "with that",
    "on that",
    "here",
    "on it",
    "do",
];

/// Remarks that leave the plan as it is.
const NOTES: &[&str] = &[
    "(please)? (be|make it|do it) (quick|fast|careful|brief|gentle|thorough) (please|about it|with it|with {it})?",
    "(please)? hurry (up)? (please)?",
    "(please)? (as)? (quickly|fast|soon) (as possible|as you can)? (please)?",
    "(i am|we are) (in a (hurry|rush)|waiting|short on time|curious|excited|running late) ...",
    "(i am|we are) (in a (hurry|rush)|waiting|short on time|curious|excited|running late)",
    "take your time (please|with it)?",
    "(there is)? no (rush|hurry) (please|at all)?",
    "(please)? (let me know|tell me|ping me|notify me|message me|shout|call me) (when|once|as soon as) (it|you|this|that|everything) (is|are|has|have)? (done|finished|ready|complete|completed|over|finish|through)",
    "(please)? keep me (posted|updated|in the loop|informed)",
    "(i|we) (trust|love|like) (you|it|that|this|the plan|your plan)",
    "(i|we) (really|quite)? (appreciate|like|love) (it|that|this|the plan|your help|the effort|the work)",
    "(this|it|that) is (urgent|important|exciting|great work|really helpful|very helpful|helpful)",
    "good luck (with it)?",
    "(i|we) can not wait (to see (it|the results|the result|what comes out))?",
    "looking forward to (it|the results|the result|seeing it)",
    "(my|the) boss is waiting",
    "(i|we) need (it|this|that) (soon|today|quickly|fast|for a meeting|for the meeting|by tonight|tonight)",
    "fingers crossed",
    "do not worry (about it)?",
    "no worries",
    "sorry for the (wait|delay)",
    "(this|that|it) (took|is taking) long enough",
    "do your (thing|best|magic)",
    "surprise me",
    "nothing else",
    "that is (all|everything) (for now)?",
    "i will (wait|be here|be waiting|grab a coffee|get a coffee|get coffee|watch)",
];

const NO: &[&str] = &[
    "no",
    "n",
    "nope",
    "nah",
    "no no",
    "no no no",
    "no (thanks|thank you|way|please|sir|go|dice|chance|good)",
    "negative",
    "(i|we)? (reject|decline|refuse|disapprove|disagree)",
    "(i|we)? (reject|decline|refuse) {it}",
    "rejected",
    "declined",
    "refused",
    "denied",
    "(absolutely|definitely|certainly|of course|please|rather|better|probably|surely) not",
    "not (ok|good|right|approved|great|fine|acceptable|correct|this|that|like this|like that|what i (want|wanted|meant|need|asked for)|good enough|at all|really|happy|convinced|a good (plan|idea))",
    "(please)? do not (approve|do|run|execute|start|proceed|go|begin|continue|go ahead|do it|launch) {it}? (yet|please)?",
    "(i|we) (do not|did not|will not|would not|can not) (approve|accept|agree|like|want|agree with|agree to) {it}? (yet)?",
    "(i|we) do not (think so|agree)",
    "do not",
    "let us not (do {it})?",
    "(that|it|this|{it}) is (not (right|ok|good|correct|what i (want|wanted|meant|need|asked for))|wrong|bad|terrible|incorrect|nonsense|no good)",
    "wrong",
    "bad (plan|idea)",
    "(looks|sounds) (wrong|bad|terrible|off)",
    "(it|that|this|{it}) (looks|sounds|seems) (wrong|bad|terrible|off)",
    "{it}? does not (look|sound|seem) (right|good|ok|correct)",
    "(i am|we are) not (happy|ok|convinced|satisfied) (with {it})?",
    "(i)? would rather not",
    "thumbs down",
    "hard (no|pass)",
    "pass",
    "hell no",
    "never",
    "no deal",
    "not a chance",
    "nay",
    "\u{1f44e}",
    "\u{274c}",
    "\u{2716}",
];

const CANCEL: &[&str] = &[
    "(cancel|stop|abort|halt|terminate) ({it}|everything|all|the whole thing|now|right now|there|here)? (please|now)?",
    "never mind (that|it|this|then|about it|about that)?",
    "forget ({it}|about {it}|the whole thing|everything)",
    "(scrap|drop|kill|abandon|discard|dump|ditch|bin|trash|scratch|withdraw|delete) ({it}|the whole thing|everything)",
    "call it off",
    "call (it|this|that|the whole thing) off",
    "(i|we) (have)? changed (my|our) mind",
    "(i|we) (do not|no longer) (need|want) (it|this|that|the plan)? (anymore|any more|any longer|now)",
    "(i|we) (no longer|do not) need {it}",
    "not needed (anymore|any more)?",
    "no longer (needed|necessary)",
    "give (it|this) up",
    "let it go",
    "\u{1f6d1}",
];

const HOLD: &[&str] = &[
    "(hold|hang) on {while}? (please|there)?",
    "hold (it|that|off|up|your horses|please)? {while}?",
    "(please)? wait (up|please|for me|there|for it)?",
    "(please)? wait (for)? {while} (please)?",
    "(please)? wait (until|till|for) ...",
    "(please)? (can|could) you (hold|hang) on ...",
    "(please)? (just)? give me {while} (please|to (think|read|check|look) ...)?",
    "(please)? (just)? give me {while}",
    "(just)? (a|one) (minute|min|moment|second|sec|mo) (please)?",
    "(just)? # (minute|minutes|min|mins|second|seconds|sec|secs|moment) (please)?",
    "not (yet|now|right now|just yet|quite|quite yet|today|so fast|at the moment)",
    "(maybe)? (later|tomorrow|another time|next week|after lunch|not now|in a bit|in a while|in a minute|soon) (please|maybe)?",
    "(please)? let me (think|check|see|read|look|ask|review|consider|sleep|double check|verify|get back|talk|discuss|confirm) ...",
    "(i|we) (will|am going to|would|have to|need to|want to|must|should|might) (have to|need to|want to|like to|first)? (think|check|see|read|look|ask|review|consider|sleep|get back|decide|discuss|confirm|talk|double check|let you know|come back|tell you) ...",
    "(i|we) need {while} ...",
    "(i|we) need {while}",
    "(i am|we are) (still)? (thinking|reading|checking|looking|reviewing|not sure|undecided|considering|deciding|busy) ...",
    "(i am|we are) (still)? (thinking|reading|checking|looking|reviewing|not sure|undecided|considering|deciding|busy|not ready|not sure yet|not ready yet)",
    "brb",
    "afk",
    "back in ...",
    "be right back",
    "pause (it|here|please)?",
    "one thing first",
    "hmm",
    "hm",
    "hmmm",
    "still (thinking|reading|checking|reviewing|looking) ...",
    "still (thinking|reading|checking|reviewing|looking)",
    "(put|keep) (it|this|that|the plan) on hold",
    "on hold",
    "leave it (open|for now|there|for later)",
    "keep it open",
    "(i do not|not) know (yet)",
    "not sure (yet)?",
    "ask me (later|again later|tomorrow|again tomorrow|in {while})",
    "(maybe|perhaps|possibly|dunno|undecided)",
    "easy there",
    "slow down",
    "\u{270b}",
];

/// Openings of a no that may go on.
const REFUSALS: &[&str] = &[
    "no",
    "nope",
    "nah",
    "n",
    "no no",
    "(absolutely|definitely) not",
    "not (good|right|ok|quite|really|yet|exactly)",
    "wrong",
    "almost",
    "nearly",
    "close",
    "not (quite|exactly) right",
];

/// Words between a yes or no and what is said then.
const CONNECTORS: &[&str] = &[
    "and",
    "but",
    "so",
    "however",
    "although",
    "though",
    "also",
    "and also",
    "but also",
    "and please",
    "but please",
    "please",
    "only that",
    "just that",
    "then",
];

/// Words before a change that are not part of it.
const INTERJECTIONS: &[&str] = &[
    "wait",
    "hold on",
    "hang on",
    "actually",
    "hmm",
    "hm",
    "oh",
    "um",
    "uh",
    "sorry",
    "well",
    "so",
    "on second thought",
    "one change",
    "one thing",
    "one more thing",
    "small change",
    "maybe",
    "perhaps",
    "i think",
    "and",
    "but",
    "please",
];

const EXPLAIN: &[&str] = &[
    "(please)? (explain|describe|clarify|elaborate|justify) ...",
    "(please)? (tell|walk|talk|remind|show) me (more|why|how|what|which|where|who|about|through|the (details|query|queries|sql|steps|plan|reasoning|source|sources|tables|data)) ...",
    "(please)? (tell me|show me) more",
    "(i|we) (wonder|am wondering|was wondering|do not understand|do not get) ...",
    "(i|we) (do not understand|do not get it)",
    "more (details|detail|info|information) ...",
    "more (details|detail|info|information)",
];

const SUGGESTIONS: &[&str] =
    &["(what|how) about ...", "(what|how) if (we|you|i) ...", "why not (use|add|include|do|make|split|group|just) ..."];

/// Verbs that ask for another plan when a reply begins with them.
const CHANGE_VERBS: &[&str] = &[
    "include",
    "exclude",
    "add",
    "remove",
    "change",
    "use",
    "skip",
    "drop",
    "omit",
    "limit",
    "replace",
    "swap",
    "split",
    "group",
    "sort",
    "filter",
    "order",
    "rename",
    "modify",
    "adjust",
    "tweak",
    "edit",
    "update",
    "revise",
    "restrict",
    "narrow",
    "focus",
    "expand",
    "extend",
    "merge",
    "ignore",
    "make",
    "break",
    "leave",
    "put",
    "combine",
    "separate",
    "reduce",
    "increase",
    "set",
    "take",
    "rework",
    "redo",
    "switch",
    "convert",
    "show",
    "compare",
    "keep",
    "do",
    "start",
    "round",
    "aggregate",
    "rank",
    "move",
    "reorder",
    "simplify",
    "shorten",
    "run",
    "join",
    "try",
    "give",
    "list",
    "cut",
    "go",
];

/// Words that make a change of any sentence they stand in.
const CHANGE_MARKS: &[&str] = &[
    "only",
    "instead",
    "also",
    "except",
    "excluding",
    "including",
    "without",
    "rather",
    "plus",
    "minus",
    "additionally",
    "too",
    "as well",
    "first",
];

/// Words after a yes that turn it into a yes to something else.
const CHANGE_AFTER_YES: &[&str] = &[
    "but",
    "except",
    "excluding",
    "including",
    "only",
    "just",
    "without",
    "instead",
    "also",
    "plus",
    "minus",
    "however",
    "with",
    "by",
    "per",
    "for",
    "not",
    "rather",
    "although",
    "though",
    "too",
    "in",
    "first",
    "using",
    "limited",
    "starting",
    "grouped",
    "sorted",
    "from",
    "since",
];

const CONDITIONS: &[&str] = &[
    "if",
    "when",
    "once",
    "unless",
    "after",
    "until",
    "till",
    "before",
    "as soon as",
    "provided",
    "assuming",
    "depending",
    "subject to",
    "as long as",
    "pending",
    "in case",
    "whenever",
    "tomorrow",
    "later",
    "next",
];

const NEEDS: &[&str] = &["should", "needs", "need", "must", "want", "prefer", "like", "wants"];

impl Phrases {
    pub(super) fn get() -> &'static Self {
        &PHRASES
    }

    fn compile() -> Self {
        let lists: BTreeMap<String, Vec<String>> = LISTS
            .iter()
            .map(|(name, phrases)| ((*name).to_owned(), phrases.iter().map(|phrase| (*phrase).to_owned()).collect()))
            .collect();
        let all = |patterns: &[&str]| -> Vec<Pattern> {
            #[expect(clippy::expect_used, reason = "the patterns are constants, and every reply test compiles them")]
            patterns
                .iter()
                .map(|pattern| Pattern::compile(pattern, &lists).expect("BUG: a reply pattern is malformed"))
                .collect()
        };
        Self {
            yes: all(YES),
            courtesy: all(COURTESY),
            notes: all(NOTES),
            no: all(NO),
            cancel: all(CANCEL),
            hold: all(HOLD),
            refusals: all(REFUSALS),
            connectors: all(CONNECTORS),
            interjections: all(INTERJECTIONS),
            explain: all(EXPLAIN),
            suggestions: all(SUGGESTIONS),
        }
    }

    /// The words of assent and courtesy a sentence opens with, taken greedily, longest first.
    pub(super) fn opening(&self, words: &[Word]) -> Opening {
        let mut opening = Opening { words: 0, assent: Assent::Courtesy };
        loop {
            let rest = &words[opening.words..];
            let (yes, courtesy) = (longest(&self.yes, rest), longest(&self.courtesy, rest));
            if yes.max(courtesy) == 0 {
                return opening;
            }
            if yes >= courtesy {
                opening.assent = Assent::Yes;
            }
            opening.words += yes.max(courtesy);
        }
    }

    pub(super) fn is_note(&self, words: &[Word]) -> bool {
        // A note may itself be courteous: "and please be quick, thanks".
        let start = courtesy_before(&self.courtesy, words);
        let note = longest(&self.notes, &words[start..]);
        note > 0 && self.only_courtesy(&words[start + note..])
    }

    pub(super) fn is_no(&self, words: &[Word]) -> bool {
        self.consists_of(&self.no, words)
    }

    pub(super) fn is_cancel(&self, words: &[Word]) -> bool {
        self.consists_of(&self.cancel, words)
    }

    pub(super) fn is_hold(&self, words: &[Word]) -> bool {
        self.consists_of(&self.hold, words)
    }

    pub(super) fn asks_to_explain(&self, words: &[Word]) -> bool {
        self.explain.iter().any(|pattern| pattern.matches(words).is_some())
    }

    /// "How about only Q4?" proposes, whatever its mark.
    pub(super) fn suggests(&self, words: &[Word]) -> bool {
        self.suggestions.iter().any(|pattern| pattern.matches(words).is_some())
    }

    pub(super) fn refusal(&self, words: &[Word]) -> usize {
        longest(&self.refusals, words)
    }

    pub(super) fn connector(&self, words: &[Word]) -> usize {
        longest(&self.connectors, words)
    }

    pub(super) fn is_condition(&self, rest: &[Word]) -> bool {
        let after = &rest[self.connector(rest)..];
        [rest, after].iter().any(|words| CONDITIONS.iter().any(|phrase| opens_with(words, phrase)))
    }

    pub(super) fn gives_reason(&self, words: &[Word]) -> bool {
        ["because", "since", "as", "i", "that", "it", "this", "the", "there", "you", "we"]
            .iter()
            .any(|first| opens_with(words, first))
    }

    pub(super) fn without_interjections<'a>(&self, words: &'a [Word]) -> &'a [Word] {
        let mut rest = words;
        loop {
            let skipped = longest(&self.interjections, rest);
            if skipped == 0 || skipped >= rest.len() {
                return rest;
            }
            rest = &rest[skipped..];
        }
    }

    /// Whether `words`, which follow no yes, ask for another plan.
    pub(super) fn changes(&self, words: &[Word], polite_request: bool) -> bool {
        let Some(first) = words.first() else { return false };
        let has = |list: &[&str]| words.iter().any(|word| !word.quoted && list.contains(&word.text.as_str()));
        let opens_with_verb = CHANGE_VERBS.contains(&first.text.as_str()) && words.len() > 1;
        let asked_politely = polite_request && has(CHANGE_VERBS);
        let wished = has(NEEDS) && has(CHANGE_VERBS);
        opens_with_verb || asked_politely || wished || has(CHANGE_MARKS)
    }

    /// Whether `rest`, which follows a yes, asks for something else than what was asked about.
    pub(super) fn changes_a_yes(&self, rest: &[Word]) -> bool {
        let first_changes = rest.first().is_some_and(|word| CHANGE_AFTER_YES.contains(&word.text.as_str()));
        first_changes || self.changes(&rest[self.connector(rest)..], false)
    }

    /// Whether `words` are phrases of `patterns` and courtesy from first to last, with at least one of the former.
    fn consists_of(&self, patterns: &[Pattern], words: &[Word]) -> bool {
        let mut at = 0;
        let mut found = false;
        while at < words.len() {
            let rest = &words[at..];
            let (own, courtesy) = (longest(patterns, rest), longest(&self.courtesy, rest));
            let taken = own.max(courtesy);
            if taken == 0 {
                return false;
            }
            found |= own >= courtesy;
            at += taken;
        }
        found
    }

    fn only_courtesy(&self, words: &[Word]) -> bool {
        words.is_empty() || courtesy_before(&self.courtesy, words) == words.len()
    }
}

fn courtesy_before(courtesy: &[Pattern], words: &[Word]) -> usize {
    let mut at = 0;
    loop {
        let taken = longest(courtesy, &words[at..]);
        if taken == 0 {
            return at;
        }
        at += taken;
    }
}

fn longest(patterns: &[Pattern], words: &[Word]) -> usize {
    patterns.iter().filter_map(|pattern| pattern.longest_prefix(words)).max().unwrap_or(0)
}

fn opens_with(words: &[Word], phrase: &str) -> bool {
    let mut at = 0;
    phrase.split(' ').all(|part| {
        let fits = words.get(at).is_some_and(|word| !word.quoted && word.text == part);
        at += 1;
        fits
    })
}
