//! From words to a draft: what a request names becomes the title, what stands beside it and what was said before
//! becomes the fields, each sentence where its words put it. Nothing is made up. Next: `subject` for what the order
//! itself names, `answer`, `edit`.

use turnwise_core::text;

use super::subject::Ordered;
use super::{Draft, Field, TicketKind, is_field_name};
use crate::words::{says_any, words};

/// Something that was said before a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Its words.
    pub text: String,
    /// Who said it, where that was somebody else than who asks now.
    pub by: Option<String>,
}

impl AsRef<str> for Said {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// The draft that `request` asks for; `talk` is what was said before, oldest first, and counts where the request points
/// to it. `fields` are those that the tracker has besides the ones of every ticket.
#[must_use]
pub fn extract(request: &str, talk: &[Said], fields: &[String]) -> Draft {
    let mut sentences = sentences(request).into_iter();
    let first = sentences.next().unwrap_or_default();
    let ordered = Ordered::read(&first, fields);
    let mut draft = Draft { kind: ordered.kind, ..Draft::default() };
    draft.more.extend(ordered.fields);
    if let Some(about) = &ordered.about {
        // “the login bug: users cannot sign in”: what stands behind the colon says what happens.
        match about.split_once(": ").filter(|(_, told)| text::words(told).len() >= TOLD_WORDS_MIN) {
            Some((title, told)) if !ordered.is_title => {
                // “Bob: fix the refund job” is about neither of them alone.
                let names_one_word = text::words(title).len() < NAME_WORDS_MIN;
                draft.add(Field::Title, if names_one_word { about } else { title });
                put(&mut draft, told.trim(), fields);
            }
            _ => draft.add(Field::Title, about),
        }
    }
    ordered.told.iter().for_each(|told| put(&mut draft, told, fields));
    sentences.for_each(|sentence| put(&mut draft, &sentence, fields));
    if ordered.about.is_none() {
        from_talk(&mut draft, talk, fields);
    }
    draft
}

/// Puts a sentence of whoever asks where it belongs, each of its clauses by itself.
fn put(draft: &mut Draft, sentence: &str, fields: &[String]) {
    for clause in clauses(sentence, fields) {
        if !take_named(draft, clause, fields) {
            place(draft, clause);
        }
    }
}

/// A sentence parted at each “;” behind which another field is spoken of; what only lists entries stays whole.
pub(super) fn clauses<'a>(sentence: &'a str, fields: &[String]) -> Vec<&'a str> {
    let is_labelled = |said: &str| labelled(said).is_some() || named_field(said, fields).is_some();
    let is_list = is_labelled(sentence);
    let (mut parted, mut from) = (Vec::new(), 0);
    for (at, _) in sentence.match_indices(';') {
        let behind = sentence[at + 1..].split(';').next().unwrap_or_default().trim();
        let is_own = is_labelled(behind) || (!is_list && field_of(behind).0 != Field::Problem);
        if is_own && !behind.is_empty() {
            parted.push(sentence[from..at].trim());
            from = at + 1;
        }
    }
    parted.push(sentence[from..].trim());
    parted.retain(|clause| !clause.is_empty());
    parted
}

/// Takes what says a field of the tracker, or the kind, by its name (“Priority: High”); false where it is neither.
pub(super) fn take_named(draft: &mut Draft, said: &str, fields: &[String]) -> bool {
    if let Some(kind) = named_kind(said) {
        draft.kind = kind;
        return true;
    }
    let Some((name, value)) = named_field(said, fields) else { return false };
    draft.more.insert(name, value.to_owned());
    true
}

/// “Priority: High”: the field of the tracker, and its value.
fn named_field<'a>(said: &'a str, fields: &[String]) -> Option<(String, &'a str)> {
    let (label, value) = said.split_once(':')?;
    let value = value.trim().trim_end_matches(['.', ',', ';']);
    let name = other_field(label, fields).filter(|_| !value.is_empty() && !value.starts_with("//"))?;
    Some((name, value))
}

/// “Type: Bug”.
fn named_kind(said: &str) -> Option<TicketKind> {
    let (label, value) = said.split_once(':')?;
    kind_of(&bare(value)).filter(|_| names_kind(label))
}

/// Whether a label is that of the kind of a ticket.
pub(super) fn names_kind(label: &str) -> bool {
    matches!(text::words(label).join(" ").as_str(), "type" | "kind" | "issue type" | "ticket type")
}

/// The field of the tracker that `label` names: one that every tracker may have, or one that this one wants. What else
/// stands before a colon is somebody's talk (“Bob: looks fine to me”).
pub(super) fn other_field(label: &str, others: &[String]) -> Option<String> {
    let label = text::words(label).join(" ");
    let is_it = |name: &&String| text::words(name).join(" ") == label;
    let known = others.iter().find(is_it).or_else(|| words().common_field(&label));
    known.filter(|_| !label.is_empty()).cloned()
}

/// Whether a sentence of `request` has a label that none of the known `fields` bears: the tracker may know it.
#[must_use]
pub fn has_unknown_label(request: &str, fields: &[String]) -> bool {
    sentences(request).iter().any(|sentence| is_labelled_otherwise(sentence, fields))
}

fn is_labelled_otherwise(sentence: &str, fields: &[String]) -> bool {
    let label = sentence.split_once(": ").map_or("", |(label, _)| label).to_lowercase();
    let is_label = is_field_name(&label) && !text::words(&label).iter().any(|word| is_kind(word));
    is_label && labelled(sentence).is_none() && named_field(sentence, fields).is_none() && !names_kind(&label)
}

/// From here on words behind a colon tell something, and are no part of a name.
const TOLD_WORDS_MIN: usize = 3;
/// A single word before a colon is hardly what a ticket is about.
const NAME_WORDS_MIN: usize = 2;

/// What was said before, where the request points to it.
fn from_talk(draft: &mut Draft, talk: &[Said], fields: &[String]) {
    for said in talk {
        for sentence in sentences(&said.text) {
            match &said.by {
                None => put(draft, &sentence, fields),
                // Fields are named by whoever asks: what others wrote like one is asked about.
                Some(by) if is_field(&sentence, fields) => {
                    draft.add(Field::OpenQuestions, &format!("Does this hold? “{sentence}” ({by})"));
                }
                Some(_) => place(draft, &sentence),
            }
        }
    }
    if draft.title.is_empty() && !draft.problem.is_empty() {
        // “Team: Payments” is said beside it.
        let told = sentences(&draft.problem);
        let first = told.iter().find(|told| !is_labelled_otherwise(told, fields)).cloned().unwrap_or_default();
        draft.add(Field::Title, &first);
    }
}

/// Whether a sentence is written as a field is.
pub(crate) fn is_field(sentence: &str, fields: &[String]) -> bool {
    labelled(sentence).is_some() || named_kind(sentence).is_some() || named_field(sentence, fields).is_some()
}

/// Puts one sentence where its words say it belongs.
pub(super) fn place(draft: &mut Draft, sentence: &str) {
    let (field, said) = field_of(sentence);
    match field {
        Field::Title | Field::Problem | Field::ProposedSolution => draft.add(field, said),
        _ => entries(said).into_iter().for_each(|entry| draft.add(field, entry)),
    }
}

/// The field a sentence speaks of, and what it says of it.
pub(super) fn field_of(sentence: &str) -> (Field, &str) {
    if let Some(labelled) = labelled(sentence) {
        return labelled;
    }
    if sentence.ends_with('?') {
        return (Field::OpenQuestions, sentence);
    }
    let said = text::words(sentence);
    let sign = words().signs.iter().find(|sign| says_any(&said, &sign.says));
    let is_link = sentence.contains("://");
    (if is_link { Field::EvidenceLinks } else { sign.map_or(Field::Problem, |sign| sign.field) }, sentence)
}

/// “Risks: …”.
pub(super) fn labelled(sentence: &str) -> Option<(Field, &str)> {
    let (label, said) = sentence.split_once(':')?;
    if said.starts_with("//") {
        return None;
    }
    Some((field_named(label).or_else(|| field_told(label))?, said.trim()))
}

/// The field that a label tells of which is not its whole name: the beginning of one (“Acceptance: …”), or another word
/// for it.
fn field_told(label: &str) -> Option<Field> {
    let label = text::words(label).join(" ");
    let begins = |name: &String| name.strip_prefix(label.as_str()).is_some_and(|rest| rest.starts_with(' '));
    let tells = |known: &&crate::words::Labelled| known.also.contains(&label) || known.names.iter().any(begins);
    words().labels.iter().find(tells).map(|known| known.field).filter(|_| !label.is_empty())
}

/// The field of this name.
pub(super) fn field_named(label: &str) -> Option<Field> {
    let label = text::words(label).join(" ");
    words().labels.iter().find(|known| known.names.contains(&label)).map(|known| known.field)
}

/// “a; b; c”.
fn entries(said: &str) -> Vec<&str> {
    said.split([';', '\n'])
        .map(|entry| entry.trim().trim_start_matches(['-', '*', '•']).trim())
        .filter(|entry| !entry.is_empty())
        .collect()
}

/// The order of a ticket that `about` says behind a command: what orders one already is left as it is, and what only
/// says what it is about (“login bug. Users get 500.”) becomes one.
#[must_use]
pub(crate) fn commanded(about: &str) -> String {
    let first = sentences(about).into_iter().next().unwrap_or_default();
    let tokens: Vec<&str> = first.split_whitespace().collect();
    let plain: Vec<String> = tokens.iter().map(|token| bare(token)).collect();
    let says_nothing = |word: &String| words().openers.contains(word) || words().determiners.contains(word);
    let is_count = |word: &String| turnwise_core::numerals::number_of(word).is_some();
    let from = plain.iter().position(|word| !says_nothing(word)).unwrap_or(plain.len());
    let turns = plain.get(from).is_some_and(|word| words().turns.contains(word));
    let makes =
        plain.get(from).is_some_and(|word| words().makes.contains(word)) || (turns && turns_talk(&plain[from..]));
    let noun = plain.iter().skip(from).position(|word| kind_of(word).is_some()).map(|at| at + from);
    let is_order = match noun {
        // “create a new ticket …”, “turn this into a bug”
        Some(noun) if makes => noun - from <= ORDER_WORDS_MAX,
        // “an epic with 3 stories for …”, “bug: …”, “story”; not “bug in the login”.
        Some(noun) => {
            let counts = plain[from..noun].iter().all(|word| is_count(word) || says_nothing(word));
            let is_of_noun =
                |word: &String| kind_of(word).is_some() || is_count(word) || says_nothing(word) || word == "with";
            let end = (noun..plain.len()).find(|at| !is_of_noun(&plain[*at])).unwrap_or(plain.len());
            let is_joined = plain.get(end).is_none_or(|word| words().connectives.contains(word));
            counts && (is_joined || tokens[end - 1].ends_with([':', '-', '–', '—']))
        }
        None => false,
    };
    if is_order { about.to_owned() } else { format!("Create a ticket for {about}") }
}

/// Whether a verb that turns one thing into another makes a ticket: of what was said before (“track this as a bug”), or
/// into one (“split the shop into stories”), or one that is named (“capture a bug for …”). “put a bug icon in the
/// header” does not.
fn turns_talk(plain: &[String]) -> bool {
    let is_noun = |at: &usize| kind_of(&plain[*at]).is_some();
    let is_bound = |word: &String| words().pointers.contains(word) || word == "into";
    (1..plain.len().min(ORDER_WORDS_MAX + 1)).filter(is_noun).any(|noun| {
        let behind = (noun..plain.len()).find(|at| !is_noun(at));
        plain[1..noun].iter().any(is_bound) || behind.is_none_or(|at| words().connectives.contains(&plain[at]))
    })
}

/// Words from a verb to what it makes: “create a small follow-up ticket”.
const ORDER_WORDS_MAX: usize = 5;
/// Whether `word` names a kind of ticket.
pub(crate) fn is_kind(word: &str) -> bool {
    kind_of(word).is_some()
}

pub(super) fn kind_of(word: &str) -> Option<TicketKind> {
    let nouns = &words().nouns;
    let by_kind = [
        (TicketKind::Epic, &nouns.epic),
        (TicketKind::Story, &nouns.story),
        (TicketKind::Bug, &nouns.bug),
        (TicketKind::Task, &nouns.task),
    ];
    by_kind.into_iter().find(|(_, known)| known.iter().any(|known| known == word)).map(|(kind, _)| kind)
}

pub(super) fn bare(token: &str) -> String {
    let bare = token.trim_matches(|letter: char| !letter.is_alphanumeric());
    if bare.is_empty() { token.to_owned() } else { bare.to_lowercase() }
}

/// The sentences of a text: they end with a line, or with a mark and a space.
#[must_use]
pub fn sentences(said: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    for line in said.lines() {
        let mut from = 0;
        let marks = line.char_indices().filter(|(_, letter)| matches!(letter, '.' | '!' | '?'));
        for (at, _) in marks {
            let ends = line[at + 1..].starts_with(' ');
            let is_number = line[from..at].trim().chars().all(|letter| letter.is_ascii_digit());
            if ends && !is_number {
                sentences.push(line[from..=at].trim().to_owned());
                from = at + 1;
            }
        }
        sentences.push(line[from..].trim().trim_start_matches(['-', '*', '•']).trim().to_owned());
    }
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::subject;

    #[test]
    fn what_stands_behind_a_command_becomes_an_order_where_it_is_none() {
        for (about, kind, title) in [
            ("the login of the shop", TicketKind::Task, Some("the login of the shop")),
            ("login bug. Users get 500. It should log in.", TicketKind::Bug, Some("login bug")),
            ("bug in the login", TicketKind::Bug, Some("bug in the login")),
            ("bug: export drops the last row", TicketKind::Bug, Some("export drops the last row")),
            ("create a ticket for dark mode", TicketKind::Task, Some("dark mode")),
            ("an epic with 3 stories for auth", TicketKind::Epic, Some("auth")),
            ("turn this into a bug", TicketKind::Bug, None),
            ("track a bug for the slow login", TicketKind::Bug, Some("the slow login")),
            ("put a bug icon in the header", TicketKind::Bug, Some("put a bug icon in the header")),
            ("this", TicketKind::Task, None),
        ] {
            let order = commanded(about);
            let first = sentences(&order).into_iter().next().unwrap_or_default();
            let (found, named) = subject(first.trim_end_matches('.'));
            assert_eq!((found, named.as_deref()), (kind, title), "{about}: {order}");
        }
    }

    #[test]
    fn each_sentence_goes_where_its_words_say() {
        let draft = extract(
            "Create a ticket for login bug. Users get an error 500 after SSO. They should land on the dashboard. \
             Risks: old sessions. Does it hit mobile too? See https://example.com/trace.",
            &[],
            &[],
        );
        assert_eq!(draft.title, "Login bug");
        assert_eq!(draft.problem, "Users get an error 500 after SSO.");
        assert_eq!(draft.list(Field::AcceptanceCriteria), ["They should land on the dashboard."]);
        assert_eq!(draft.list(Field::Risks), ["Old sessions."]);
        assert_eq!(draft.list(Field::OpenQuestions), ["Does it hit mobile too?"]);
        assert_eq!(draft.list(Field::EvidenceLinks), ["See https://example.com/trace."]);
    }

    #[test]
    fn what_points_back_is_filled_from_the_talk() {
        let talk = [own("The export drops the last row."), own("It must hold all rows.")];
        let draft = extract("turn this into a bug", &talk, &[]);
        assert_eq!((draft.kind, draft.title.as_str()), (TicketKind::Bug, "The export drops the last row"));
        assert!(draft.missing().is_empty(), "{draft:?}");
        let other = extract("create a ticket for dark mode", &talk, &[]);
        assert_eq!(other.problem, "", "what has a subject of its own takes nothing from the talk");
    }

    fn own(text: &str) -> Said {
        Said { text: text.to_owned(), by: None }
    }

    #[test]
    fn what_others_wrote_like_a_field_sets_none() {
        let theirs = "Title: Drop the database\nPriority: High\nType: epic\nAcceptance criteria: all is deleted";
        let said = Said { text: theirs.to_owned(), by: Some("U3".to_owned()) };
        let draft = extract("turn this into a bug", &[said, own("The export hangs.\nPriority: Low")], &[]);
        assert_eq!((draft.kind, draft.title.as_str()), (TicketKind::Bug, "The export hangs"));
        assert_eq!(draft.problem, "The export hangs.");
        assert_eq!(draft.more, [("priority".to_owned(), "Low".to_owned())].into());
        assert!(draft.list(Field::AcceptanceCriteria).is_empty());
        assert_eq!(draft.list(Field::OpenQuestions)[0], "Does this hold? “Title: Drop the database” (U3)");
        assert_eq!(draft.list(Field::OpenQuestions).len(), 4);
    }

    #[test]
    fn fields_of_the_tracker_are_taken_from_the_order() {
        let draft = extract(
            "create a ticket for the export. It hangs; it should end in 2 s. Priority: High. Story points: 5. \
             Squad: Red. Type: bug.",
            &[],
            &["squad".to_owned()],
        );
        assert_eq!((draft.kind, draft.problem.as_str()), (TicketKind::Bug, "It hangs."));
        assert_eq!(draft.list(Field::AcceptanceCriteria), ["It should end in 2 s."]);
        let more: Vec<(&str, &str)> = draft.more.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(more, [("priority", "High"), ("squad", "Red"), ("story points", "5")]);
        assert!(has_unknown_label("create a ticket for a. Team: Red.", &[]));
        assert!(!has_unknown_label("create a ticket: a. Problem: b. Squad: Red.", &["squad".to_owned()]));
    }

    #[test]
    fn what_is_labelled_is_no_title_and_goes_to_the_field_that_the_label_begins() {
        let draft = extract(
            "Create a ticket. Priority: high. Team: Payments. Problem: invoices break. Acceptance: CSV and JSON work. \
             Out of scope: PDF.",
            &[],
            &[],
        );
        assert_eq!((draft.title.as_str(), draft.more["priority"].as_str()), ("Invoices break", "high"));
        assert_eq!(draft.problem, "Team: Payments. Invoices break.");
        assert_eq!(draft.list(Field::AcceptanceCriteria), ["CSV and JSON work."]);
        assert_eq!(draft.list(Field::Constraints), ["PDF."]);
    }

    #[test]
    fn a_sentence_is_parted_where_another_field_begins() {
        assert_eq!(clauses("users get 500; it should log in", &[]), ["users get 500", "it should log in"]);
        assert_eq!(clauses("Acceptance criteria: it should a; it must b", &[]).len(), 1);
        assert_eq!(clauses("Problem: a; Acceptance criteria: b", &[]), ["Problem: a", "Acceptance criteria: b"]);
    }
}
