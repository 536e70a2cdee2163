//! The parts of an epic: each by its name, and by what one sees when it is done where somebody said so.
//! Next: `edit`.

use turnwise_core::text;

use super::extract::is_kind;
use super::{Draft, Field, TicketKind};

/// The stories that `said` names: one on each line, or separated by semicolons, or by commas where there is nothing
/// else, with an “and” before the last. By “and” alone they are told apart where as many are `wanted`.
#[must_use]
pub fn stories_named(said: &str, wanted: Option<usize>) -> Vec<String> {
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
        let part = ONE_FOR.iter().find_map(|one| part.strip_prefix(one)).unwrap_or(part);
        part.trim_end_matches('.').to_owned()
    };
    let named = |parts: &[&str]| -> Vec<String> {
        parts.iter().map(|part| plain(part)).filter(|part| !part.is_empty()).collect()
    };
    let parts: Vec<&str> = whole.split(marks).collect();
    let found = named(&parts);
    if marks != [','] || wanted.is_some_and(|wanted| found.len() >= wanted) {
        return found;
    }
    let apart: Vec<&str> = parts.iter().flat_map(|part| part.split(AND)).collect();
    let by_and = named(&apart);
    match (wanted, parts.as_slice()) {
        (Some(wanted), _) if by_and.len() == wanted => by_and,
        // “a, b and c” is three, as long as no name has an “and” in it.
        (_, [first @ .., last]) if !first.is_empty() && !last.trim_start().starts_with(AND.trim_start()) => {
            let is_plain = !first.iter().any(|part| part.contains(AND)) && !last.contains(" - ");
            if is_plain && last.matches(AND).count() == 1 { by_and } else { found }
        }
        _ => found,
    }
}

/// What joins the last name to those before.
const AND: &str = " and ";
/// What a name may begin with that only says that it is one.
const ONE_FOR: [&str; 4] = ["one for ", "one about ", "another for ", "another about "];

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
        assert_eq!(stories_named("sign up, log in, and log out", None), ["sign up", "log in", "log out"]);
        assert_eq!(stories_named("The stories: sign up, with mail; log in", None), ["sign up, with mail", "log in"]);
        for said in [
            "call them: sign up; log in",
            "the stories for auth are: sign up; log in",
            "stories for auth: sign up, log in",
        ] {
            assert_eq!(stories_named(said, None), ["sign up", "log in"], "{said}");
        }
        assert_eq!(stories_named("1. sign up\n2. log in", None), ["sign up", "log in"]);
        for heading in ["The stories are:", "The stories are: ", "Here you go:"] {
            assert_eq!(
                stories_named(&format!("{heading}\n- sign up\n- log in\n"), None),
                ["sign up", "log in"],
                "{heading}"
            );
        }
        assert_eq!(stories_named("The stories are:\nsign up; log in", None), ["sign up", "log in"]);
        assert_eq!(stories_named("1) sign up; 2) log in; - log out", None), ["sign up", "log in", "log out"]);
    }

    #[test]
    fn an_and_before_the_last_parts_names_and_one_inside_a_name_does_not() {
        let onboarding = "welcome screen, import contacts and invite team";
        for wanted in [None, Some(3)] {
            assert_eq!(stories_named(onboarding, wanted), ["welcome screen", "import contacts", "invite team"]);
        }
        let two = "login fails on Firefox and logout hangs in Safari";
        assert_eq!(stories_named(two, Some(2)), ["login fails on Firefox", "logout hangs in Safari"]);
        assert_eq!(stories_named(two, None), [two]);
        assert_eq!(stories_named("one for the icon and one for the scrollbar", Some(2)), ["the icon", "the scrollbar"]);
        assert_eq!(stories_named("import and export, search", Some(2)), ["import and export", "search"]);
        assert_eq!(stories_named("import and export, search and filter", None).len(), 2);
    }

    #[test]
    fn a_name_is_taken_as_it_is_written() {
        assert_eq!(stories_named("2FA login; 404 page; 2.5 MB limit", None), ["2FA login", "404 page", "2.5 MB limit"]);
        assert_eq!(
            stories_named("login: SSO works; logout: all devices", None),
            ["login: SSO works", "logout: all devices"]
        );
        assert_eq!(
            stories_named("import items: CSV; export items: PDF", None),
            ["import items: CSV", "export items: PDF"]
        );
        assert_eq!(stories_named("sign up, what it is: a form", None), ["sign up", "what it is: a form"]);
    }

    #[test]
    fn what_stands_behind_a_dash_is_how_one_sees_that_it_is_done() {
        let story = story("Sign up - an address can be used once", "Auth");
        assert_eq!((story.title.as_str(), story.problem.as_str()), ("Sign up", "Part of “Auth”."));
        assert_eq!(story.list(Field::AcceptanceCriteria), ["An address can be used once"]);
    }
}
