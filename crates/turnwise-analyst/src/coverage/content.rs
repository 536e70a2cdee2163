//! The words of a message that say something: all but those of grammar. Words for how it is asked ("I would like to
//! know", "…, thanks") stand before or behind everything that names data, and say nothing of it. Next: `attribution`.

use super::super::asked::{is_grammar, is_telling};
use super::super::catalogue::Catalogue;
use super::super::form::{Found, Mention, TableId};
use super::super::lexicon::{Order, Role, Signal, lexicon};
use super::super::read::{self, Spotted};
use super::super::words;

/// Letters up to which a word that says nothing elsewhere is a pronoun or an article.
const PRONOUN_MAX: usize = 2;

/// A word of a message.
pub struct Token {
    /// Where it stands, in bytes.
    from: usize,
    to: usize,
    /// In small letters, without accents and apostrophes.
    pub folded: String,
    /// In the singular.
    pub stem: String,
    /// What it does by itself.
    signal: Option<Signal>,
    /// The phrase it is part of.
    pub span: Option<Spotted>,
    /// The words of that phrase.
    pub phrase: usize,
    /// Whether it says something.
    pub content: bool,
    /// Whether it is a small word that tells one row from another: "ever", "still", "all" behind a verb.
    pub telling: bool,
    /// Whether a comma or an end follows.
    pub pause: bool,
    /// Whether it is a verb.
    pub verb: bool,
    /// Whether a verb stands right before it, or right behind it.
    pub after_verb: bool,
    pub before_verb: bool,
    /// Whether the next word that says something is a name.
    pub before_name: bool,
}

impl Token {
    /// As typed.
    pub fn raw<'a>(&self, text: &'a str) -> &'a str {
        &text[self.from..self.to]
    }

    /// What it does: by its phrase, else by itself.
    pub fn role(&self) -> Option<Role> {
        let of = |signal: Option<Signal>| match signal {
            Some(Signal::Role(role)) => Some(role),
            Some(Signal::Superlative(..) | Signal::Comparative(..)) | None => None,
        };
        let phrase = self.span.as_ref().and_then(|span| of(span.signal));
        // "Not" stays a negation whatever phrase it was found in.
        match of(self.signal) {
            Some(own @ (Role::Not | Role::Without)) => Some(own),
            own => phrase.or(own),
        }
    }

    /// What it does by itself, whatever phrase it is part of.
    pub fn own_role(&self) -> Option<Role> {
        match self.signal {
            Some(Signal::Role(role)) => Some(role),
            Some(Signal::Superlative(..) | Signal::Comparative(..)) | None => None,
        }
    }

    /// What it is by itself.
    pub fn own_signal(&self) -> Option<Signal> {
        self.signal
    }

    /// Whether it names something or is a value of it, rather than doing something.
    pub fn names(&self) -> bool {
        !self.verb && self.span.as_ref().is_some_and(|span| span.is_name() || !span.values.is_empty())
    }

    /// What it means by itself, apart from names.
    pub fn signal(&self) -> Option<Signal> {
        self.signal
    }

    /// The end of an order that it asks for by a property: "longest".
    pub fn superlative(&self) -> Option<Order> {
        let of = |signal: Option<Signal>| match signal {
            Some(Signal::Superlative(order, _)) => Some(order),
            Some(Signal::Role(_) | Signal::Comparative(..)) | None => None,
        };
        of(self.span.as_ref().and_then(|span| span.signal)).or_else(|| of(self.signal))
    }

    /// The tables in which it is a value.
    pub fn value_tables(&self) -> Vec<TableId> {
        let values = self.span.iter().flat_map(|span| &span.values);
        values.filter_map(Found::table).collect()
    }

    /// Whether it is an amount, in digits or in words.
    pub fn is_amount(&self) -> bool {
        self.is_number() || self.span.as_ref().is_some_and(|span| span.number.is_some())
    }

    /// Whether it says no more than that something holds at present.
    pub fn says_now(&self) -> bool {
        matches!(self.folded.as_str(), "now" | "currently")
    }

    /// Whether it is a number or a date.
    pub fn is_number(&self) -> bool {
        self.folded.starts_with(|c: char| c.is_ascii_digit())
    }

    /// The table it names.
    pub fn table(&self) -> Option<TableId> {
        let names = self.span.as_ref()?.names.clone();
        (!names.is_empty()).then(|| Mention { words: String::new(), candidates: names }.table())?
    }

    /// Whether nothing is known of it but that it may stand there.
    pub fn is_tolerated(&self) -> bool {
        matches!(self.role(), Some(Role::Ignore)) && !self.span.as_ref().is_some_and(Spotted::is_name)
    }
}

/// Words from both ends of a message that only say how it is asked are no content.
pub fn tokens(catalogue: &Catalogue, text: &str) -> Vec<Token> {
    let spans = read::spot(catalogue, text).spans;
    let mut tokens: Vec<Token> = pieces(text).into_iter().map(|(from, to)| token(text, from, to, &spans)).collect();
    mark_verbs(&mut tokens);
    let names = |token: &Token| {
        let says = token.content && (token.telling || !token.is_tolerated());
        says || matches!(token.role(), Some(Role::Wh | Role::Who))
    };
    // “Now by month” only goes on; it holds nothing against the present.
    if let Some(first) = tokens.first_mut().filter(|first| first.says_now()) {
        first.content = false;
    }
    if let Some(first) = tokens.iter().position(names) {
        tokens[..first].iter_mut().for_each(|token| token.content = false);
    }
    let last = tokens.iter().rposition(names).unwrap_or(0);
    if let Some(pause) = tokens[last..].iter().position(|token| token.pause) {
        tokens[last + pause + 1..].iter_mut().for_each(|token| token.content = false);
    }
    tokens
}

/// Which words stand beside a verb; there "all" is no article.
fn mark_verbs(tokens: &mut [Token]) {
    let is_verb = |token: &Token| {
        matches!(token.role(), Some(Role::Sold | Role::Bought | Role::Spent | Role::Link))
            || token.span.as_ref().is_some_and(|span| span.verb)
            || (token.span.is_none() && lexicon().is_linking(&token.folded))
    };
    tokens.iter_mut().for_each(|token| token.verb = is_verb(token));
    for at in 0..tokens.len() {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before)).filter(|before| !before.pause);
        let after_verb = before.is_some_and(|before| before.verb);
        let before_verb = tokens.get(at + 1).is_some_and(|next| next.verb) && !tokens[at].pause;
        let next = tokens[at + 1..].iter().find(|next| next.content);
        let before_name = next.is_some_and(|next| next.role().is_none() && !next.verb) && !tokens[at].pause;
        let all = after_verb && tokens[at].folded == "all";
        let token = &mut tokens[at];
        (token.after_verb, token.before_verb) = (after_verb, before_verb);
        token.before_name = before_name;
        token.telling |= all;
        token.content |= all;
    }
}

fn token(text: &str, from: usize, to: usize, spans: &[Spotted]) -> Token {
    let folded: String = words::fold(&text[from..to]).chars().filter(|c| !matches!(c, '\'' | '’')).collect();
    let stem = words::singular(&folded);
    let signal = lexicon().signal(&folded);
    let holds = |span: &&Spotted| words::split(&span.text).iter().any(|word| word.folded == folded);
    let span = spans.iter().find(holds).cloned();
    let phrase = span.as_ref().map_or(0, |span| words::split(&span.text).len());
    let pause = text[to..].trim_start_matches(['"', '”', '\'', ')']).starts_with([',', ';', ':', '.', '?', '!']);
    let telling = is_telling(&folded);
    let mut token = Token {
        from,
        to,
        folded,
        stem,
        signal,
        span,
        phrase,
        content: false,
        telling,
        pause,
        verb: false,
        after_verb: false,
        before_verb: false,
        before_name: false,
    };
    token.content = is_content(&token);
    token
}

fn is_content(token: &Token) -> bool {
    if token.is_number() || token.telling {
        return true;
    }
    // "Tell me" as a whole asks for an answer.
    if token.phrase > 1 && token.role() == Some(Role::Command) {
        return false;
    }
    match token.signal {
        Some(Signal::Superlative(..) | Signal::Comparative(..)) => true,
        Some(Signal::Role(role)) => match role {
            Role::Command
            | Role::Wh
            | Role::Who
            | Role::When
            | Role::Of
            | Role::In
            | Role::With
            | Role::And
            | Role::Or
            | Role::Group
            | Role::HowMuch => false,
            // Pronouns have no more letters than that: "us", "me", "we".
            Role::Ignore if token.folded.len() <= PRONOUN_MAX => false,
            Role::Ignore | Role::Link => !is_grammar(&token.folded),
            _ => true,
        },
        None => !is_grammar(&token.folded),
    }
}

/// Where the words of a text begin and end: runs of letters and digits, with what may stand inside of one.
fn pieces(text: &str) -> Vec<(usize, usize)> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if !chars[at].1.is_alphanumeric() {
            at += 1;
            continue;
        }
        let begin = at;
        let digits = chars[at].1.is_ascii_digit();
        let next_is = |at: usize, wanted: fn(char) -> bool| chars.get(at + 1).is_some_and(|(_, next)| wanted(*next));
        let inside = |at: usize| match chars[at].1 {
            '\'' | '’' => next_is(at, char::is_alphabetic) && !possessive(&chars, at),
            '.' | ',' | ':' | '/' | '-' => digits && next_is(at, |next| next.is_ascii_digit()),
            other => other.is_alphanumeric(),
        };
        while at < chars.len() && inside(at) {
            at += 1;
        }
        let end = chars.get(at).map_or(text.len(), |(byte, _)| *byte);
        pieces.push((chars[begin].0, end));
        if at < chars.len() && matches!(chars[at].1, '\'' | '’') && possessive(&chars, at) {
            at += 2;
        }
    }
    pieces
}

fn possessive(chars: &[(usize, char)], at: usize) -> bool {
    matches!(chars.get(at + 1), Some((_, 's' | 'S')))
        && !chars.get(at + 2).is_some_and(|(_, next)| next.is_alphanumeric())
}

/// The text without a word.
pub fn without(text: &str, token: &Token) -> String {
    let (before, after) = (text[..token.from].trim_end(), text[token.to..].trim_start());
    let space = if before.is_empty() || after.starts_with([',', ';', ':', '.', '?', '!']) { "" } else { " " };
    format!("{before}{space}{after}")
}

/// The text without the whole of a phrase that says nothing of data: half of “right now” is another word.
pub fn without_phrase(text: &str, tokens: &[Token], token: &Token) -> Option<String> {
    let own = |other: &&Token| other.span.is_some() && other.span == token.span;
    let is_phrase = token.phrase > 1 && token.is_tolerated();
    let (first, last) = (tokens.iter().find(own)?, tokens.iter().rfind(own)?);
    is_phrase
        .then(|| format!("{} {}", text[..first.from].trim_end(), text[last.to..].trim_start()).trim_end().to_owned())
}

/// The text with a word in place of one of its own that has its ending and that nobody knows.
pub fn unknown_instead(text: &str, token: &Token) -> String {
    const ENDINGS: [&str; 6] = ["ing", "ed", "est", "er", "ly", "s"];
    let ending = ENDINGS.into_iter().find(|ending| token.folded.ends_with(ending)).unwrap_or_default();
    format!("{}zorb{ending}{}", &text[..token.from], &text[token.to..])
}
