//! Whether a message leans on what was found before it: a pronoun that nothing before it in the message can be what it
//! stands for, or a question without what it is about ("how many are there?", "and the average?"). What leans cannot be
//! asked alone: read so, all that came before would be dropped in silence. Next: `reading`, whose rules ask for it.

/// Words before a message that say only that there was one before.
const OPENINGS: [&str; 12] =
    ["and", "also", "now", "then", "ok", "okay", "so", "well", "please", "additionally", "plus", "but"];
/// Words that stand for several, or for one, that were named before.
const PRONOUNS: [&str; 12] =
    ["them", "they", "their", "theirs", "its", "his", "her", "hers", "he", "she", "him", "these"];
const NEAR: [&str; 5] = ["them", "these", "those", "it", "that"];
const PREPOSITIONS: [&str; 14] =
    ["of", "for", "in", "at", "by", "from", "to", "with", "using", "on", "among", "about", "within", "between"];
/// Words between "for" and "them" that take all of them.
const TAKING: [&str; 8] = ["each", "every", "all", "any", "both", "one", "some", "of"];
/// What comes behind "those" where it opens a test: "those with more than 7".
const TESTS: [&str; 17] = [
    "with", "that", "which", "who", "whose", "over", "under", "above", "below", "having", "where", "from", "in", "for",
    "without", "located", "born",
];
/// Words before who is asked about: "how many tracks do they have?", "which album is it on?".
const ASKING: [&str; 12] = ["do", "does", "did", "have", "has", "had", "can", "could", "are", "were", "is", "was"];
/// Words of a whole question or order: what has none of them is a piece of one.
const WHOLE: [&str; 46] = [
    "what", "which", "who", "whose", "whom", "how", "where", "when", "why", "show", "list", "give", "find", "count",
    "tell", "get", "display", "is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could",
    "will", "would", "should", "compare", "sort", "order", "explain", "add", "remove", "drop", "i", "you", "we", "my",
    "your", "then", "want",
];
/// Words of a piece that is put in the place of another: more of them is a sentence of its own.
const PIECE_WORDS_MAX: usize = 8;
/// Places in a list.
const PLACES: [&str; 8] = ["first", "second", "third", "fourth", "fifth", "last", "next", "previous"];
/// Words behind which a message may speak of what it named itself.
const JOINING: [&str; 11] = ["and", "or", "who", "that", "which", "where", "when", "if", "because", "but", "whose"];
/// Times that are told by the day they are said on, and what holds everything.
const OWN: [&str; 14] = [
    "year", "month", "week", "quarter", "day", "morning", "evening", "time", "data", "database", "table", "dataset",
    "file", "is",
];
/// Ends of a scale.
const EXTREMES: [&str; 30] = [
    "most", "fewest", "least", "highest", "lowest", "largest", "smallest", "longest", "shortest", "oldest", "youngest",
    "newest", "greatest", "biggest", "best", "worst", "cheapest", "richest", "tallest", "heaviest", "latest",
    "earliest", "maximum", "minimum", "max", "min", "top", "bottom", "poorest", "popular",
];
const BEING: [&str; 8] = ["is", "are", "was", "were", "has", "have", "had", "got"];
/// Ways of gathering numbers.
const GATHERING: [&str; 20] = [
    "average", "averages", "mean", "median", "minimum", "maximum", "min", "max", "minimums", "maximums", "total",
    "sum", "smallest", "largest", "lowest", "highest", "biggest", "least", "greatest", "overall",
];
/// Words of "what is the … of them?" that name nothing.
const SILENT: [&str; 36] = [
    "what", "is", "are", "was", "were", "the", "of", "these", "those", "them", "it", "and", "also", "give", "me",
    "show", "tell", "us", "about", "how", "value", "values", "number", "numbers", "a", "for", "all", "result",
    "results", "now", "please", "their", "as", "well", "too", "find",
];
const ONCE: [&str; 6] = ["distinct", "unique", "duplicates", "duplicate", "different", "once"];
/// Words of "show each of them only once" that name nothing.
const TAKING_OUT: [&str; 15] = [
    "filter", "out", "remove", "without", "only", "list", "among", "rows", "each", "from", "drop", "no", "get", "rid",
    "just",
];
/// Words of "show just the top 5" that name nothing.
const ENDS: [&str; 8] = ["top", "bottom", "first", "last", "just", "only", "ones", "list"];
/// Words of "how many are there in total?" that name nothing.
const COUNTED: [&str; 20] = [
    "are",
    "is",
    "were",
    "was",
    "there",
    "that",
    "those",
    "these",
    "of",
    "them",
    "in",
    "total",
    "all",
    "altogether",
    "they",
    "such",
    "results",
    "it",
    "together",
    "count",
];

/// Whether `words`, in small letters, lean on what came before; `named` are words of the message that name things.
#[must_use]
pub fn leans(words: &[&str], named: &[String]) -> bool {
    let from = words.iter().take_while(|word| OPENINGS.contains(word)).count();
    let (said, words) = words.split_at(from.min(words.len()));
    !words.is_empty()
        && (opens(words)
            || asks_for_nothing(words)
            || is_piece(said, words)
            || is_unsaid(words)
            || is_placed(words)
            || words.windows(4).any(|four| matches!(four, ["the", "number" | "count" | "total", "for", "each"]))
            || speaks_back(words, named))
}

/// "And Seattle?", "and the longest?", "older than 50": a piece of a question, whose rest was said before.
fn is_piece(said: &[&str], words: &[&str]) -> bool {
    let short = words.len() <= PIECE_WORDS_MAX && !words.iter().any(|word| WHOLE.contains(word));
    let compares = words.get(1) == Some(&"than")
        && words.first().is_some_and(|first| first.ends_with("er") || matches!(*first, "more" | "less"));
    // "With more than 10 employees" tests what was found and asks for nothing.
    let tests = matches!(words, ["with" | "having", "more" | "fewer" | "less", "than", _, ..])
        || matches!(words, ["with" | "having", "at", "least" | "most", _, ..]);
    short && (said.contains(&"and") || compares || tests)
}

/// "How many members registered there?": where was said before.
fn is_placed(words: &[&str]) -> bool {
    match words {
        [_, _, .., before, "there"] => !matches!(*before, "is" | "are" | "was" | "were" | "be" | "from"),
        _ => false,
    }
}

/// "How many in 2023?", "how many are paid?", "which have more than 3?": whose number it is was said before.
fn is_unsaid(words: &[&str]) -> bool {
    match words {
        ["how", "many"] => true,
        ["how", "many", next, ..] => {
            BEING.contains(next)
                || (PREPOSITIONS.contains(next) && *next != "of")
                || matches!(*next, "do" | "did" | "per")
        }
        ["which", "have" | "has" | "had" | "do" | "did" | "does", ..] | ["who" | "what", "else", ..] => true,
        ["which" | "who" | "what", verb, "the", "most" | "least", _] => BEING.contains(verb),
        ["who", "is" | "was" | "were", "the", _] => true,
        [first, next, _, ..] if words.len() <= PIECE_WORDS_MAX => {
            let placed = PREPOSITIONS.contains(next) || matches!(*next, "after" | "before" | "since" | "until");
            let whole = words.iter().any(|word| WHOLE.contains(word));
            let limit = matches!(*first, "between" | "over" | "under" | "above" | "below" | "less" | "more");
            let number = words.iter().any(|word| word.parse::<f64>().is_ok());
            !whole && ((first.ends_with("ed") && placed) || (limit && number))
        }
        _ => false,
    }
}

/// Whether a pronoun in `words` stands for nothing that was named before it in the same message.
#[must_use]
pub fn speaks_back(words: &[&str], named: &[String]) -> bool {
    let is_named = |word: &str| {
        named.iter().any(|name| name.to_lowercase().split_whitespace().any(|part| part.trim_matches('"') == word))
    };
    words.iter().enumerate().any(|(at, word)| {
        let before = at.checked_sub(1).and_then(|at| words.get(at)).copied().unwrap_or_default();
        let after = words.get(at + 1).copied().unwrap_or_default();
        let further = words[..at].iter().any(|word| is_named(word));
        // Words that stand for what the message itself said before them.
        let own = stands_for_own(words, at, &|word| is_named(word));
        match *word {
            _ if own => false,
            "those" | "these" if TESTS.contains(&after) => !further,
            "those" | "these" => true,
            "them" if PREPOSITIONS.contains(&before) && after.is_empty() => {
                !further || !words[1.min(at)..at].iter().any(|word| JOINING.contains(word))
            }
            "them" if before == "of" && at > 1 && TAKING.contains(&words[at - 2]) => true,
            // "the products they sell": what is named right before is not who sells.
            "they" | "he" | "she" if is_named(before) && !words[..at - 1].iter().any(|word| is_named(word)) => true,
            "they" | "he" | "she" | "it" if ASKING.contains(&before) && further => {
                !words[1.min(at)..at].iter().any(|word| JOINING.contains(word))
            }
            "that" if after.is_empty() && matches!(before, "is" | "was") && further => true,
            "that" | "this" => PREPOSITIONS.contains(&before) && is_named(after) && !OWN.contains(&after),
            "each" if further && matches!(after, "have" | "has" | "had") => true,
            "one" if before_is_place(words, at) => true,
            "such" => is_named(after) && !further,
            "one" | "ones" => before == "the" && at == 1 && TESTS.contains(&after),
            other => PRONOUNS.contains(&other) && !further,
        }
    }) || words.windows(2).any(|pair| pair[0] == "than" && matches!(pair[1], "that" | "this" | "those" | "these"))
}

/// "For every clerk, how many visits have they booked", "who earns more than their own manager", "how long does it
/// take": what is meant is in the message itself, or nothing is.
fn stands_for_own(words: &[&str], at: usize, is_named: &dyn Fn(&str) -> bool) -> bool {
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let before = |by: usize| at.checked_sub(by).map_or("", word);
    let each = matches!(words, ["for" | "of", "every" | "each" | "all", third, ..] if is_named(third));
    match word(at) {
        "it" => matches!(before(1), "does" | "did" | "has" | "will") && matches!(word(at + 1), "take" | "taken"),
        "they" | "he" | "she" if each => at > 3,
        "their" | "his" | "her" => {
            let compared = before(1) == "than" || (word(at + 1) == "own" && words[..at].contains(&"than"));
            compared && matches!(words, ["who" | "which", ..])
        }
        _ => false,
    }
}

/// "The first one", "the last one".
fn before_is_place(words: &[&str], at: usize) -> bool {
    at > 1 && words[at - 2] == "the" && PLACES.contains(&words[at - 1])
}

/// "Of those, …", "for each of them …", "which one …".
fn opens(words: &[&str]) -> bool {
    let taken = |rest: &[&str]| {
        let skipped = rest.iter().take_while(|word| TAKING.contains(word)).count();
        rest.get(skipped).is_some_and(|word| NEAR.contains(word))
            && !rest.get(skipped + 1).is_some_and(|next| OWN.contains(next))
    };
    match words {
        ["out", "of", rest @ ..] | ["of" | "among" | "amongst" | "within", rest @ ..] => taken(rest),
        ["for", "each", next, ..]
            if ["how", "what", "show", "count", "list", "give", "also", "find"].contains(next) =>
        {
            true
        }
        ["for", rest @ ..] => taken(rest) && rest.first() != Some(&"it"),
        ["which" | "what", "one" | "ones", ..] => true,
        ["which" | "what" | "who" | "any" | "some" | "none" | "all", "of", "them" | "these" | "those", ..] => true,
        ["how", "many" | "much", "of", "them" | "these" | "those", ..] => true,
        _ => false,
    }
}

/// "How many are there?", "and the average?", "which has the fewest?": what is asked of is not said.
fn asks_for_nothing(words: &[&str]) -> bool {
    let only = |rest: &[&str], lists: &[&[&str]]| rest.iter().all(|word| lists.iter().any(|list| list.contains(word)));
    match words {
        ["how", "many", rest @ ..] if !rest.is_empty() && only(rest, &[&COUNTED]) => return true,
        ["count", "them" | "these" | "those" | "it"] => return true,
        [.., "top" | "bottom" | "first" | "last", number]
        | [.., "top" | "bottom" | "first" | "last", number, "ones"]
            if only(words, &[&SILENT, &ENDS, &[*number]]) && number.parse::<u32>().is_ok() =>
        {
            return true;
        }
        ["which" | "who" | "what", verb, "the", last] if BEING.contains(verb) && EXTREMES.contains(last) => {
            return true;
        }
        // "Which customer bought the most" says of what; "which year has the most" does not.
        ["which" | "what", .., "has" | "have" | "had", "the", last] if EXTREMES.contains(last) => return true,
        _ => {}
    }
    let others = words.iter().any(|word| matches!(*word, "other" | "others"));
    if others && only(words, &[&SILENT, &["other", "others", "one", "ones", "list", "rest"]]) {
        return true;
    }
    let gathers = words.iter().any(|word| GATHERING.contains(word)) && only(words, &[&SILENT, &GATHERING]);
    let once = words.iter().any(|word| ONCE.contains(word)) && only(words, &[&SILENT, &ONCE, &TAKING_OUT]);
    gathers || once
}

#[cfg(test)]
mod tests {
    use super::leans;

    fn said(text: &str, named: &[&str]) -> bool {
        let lower = text.to_lowercase().replace(['?', ',', '.'], "");
        let words: Vec<&str> = lower.split_whitespace().collect();
        let named: Vec<String> = named.iter().map(|name| (*name).to_owned()).collect();
        leans(&words, &named)
    }

    #[test]
    fn what_speaks_of_something_before_it_leans() {
        for (text, named) in [
            ("What are their names?", &["names"][..]),
            ("Which of them are from Canada?", &["Canada"]),
            ("with more than 10 employees", &["employees"]),
            ("Of those, how many are paid?", &["paid"]),
            ("Which one has the shortest runtime?", &["runtime"]),
            ("How many are there?", &[]),
            ("And the average?", &[]),
            ("What is the smallest value?", &[]),
            ("Which year has the most?", &["year"]),
            ("For each of them, count the invoices", &["invoices"]),
            ("What is the number of albums they sell?", &["albums"]),
            ("Which tracks are longer than that?", &["tracks"]),
            ("What is the population of that country?", &["population", "country"]),
            ("Filter out duplicates", &[]),
            ("Show the top 5", &[]),
            ("How many tracks do they have?", &["tracks"]),
            ("What genre is it?", &["genre"]),
            ("Which party is she in?", &["party"]),
            ("How many albums is that?", &["albums"]),
            ("How many tracks does each have?", &["tracks"]),
            ("And Seattle?", &["Seattle"]),
            ("And the highest profits?", &["profits"]),
            ("Older than 50", &[]),
            ("How many in 1997?", &["1997"]),
            ("How many are paid?", &["paid"]),
            ("Which have more than 1000?", &[]),
            ("Who else is in Oslo?", &["Oslo"]),
            ("Show the other ones", &[]),
            ("What is the email of the first one?", &["email"]),
            ("Which is the most expensive?", &[]),
            ("Show the number for each region", &["region"]),
            ("Who is the artist?", &["artist"]),
            ("How many members registered there?", &["members"]),
            ("Opened after 2005", &["Opened"]),
            ("Between 10 and 12", &[]),
            ("How many per team?", &["team"]),
        ] {
            assert!(said(text, named), "{text}");
        }
    }

    #[test]
    fn what_stands_by_itself_does_not() {
        for (text, named) in [
            ("Show customers and their countries", &["customers", "countries"][..]),
            ("Which customer spent the most in this year?", &["customer"]),
            ("Which customer bought the most", &["customer"]),
            ("Which region is the largest?", &["region"]),
            ("Show the top 5 regions", &["regions"]),
            ("How many albums are there?", &["albums"]),
            ("What is the average invoice total?", &["invoice", "total"]),
            ("Albums of artists that have more than 3 of them", &["Albums", "artists"]),
            ("For each artist, show the number of albums", &["artist", "albums"]),
            ("Is it true that revenue fell in May?", &["revenue"]),
            ("How many of the customers are in Oslo?", &["customers", "Oslo"]),
            ("And which customers are in Oslo?", &["customers", "Oslo"]),
            ("Which are the customers in Oslo?", &["customers", "Oslo"]),
            ("What is the first name of each customer?", &["customer"]),
            ("For every clerk, how many visits have they booked?", &["clerk", "visits"]),
            ("Who earns more than their own manager?", &["manager"]),
            ("How many days does it take from order to delivery?", &["order", "delivery"]),
        ] {
            assert!(!said(text, named), "{text}");
        }
    }
}
