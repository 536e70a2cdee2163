//! The parts of an epic: each by its name, and by what one sees when it is done where somebody said so.
//! Next: `edit`.

use turnwise_core::text;

use super::extract::is_kind;
use super::{Draft, Field, TicketKind};

/// The stories that `said` names: one on each line, or separated by semicolons, or by commas where there is nothing
/// else.
#[must_use]
pub fn stories_named(said: &str) -> Vec<String> {
    // “The stories are: …” names none; “login: SSO works” names one as it is written.
    let said = without_heading(said);
    let listed = said
        .split_once(": ")
        .filter(|(before, listed)| is_introduction(before, listed))
        .map_or(said, |(_, listed)| listed);
    let (whole, marks): (&str, &[char]) = match (said.trim().contains('\n'), listed.contains(';')) {
        (true, _) => (said, &['\n']),
        (false, true) => (listed, &[';']),
        (false, false) => (listed, &[',']),
    };
    let plain = |part: &str| {
        let part = unmarked(part.trim());
        let part = part.strip_prefix("and ").unwrap_or(part);
        part.trim_end_matches('.').to_owned()
    };
    whole.split(marks).map(plain).filter(|part| !part.is_empty()).collect()
}

/// Without a first line that only says that names follow: what ends with a colon names nothing itself.
fn without_heading(said: &str) -> &str {
    let said = said.trim();
    said.split_once('\n').filter(|(heading, _)| heading.trim_end().ends_with(':')).map_or(said, |(_, names)| names)
}

/// Whether words before a colon only say that names follow: “call them: …”, “the stories for auth: …”.
fn is_introduction(before: &str, listed: &str) -> bool {
    let words = text::words(before);
    // “story 1: sign up; story 2: …” numbers names, and “sign up; log in: …” has one behind it already.
    let numbers_one = words.last().is_some_and(|word| word.parse::<usize>().is_ok());
    if numbers_one || before.contains([',', ';', '\n']) {
        return false;
    }
    let leads_to_names = words.last().is_some_and(|word| LEADS.contains(&word.as_str()));
    // “import items: CSV; export items: PDF” names two by what they hold.
    let names_several = words.iter().any(|word| is_kind(word) && word.ends_with('s')) && !listed.contains(": ");
    leads_to_names
        || names_several
        || words
            .iter()
            .all(|word| INTRODUCES.contains(&word.as_str()) || is_kind(word) || word.parse::<usize>().is_ok())
}

/// Without the mark of a list: “1. ”, “2) ”, “- ”. A number that stands there by itself is a part of the name (“404
/// page”).
fn unmarked(part: &str) -> &str {
    let behind = part.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let marks: &[char] = if behind.len() < part.len() { &['.', ')'] } else { &['-', '*', '•'] };
    match behind.strip_prefix(marks) {
        Some(named) if named.is_empty() || named.starts_with(char::is_whitespace) => named.trim_start(),
        _ => part,
    }
}

/// Words that introduce names.
const INTRODUCES: [&str; 14] =
    ["the", "these", "those", "they", "are", "called", "named", "names", "is", "it", "here", "of", "my", "following"];

/// Words right before names.
const LEADS: [&str; 6] = ["are", "called", "named", "is", "be", "them"];

/// The story of an epic that `named` names: “Sign up - an address can be used once”.
#[must_use]
pub fn story(named: &str, epic: &str) -> Draft {
    let (title, criterion) = parted(named);
    let mut story = Draft { kind: TicketKind::Story, ..Draft::default() };
    story.add(Field::Title, title);
    story.add(Field::Problem, &format!("Part of “{epic}”"));
    story.add(Field::AcceptanceCriteria, criterion);
    story
}

/// The ticket that `named` names, as one of several that share what else was said of them.
#[must_use]
pub fn ticket(named: &str, shared: &Draft) -> Draft {
    let (title, criterion) = parted(named);
    let mut ticket = Draft { title: String::new(), problem: String::new(), ..shared.clone() };
    ticket.add(Field::Title, title);
    if ticket.problem.is_empty() {
        ticket.add(Field::Problem, title);
    }
    ticket.add(Field::Problem, &shared.problem);
    ticket.add(Field::AcceptanceCriteria, criterion);
    ticket
}

/// “Sign up - an address can be used once”.
fn parted(named: &str) -> (&str, &str) {
    named.split_once(" - ").or_else(|| named.split_once(" – ")).unwrap_or((named, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stories_are_told_apart_by_the_strongest_mark_there_is() {
        assert_eq!(stories_named("sign up, log in, and log out"), ["sign up", "log in", "log out"]);
        assert_eq!(stories_named("The stories: sign up, with mail; log in"), ["sign up, with mail", "log in"]);
        for said in [
            "call them: sign up; log in",
            "the stories for auth are: sign up; log in",
            "stories for auth: sign up, log in",
        ] {
            assert_eq!(stories_named(said), ["sign up", "log in"], "{said}");
        }
        assert_eq!(stories_named("1. sign up\n2. log in"), ["sign up", "log in"]);
        for heading in ["The stories are:", "The stories are: ", "Here you go:"] {
            assert_eq!(stories_named(&format!("{heading}\n- sign up\n- log in\n")), ["sign up", "log in"], "{heading}");
        }
        assert_eq!(stories_named("The stories are:\nsign up; log in"), ["sign up", "log in"]);
        assert_eq!(stories_named("1) sign up; 2) log in; - log out"), ["sign up", "log in", "log out"]);
    }

    #[test]
    fn a_name_is_taken_as_it_is_written() {
        assert_eq!(stories_named("2FA login; 404 page; 2.5 MB limit"), ["2FA login", "404 page", "2.5 MB limit"]);
        assert_eq!(stories_named("login: SSO works; logout: all devices"), ["login: SSO works", "logout: all devices"]);
        assert_eq!(stories_named("import items: CSV; export items: PDF"), ["import items: CSV", "export items: PDF"]);
        assert_eq!(stories_named("sign up, what it is: a form"), ["sign up", "what it is: a form"]);
    }

    #[test]
    fn what_stands_behind_a_dash_is_how_one_sees_that_it_is_done() {
        let story = story("Sign up - an address can be used once", "Auth");
        assert_eq!((story.title.as_str(), story.problem.as_str()), ("Sign up", "Part of “Auth”."));
        assert_eq!(story.list(Field::AcceptanceCriteria), ["An address can be used once"]);
    }
}
