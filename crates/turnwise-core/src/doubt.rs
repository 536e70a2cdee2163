//! Whether words order something or only weigh it: hedged, asked, denied, put off, taken back. What cannot be taken
//! back is never done on such words (CF-26), so they are looked for anywhere in a sentence, whatever tier read it.
//! Next: `decide::hedged`, which says what is done instead.

use crate::text;

/// How words stop short of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Doubt {
    /// "Don't", "not yet", "… no wait".
    Denies,
    /// "Maybe", "I think", "we could".
    Weighs,
    /// "Should I …?", "what if …", "… or not?"
    Asks,
    /// "Later", "when it is done", "if it fails".
    Later,
}

/// A sentence that does not order plainly: how, and what is left without the words that say so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Doubted {
    pub(crate) how: Doubt,
    /// In lower case, without signs.
    pub(crate) order: String,
}

/// How `sentence` stops short of an order; `None` when it does not.
pub(crate) fn doubted(sentence: &str) -> Option<Doubted> {
    let plain = sentence.to_lowercase().replace('’', "'").replace(['…', '—', '–'], ",").replace("...", ",");
    let mut parts: Vec<Vec<String>> =
        plain.replace(" - ", ",").split([',', ';', ':', '.', '!', '?']).map(text::words).collect();
    parts.retain(|part| !part.is_empty());
    let mut found = Found { how: None, polite: is_polite(parts.first()) };
    if plain.contains('"') || plain.contains('“') {
        found.note(Doubt::Weighs);
    }
    found.take_back(&mut parts);
    found.conditions(&mut parts);
    let mut order: Vec<String> = parts.concat();
    found.phrases(&mut order);
    if plain.trim_end().ends_with('?') && !found.polite && !order.iter().any(|word| COURTESY.contains(&word.as_str())) {
        found.note(Doubt::Asks);
    }
    let is_filler = |word: &String| FILLERS.contains(&word.as_str());
    let start = order.iter().take_while(|word| is_filler(word)).count();
    let end = order[start..].iter().rev().take_while(|word| ENDINGS.contains(&word.as_str())).count();
    let order = order[start..order.len() - end].join(" ");
    found.how.map(|how| Doubted { how, order })
}

/// What was found so far.
struct Found {
    how: Option<Doubt>,
    polite: bool,
}

impl Found {
    /// A plain no is the clearest of them; whatever stands beside it makes it less plain.
    fn note(&mut self, how: Doubt) {
        self.how = self.how.max(Some(how));
    }

    /// "Reset. No, wait": what follows an order and is nothing but a no takes it back.
    fn take_back(&mut self, parts: &mut Vec<Vec<String>>) {
        let said = |part: &Vec<String>| TAKING_BACK.contains(&part.join(" ").as_str());
        while parts.len() > 1 && parts.last().is_some_and(said) {
            parts.pop();
            self.note(Doubt::Denies);
        }
    }

    /// Clauses that begin with "if", "when" …; behind an order, up to the end of its part.
    fn conditions(&mut self, parts: &mut [Vec<String>]) {
        for at in 0..parts.len() {
            let Some(from) = (0..parts[at].len()).find(|from| is_condition(&parts[at][*from..])) else { continue };
            // "What if …" is a question, found as one.
            if from > 0 && parts[at][from] == "if" && HYPOTHETICAL.contains(&parts[at][from - 1].as_str()) {
                continue;
            }
            self.note(Doubt::Later);
            let is_all = from == 0 && parts.iter().enumerate().all(|(other, part)| other == at || part.is_empty());
            if is_all {
                parts[at].remove(0);
            } else {
                parts[at].truncate(from);
            }
        }
    }

    /// Takes every phrase of doubt out of `words`.
    fn phrases(&mut self, words: &mut Vec<String>) {
        let mut at = 0;
        while at < words.len() {
            let longest = PHRASES.iter().filter(|(phrase, _)| begins(&words[at..], phrase));
            let longest = longest.max_by_key(|(phrase, _)| phrase.len());
            match longest {
                // "Never mind" and "no longer" are orders of their own.
                Some((phrase, None)) => at += phrase.split(' ').count(),
                Some((phrase, Some(how))) => {
                    self.note(*how);
                    words.drain(at..at + phrase.split(' ').count());
                }
                None => at += 1,
            }
        }
    }
}

/// The words of an answer that is said plainly, in lower case and without courtesy; `None` for one that asks, trails
/// off, is quoted or stands in signs: what cannot be taken back hangs on it.
pub(crate) fn plainly(words: &str) -> Option<String> {
    let trails_off = words.contains('…') || words.contains("..");
    if trails_off || words.contains(['?', '？', '"', '“', '”', '`', '«', '[', ']', '<', '>', '{', '}', '|', '\\', '~'])
    {
        return None;
    }
    let mut said = text::words(words);
    said.retain(|word| !COURTESY.contains(&word.as_str()) && !matches!(word.as_str(), "now" | "then" | "just"));
    Some(said.join(" "))
}

/// Whether `said`, in lower case and without signs, is nothing but a no to what stood before it.
pub(crate) fn takes_back(said: &str) -> bool {
    TAKING_BACK.contains(&said)
}

/// "Once it is done", but neither "once more" nor "at once".
fn is_condition(words: &[String]) -> bool {
    let is_counting = words.get(1).is_none_or(|next| matches!(next.as_str(), "more" | "again" | "please" | "and"));
    words.first().is_some_and(|first| CONDITIONS.contains(&first.as_str())) && !is_counting
}

fn begins(words: &[String], phrase: &str) -> bool {
    let mut length = 0;
    phrase.split(' ').all(|part| {
        length += 1;
        words.get(length - 1).is_some_and(|word| word == part)
    })
}

/// "Can you stop?" orders, however it ends.
fn is_polite(first: Option<&Vec<String>>) -> bool {
    first.is_some_and(|words| {
        let words: Vec<String> = words.iter().skip_while(|word| COURTESY.contains(&word.as_str())).cloned().collect();
        POLITE.iter().any(|frame| begins(&words, frame))
    })
}

const POLITE: [&str; 5] = ["can you", "could you", "will you", "would you", "please"];

/// Words of courtesy; with one of them a question mark is courtesy, too.
const COURTESY: [&str; 7] = ["please", "pls", "ok", "okay", "thanks", "hey", "so"];

/// What stands before what was ordered, once the doubt is gone.
const FILLERS: [&str; 16] = [
    "i", "i'm", "i'd", "we", "you", "to", "then", "we'd", "that", "should", "could", "would", "so", "and", "but", "can",
];

/// What stands behind it.
const ENDINGS: [&str; 6] = ["do", "mean", "then", "yet", "and", "or"];

/// What begins a condition or a time to come.
const CONDITIONS: [&str; 10] =
    ["if", "when", "once", "unless", "until", "till", "before", "after", "whenever", "provided"];

/// Before "if": a question or a doubt, found as such.
const HYPOTHETICAL: [&str; 6] = ["what", "happens", "happen", "better", "sure", "know"];

/// What takes back the order before it.
const TAKING_BACK: [&str; 22] = [
    "no",
    "no wait",
    "wait no",
    "hmm no",
    "nope",
    "nah",
    "no no",
    "not",
    "not yet",
    "actually no",
    "actually don't",
    "don't",
    "do not",
    "no don't",
    "wait",
    "or not",
    "just kidding",
    "kidding",
    "joking",
    "never mind",
    "on second thought no",
    "actually not",
];

/// Phrases of doubt; without a kind, phrases that only look like one.
const PHRASES: [(&str, Option<Doubt>); 220] = [
    ("maybe", Some(Doubt::Weighs)),
    ("perhaps", Some(Doubt::Weighs)),
    ("possibly", Some(Doubt::Weighs)),
    ("probably", Some(Doubt::Weighs)),
    ("presumably", Some(Doubt::Weighs)),
    ("i think", Some(Doubt::Weighs)),
    ("i guess", Some(Doubt::Weighs)),
    ("i suppose", Some(Doubt::Weighs)),
    ("i believe", Some(Doubt::Weighs)),
    ("i might", Some(Doubt::Weighs)),
    ("we might", Some(Doubt::Weighs)),
    ("you might", Some(Doubt::Weighs)),
    ("might", Some(Doubt::Weighs)),
    ("i may", Some(Doubt::Weighs)),
    ("we may", Some(Doubt::Weighs)),
    ("we may want to", Some(Doubt::Weighs)),
    ("i may want to", Some(Doubt::Weighs)),
    ("i could", Some(Doubt::Weighs)),
    ("we could", Some(Doubt::Weighs)),
    ("one could", Some(Doubt::Weighs)),
    ("might want to", Some(Doubt::Weighs)),
    ("tempted to", Some(Doubt::Weighs)),
    ("i am tempted to", Some(Doubt::Weighs)),
    ("i'm tempted to", Some(Doubt::Weighs)),
    ("about to", Some(Doubt::Weighs)),
    ("i was about to", Some(Doubt::Weighs)),
    ("i am about to", Some(Doubt::Weighs)),
    ("i'm about to", Some(Doubt::Weighs)),
    ("thinking of", Some(Doubt::Weighs)),
    ("thinking about", Some(Doubt::Weighs)),
    ("thinking about whether to", Some(Doubt::Weighs)),
    ("i am thinking of", Some(Doubt::Weighs)),
    ("i'm thinking of", Some(Doubt::Weighs)),
    ("i was thinking of", Some(Doubt::Weighs)),
    ("considering", Some(Doubt::Weighs)),
    ("i am considering", Some(Doubt::Weighs)),
    ("i'm considering", Some(Doubt::Weighs)),
    ("wondering", Some(Doubt::Weighs)),
    ("wondering whether to", Some(Doubt::Weighs)),
    ("i wonder", Some(Doubt::Weighs)),
    ("not sure", Some(Doubt::Weighs)),
    ("i am not sure", Some(Doubt::Weighs)),
    ("i'm not sure", Some(Doubt::Weighs)),
    ("not certain", Some(Doubt::Weighs)),
    ("i'm not certain", Some(Doubt::Weighs)),
    ("i don't know", Some(Doubt::Weighs)),
    ("i do not know", Some(Doubt::Weighs)),
    ("don't know", Some(Doubt::Weighs)),
    ("no idea", Some(Doubt::Weighs)),
    ("whether to", Some(Doubt::Weighs)),
    ("whether", Some(Doubt::Weighs)),
    ("or something", Some(Doubt::Weighs)),
    ("or so", Some(Doubt::Weighs)),
    ("kidding", Some(Doubt::Weighs)),
    ("just kidding", Some(Doubt::Weighs)),
    ("said", Some(Doubt::Weighs)),
    ("says", Some(Doubt::Weighs)),
    ("yesterday", Some(Doubt::Weighs)),
    ("inclined to", Some(Doubt::Weighs)),
    ("leaning towards", Some(Doubt::Weighs)),
    ("it might be better to", Some(Doubt::Weighs)),
    ("it may be better to", Some(Doubt::Weighs)),
    ("kind of want to", Some(Doubt::Weighs)),
    ("sort of want to", Some(Doubt::Weighs)),
    ("not sure if", Some(Doubt::Weighs)),
    ("i'm not sure if", Some(Doubt::Weighs)),
    ("i don't know if", Some(Doubt::Weighs)),
    ("should i", Some(Doubt::Asks)),
    ("should we", Some(Doubt::Asks)),
    ("should you", Some(Doubt::Asks)),
    ("shall i", Some(Doubt::Asks)),
    ("shall we", Some(Doubt::Asks)),
    ("do i", Some(Doubt::Asks)),
    ("do we", Some(Doubt::Asks)),
    ("do i have to", Some(Doubt::Asks)),
    ("do we have to", Some(Doubt::Asks)),
    ("do i need to", Some(Doubt::Asks)),
    ("do we need to", Some(Doubt::Asks)),
    ("must i", Some(Doubt::Asks)),
    ("must we", Some(Doubt::Asks)),
    ("can i", Some(Doubt::Asks)),
    ("can we", Some(Doubt::Asks)),
    ("could i", Some(Doubt::Asks)),
    ("could we", Some(Doubt::Asks)),
    ("may i", Some(Doubt::Asks)),
    ("may we", Some(Doubt::Asks)),
    ("am i", Some(Doubt::Asks)),
    ("are we", Some(Doubt::Asks)),
    ("do you think", Some(Doubt::Asks)),
    ("do you think i should", Some(Doubt::Asks)),
    ("do you think we should", Some(Doubt::Asks)),
    ("would it", Some(Doubt::Asks)),
    ("would it help to", Some(Doubt::Asks)),
    ("would it be ok to", Some(Doubt::Asks)),
    ("would it be better to", Some(Doubt::Asks)),
    ("would i", Some(Doubt::Asks)),
    ("would we", Some(Doubt::Asks)),
    ("is it", Some(Doubt::Asks)),
    ("is it ok to", Some(Doubt::Asks)),
    ("is it possible to", Some(Doubt::Asks)),
    ("is it safe to", Some(Doubt::Asks)),
    ("is it better to", Some(Doubt::Asks)),
    ("is it time to", Some(Doubt::Asks)),
    ("was it", Some(Doubt::Asks)),
    ("how do i", Some(Doubt::Asks)),
    ("how do we", Some(Doubt::Asks)),
    ("how can i", Some(Doubt::Asks)),
    ("how can we", Some(Doubt::Asks)),
    ("how to", Some(Doubt::Asks)),
    ("how would i", Some(Doubt::Asks)),
    ("when should i", Some(Doubt::Asks)),
    ("when should we", Some(Doubt::Asks)),
    ("when do i", Some(Doubt::Asks)),
    ("when can i", Some(Doubt::Asks)),
    ("why should i", Some(Doubt::Asks)),
    ("why should we", Some(Doubt::Asks)),
    ("why would i", Some(Doubt::Asks)),
    ("why would we", Some(Doubt::Asks)),
    ("why would you", Some(Doubt::Asks)),
    ("what if", Some(Doubt::Asks)),
    ("what if i", Some(Doubt::Asks)),
    ("what if we", Some(Doubt::Asks)),
    ("what if you", Some(Doubt::Asks)),
    ("what happens if", Some(Doubt::Asks)),
    ("what happens when", Some(Doubt::Asks)),
    ("what would happen if", Some(Doubt::Asks)),
    ("what will happen if", Some(Doubt::Asks)),
    ("what happens if i", Some(Doubt::Asks)),
    ("what happens if we", Some(Doubt::Asks)),
    ("what happens if you", Some(Doubt::Asks)),
    ("what would happen if we", Some(Doubt::Asks)),
    ("what would happen if i", Some(Doubt::Asks)),
    ("what does", Some(Doubt::Asks)),
    ("what would", Some(Doubt::Asks)),
    ("what will", Some(Doubt::Asks)),
    ("what do you think", Some(Doubt::Asks)),
    ("who said", Some(Doubt::Asks)),
    ("or not", Some(Doubt::Asks)),
    ("or should i", Some(Doubt::Asks)),
    ("or should we", Some(Doubt::Asks)),
    ("or shall i", Some(Doubt::Asks)),
    ("or what", Some(Doubt::Asks)),
    ("right or wrong", Some(Doubt::Asks)),
    ("is there a way to", Some(Doubt::Asks)),
    ("later", Some(Doubt::Later)),
    ("tomorrow", Some(Doubt::Later)),
    ("tonight", Some(Doubt::Later)),
    ("next week", Some(Doubt::Later)),
    ("next time", Some(Doubt::Later)),
    ("in a minute", Some(Doubt::Later)),
    ("in a moment", Some(Doubt::Later)),
    ("in a bit", Some(Doubt::Later)),
    ("in a while", Some(Doubt::Later)),
    ("in an hour", Some(Doubt::Later)),
    ("in a second", Some(Doubt::Later)),
    ("some day", Some(Doubt::Later)),
    ("someday", Some(Doubt::Later)),
    ("at some point", Some(Doubt::Later)),
    ("eventually", Some(Doubt::Later)),
    ("sometime", Some(Doubt::Later)),
    ("another time", Some(Doubt::Later)),
    ("not before", Some(Doubt::Later)),
    ("as soon as", Some(Doubt::Later)),
    ("at the end", Some(Doubt::Later)),
    ("afterwards", Some(Doubt::Later)),
    ("later on", Some(Doubt::Later)),
    ("soon", Some(Doubt::Later)),
    ("don't", Some(Doubt::Denies)),
    ("do not", Some(Doubt::Denies)),
    ("dont", Some(Doubt::Denies)),
    ("never", Some(Doubt::Denies)),
    ("not yet", Some(Doubt::Denies)),
    ("not now", Some(Doubt::Denies)),
    ("not", Some(Doubt::Denies)),
    ("no need to", Some(Doubt::Denies)),
    ("there is no need to", Some(Doubt::Denies)),
    ("won't", Some(Doubt::Denies)),
    ("will not", Some(Doubt::Denies)),
    ("wouldn't", Some(Doubt::Denies)),
    ("would not", Some(Doubt::Denies)),
    ("i'd rather not", Some(Doubt::Denies)),
    ("i would rather not", Some(Doubt::Denies)),
    ("rather not", Some(Doubt::Denies)),
    ("shouldn't", Some(Doubt::Denies)),
    ("should not", Some(Doubt::Denies)),
    ("i don't want to", Some(Doubt::Denies)),
    ("we don't want to", Some(Doubt::Denies)),
    ("i do not want to", Some(Doubt::Denies)),
    ("let's not", Some(Doubt::Denies)),
    ("let us not", Some(Doubt::Denies)),
    ("hmm no", Some(Doubt::Denies)),
    ("no wait", Some(Doubt::Denies)),
    ("wait no", Some(Doubt::Denies)),
    ("wait don't", Some(Doubt::Denies)),
    ("actually don't", Some(Doubt::Denies)),
    ("actually no", Some(Doubt::Denies)),
    ("actually do not", Some(Doubt::Denies)),
    ("nobody said", Some(Doubt::Denies)),
    ("nobody said to", Some(Doubt::Denies)),
    ("i did not say", Some(Doubt::Denies)),
    ("i didn't say", Some(Doubt::Denies)),
    ("didn't say", Some(Doubt::Denies)),
    ("cannot", Some(Doubt::Denies)),
    ("can't", Some(Doubt::Denies)),
    ("must not", Some(Doubt::Denies)),
    ("mustn't", Some(Doubt::Denies)),
    ("without", Some(Doubt::Denies)),
    ("refuse to", Some(Doubt::Denies)),
    ("instead of", Some(Doubt::Denies)),
    ("rather than", Some(Doubt::Denies)),
    ("i said", None),
    ("never mind", None),
    ("nevermind", None),
    ("no longer", None),
    ("not any more", None),
    ("not needed", None),
    ("not needed any more", None),
    ("not necessary", None),
    ("not required", None),
    ("no more", None),
];
