//! What exists already: each item is looked for in the tracker before it is shown. One ticket is linked, informed or
//! made anew; of several, those that exist are left out or made anew, and an epic that exists can take the stories.
//! What was settled once is not asked again after an edit. Next: `form` for the questions.

use std::sync::Arc;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use turnwise_core::{Choice, Clarification, ClarifiedAnswer, text};

use super::bot::Desk;
use super::form::{self, needed};
use super::offers;
use super::plan::Halt;
use super::sheet::{Purpose, Sheet};
use crate::draft::Draft;
use crate::tracker::{Ticket, TicketKey, TrackerError, patiently};

/// What to do about tickets that may be about the same.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Settled {
    /// Nobody said yet, or something that is no answer.
    Open(Option<String>),
    /// All of them are to be seen.
    Listed,
    /// It is something new.
    New,
    /// It is something new that has to do with this one.
    NewLinked(TicketKey),
    /// Those that exist are left out.
    LeftOut,
    /// This conversation is noted at this one.
    Link(TicketKey),
    /// What was said is added to this one.
    Inform(TicketKey),
    /// The stories go below this epic.
    Below(TicketKey),
}

/// Looks for the items of `sheet` that were not looked for yet, and does what was said about what is there.
pub(super) async fn settle(desk: &Desk, sheet: &mut Sheet, answers: &[ClarifiedAnswer]) -> Result<(), Halt> {
    if sheet.purpose != Purpose::Create {
        return Ok(());
    }
    let found = looked_for(desk, sheet).await?;
    sheet.looked = sheet.items.iter().map(|item| item.title.clone()).collect();
    if let ([_], Some((_, similar))) = (sheet.items.as_slice(), found.first()) {
        return one(sheet, similar, answers);
    }
    of_epic(sheet, &found, answers)?;
    of_parts(sheet, &found, answers)
}

/// The items that may exist, each with what may be the same.
async fn looked_for(desk: &Desk, sheet: &Sheet) -> Result<Vec<(String, Vec<Ticket>)>, TrackerError> {
    let new: Vec<&Draft> = sheet.items.iter().filter(|item| !sheet.looked.contains(&item.title)).collect();
    let mut found = Vec::new();
    for some in new.chunks(AT_ONCE) {
        let mut looking = JoinSet::new();
        for (at, item) in some.iter().enumerate() {
            let (tracker, item) = (Arc::clone(&desk.tracker), (*item).clone());
            looking.spawn(async move {
                let similar = patiently(&CancellationToken::new(), || tracker.similar(&item)).await;
                (at, similar, item.title)
            });
        }
        let mut these = Vec::new();
        while let Some(looked) = looking.join_next().await {
            // A look that broke off is told as one that could not be made.
            let (at, similar, title) =
                looked.map_err(|_| TrackerError::Unusable("Looking for duplicates broke off.".to_owned()))?;
            these.push((at, title, similar?));
        }
        these.sort_by_key(|(at, _, _)| *at);
        found.extend(these.into_iter().map(|(_, title, similar)| (title, similar)));
    }
    found.retain(|(_, similar)| !similar.is_empty());
    Ok(found)
}

/// One ticket.
fn one(sheet: &mut Sheet, similar: &[Ticket], answers: &[ClarifiedAnswer]) -> Result<(), Halt> {
    sheet.purpose = match settled(answers, DUPLICATES) {
        Settled::Link(key) => Purpose::Link(key),
        Settled::Inform(key) => Purpose::Inform(key),
        Settled::New => Purpose::Create,
        Settled::NewLinked(key) => {
            sheet.link = Some(key);
            Purpose::Create
        }
        Settled::Open(odd) => return Err(Halt::Ask(nearest(similar, odd.as_deref()))),
        Settled::Listed | Settled::LeftOut | Settled::Below(_) => return Err(Halt::Ask(listed(similar))),
    };
    Ok(())
}

/// The epic among several: the stories can go to one that exists.
fn of_epic(sheet: &mut Sheet, found: &[(String, Vec<Ticket>)], answers: &[ClarifiedAnswer]) -> Result<(), Halt> {
    let Some(epic) = sheet.has_epic().then(|| sheet.items[0].title.clone()) else { return Ok(()) };
    let Some(nearest) = found.iter().find(|(title, _)| *title == epic).and_then(|(_, similar)| similar.first()) else {
        return Ok(());
    };
    match settled(answers, DUPLICATE_EPIC) {
        Settled::Below(key) => {
            sheet.left_out.push(format!("The stories go below {key}, which exists; no epic is created."));
            sheet.below = Some(key);
            sheet.items.remove(0);
            Ok(())
        }
        Settled::New => Ok(()),
        Settled::Open(odd) => {
            let question =
                format!("{}There may be an epic for this already: {nearest} ({}).", told(odd), nearest.place);
            let below =
                form::choice(format!("{BELOW}{}", nearest.key), format!("Put the stories below {}", nearest.key));
            let choices = vec![below, form::choice(NEW, "Create a new epic"), form::cancel()];
            Err(Halt::Ask(needed(DUPLICATE_EPIC, question, choices)))
        }
        Settled::Listed | Settled::LeftOut | Settled::Link(_) | Settled::Inform(_) | Settled::NewLinked(_) => Ok(()),
    }
}

/// The others among several.
fn of_parts(sheet: &mut Sheet, found: &[(String, Vec<Ticket>)], answers: &[ClarifiedAnswer]) -> Result<(), Halt> {
    let epic = sheet.has_epic().then(|| sheet.items[0].title.clone());
    let found: Vec<(&String, &Ticket)> = found
        .iter()
        .filter(|(title, _)| epic.as_ref() != Some(title) && sheet.items.iter().any(|item| item.title == *title))
        .filter_map(|(title, similar)| Some((title, similar.first()?)))
        .collect();
    if found.is_empty() {
        return Ok(());
    }
    match settled(answers, DUPLICATES) {
        Settled::LeftOut => {
            let names = |title: &String| found.iter().any(|(known, _)| *known == title);
            sheet.items.retain(|item| !names(&item.title));
            let left = |(title, ticket): &(&String, &Ticket)| format!("Left out: “{title}”, which may be {ticket}.");
            sheet.left_out.extend(found.iter().map(left));
            if sheet.items.is_empty() {
                return Err(Halt::Cannot("Nothing is left to create: all of it may exist already.".to_owned()));
            }
            Ok(())
        }
        Settled::New => Ok(()),
        Settled::Open(odd) => Err(Halt::Ask(of_several(&found, odd))),
        Settled::Listed | Settled::Link(_) | Settled::Inform(_) | Settled::Below(_) | Settled::NewLinked(_) => {
            Err(Halt::Ask(of_several(&found, None)))
        }
    }
}

fn of_several(found: &[(&String, &Ticket)], odd: Option<String>) -> Clarification {
    let line = |(title, ticket): &(&String, &Ticket)| format!("- “{title}”: {ticket} ({})", ticket.place);
    let lines: Vec<String> = found.iter().take(LISTED_SEVERAL_MAX).map(line).collect();
    let more = found.len().saturating_sub(LISTED_SEVERAL_MAX);
    let more = if more > 0 { format!("\n- and {more} more") } else { String::new() };
    let question = format!("{}Some of these may exist already:\n{}{more}", told(odd), lines.join("\n"));
    let them = if found.len() == 1 { offers::LEFT_OUT.to_owned() } else { format!("Leave out those {}", found.len()) };
    let choices = vec![form::choice(LEFT_OUT, them), form::choice(NEW, offers::ALL_NEW), form::cancel()];
    needed(DUPLICATES, question, choices)
}

/// The one that is most like it.
fn nearest(similar: &[Ticket], odd: Option<&str>) -> Clarification {
    let question = match similar.first() {
        Some(nearest) => format!("There may be a ticket about this already: {nearest} ({}).", nearest.place),
        None => "There may be a ticket about this already.".to_owned(),
    };
    let mut choices: Vec<Choice> = Vec::new();
    if let Some(nearest) = similar.first() {
        choices.push(form::choice(format!("{LINK}{}", nearest.key), format!("{} this", offers::LINK)));
        choices.push(form::choice(format!("{INFORM}{}", nearest.key), offers::INFORM));
    }
    choices.push(form::choice(NEW, offers::NEW));
    if let Some(nearest) = similar.first() {
        let label = format!("{} {}", offers::NEW_LINKED, nearest.key);
        choices.push(form::choice(format!("{NEW_LINKED}{}", nearest.key), label));
    }
    if similar.len() > 1 {
        choices.push(form::choice(MORE, format!("{} ({})", offers::MORE, similar.len() - 1)));
    }
    choices.push(form::cancel());
    needed(DUPLICATES, format!("{}{question}", told(odd.map(str::to_owned))), choices)
}

/// All of them.
fn listed(similar: &[Ticket]) -> Clarification {
    let mut choices = Vec::new();
    for ticket in similar.iter().take(LISTED_MAX) {
        choices.push(form::choice(format!("{LINK}{}", ticket.key), format!("{} {ticket}", offers::LINK)));
        choices.push(form::choice(format!("{INFORM}{}", ticket.key), format!("{} {}", offers::INFORM_TO, ticket.key)));
    }
    choices.push(form::choice(NEW, offers::NEW));
    choices.push(form::cancel());
    needed(DUPLICATES, "These may be about the same:".to_owned(), choices)
}

/// What was said last about `topic`.
fn settled(answers: &[ClarifiedAnswer], topic: &str) -> Settled {
    let Some(said) = form::answer(answers, topic) else { return Settled::Open(None) };
    let key = |mark: &str| said.strip_prefix(mark).map(TicketKey::new);
    match said {
        MORE => Settled::Listed,
        NEW => Settled::New,
        LEFT_OUT => Settled::LeftOut,
        _ => key(LINK)
            .map(Settled::Link)
            .or_else(|| key(INFORM).map(Settled::Inform))
            .or_else(|| key(BELOW).map(Settled::Below))
            .or_else(|| key(NEW_LINKED).map(Settled::NewLinked))
            .unwrap_or_else(|| Settled::Open(Some(text::clip(said, QUOTED)))),
    }
}

/// An odd answer, before the question is put again.
fn told(odd: Option<String>) -> String {
    odd.map(|said| format!("“{said}” is none of the ways on. ")).unwrap_or_default()
}

/// Topics.
const DUPLICATES: &str = "duplicates";
const DUPLICATE_EPIC: &str = "duplicates:epic";
/// Values of choices.
const NEW: &str = "create_new";
const MORE: &str = "show_more";
const LEFT_OUT: &str = "leave_out";
const LINK: &str = "link:";
const INFORM: &str = "inform:";
const BELOW: &str = "below:";
const NEW_LINKED: &str = "new_linked:";
/// Tickets that are shown as possibly the same.
const LISTED_MAX: usize = 5;
/// Items of several that are shown with what may be the same.
const LISTED_SEVERAL_MAX: usize = 15;
/// Searches under way at once: a tracker has to bear them.
const AT_ONCE: usize = 8;
/// Characters of an odd answer that are quoted back.
const QUOTED: usize = 60;
