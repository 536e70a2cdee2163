//! `turnwise exemplars review`: what past conversations propose, each with its reason, where it was said, and how it is
//! read today. On a terminal each is asked about; elsewhere they are listed. Next: `decide`.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use serde::Serialize;
use turnwise_intent::edit::scalar;
use turnwise_intent::evaluate::Answer;

use super::args::ReviewArguments;
use super::decide::{self, Desk};
use super::harvest::Reason;
use super::proposals::{Obstacle, Proposal, Proposals, Seen};
use crate::channel::draw::visible;
use crate::cli::tell;
use turnwise_assistant::{Failure, FailureKind};

/// Lists the proposals, or asks about each.
///
/// # Errors
/// When there is no such assistant, a file of its profile is wrong, or whatever the store says.
pub async fn review(arguments: &ReviewArguments) -> Result<ExitCode, Failure> {
    let desk = Desk::open(&arguments.learning).await?;
    if arguments.json {
        let json = serde_json::to_string_pretty(&Listed::of(&desk.proposals, &arguments.learning.assistant))
            .map_err(|error| Failure::new(FailureKind::Defect, "proposals cannot be put into JSON").caused_by(error))?;
        return tell(&json).map(|()| ExitCode::SUCCESS);
    }
    let heading = heading(&desk.proposals, &arguments.learning.assistant);
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() && !arguments.list {
        tell(&heading)?;
        return ask(desk);
    }
    let mut parts = vec![heading];
    parts.extend(desk.proposals.open.iter().map(shown));
    if !desk.proposals.open.is_empty() {
        let name = &arguments.learning.assistant;
        parts.push(format!(
            "To learn some: turnwise exemplars accept --assistant {name} NUMBER… (or all)\n\
             To have some not proposed again: turnwise exemplars reject --assistant {name} NUMBER…"
        ));
    }
    tell(&parts.join("\n\n")).map(|()| ExitCode::SUCCESS)
}

fn heading(found: &Proposals, assistant: &str) -> String {
    let count = |number: usize, noun: &str| turnwise_core::text::count(number, noun);
    let (messages, conversations) = (count(found.messages, "message"), count(found.conversations, "conversation"));
    match found.open.len() {
        0 => format!("Nothing is proposed for {assistant}: {messages} in {conversations} were looked through."),
        open => format!(
            "{} for {assistant}, from {messages} in {conversations}. Nothing is learned unless you accept it.",
            count(open, "proposal")
        ),
    }
}

/// A proposal as a person sees it; the words stand there exactly as they would be stored.
pub fn shown(proposal: &Proposal) -> String {
    let mut lines = vec![format!("{:>3}  {}:", proposal.number, proposal.label)];
    lines.push(format!("       - {}", scalar(&proposal.text)));
    lines.extend(proposal.seen.iter().take(SEEN_SHOWN_MAX).map(|seen| format!("     {}", occasion(seen))));
    if let Some(more) = proposal.seen.len().checked_sub(SEEN_SHOWN_MAX).filter(|more| *more > 0) {
        lines.push(format!("     and {more} more times"));
    }
    lines.push(format!("     read today: {}", today(&proposal.today)));
    if let Some(obstacle) = &proposal.obstacle {
        lines.push(format!("     cannot be accepted: {}", in_words(obstacle)));
    }
    lines.join("\n")
}

fn occasion(seen: &Seen) -> String {
    let quoted = |words: &str| visible(&turnwise_core::text::clip(words, QUOTE_WIDTH));
    let why = match &seen.reason {
        Reason::Chosen => "it was unclear, and you chose this reading".to_owned(),
        Reason::Reworded { words } => format!("it was unclear, and you then said \"{}\"", quoted(words)),
        Reason::Corrected { words, was } => {
            format!("it was read as {was}, and you corrected that: \"{}\"", quoted(words))
        }
        Reason::Model => "rules and exemplars were unsure, and the model read it so".to_owned(),
    };
    format!("{why} (conversation {}, message {})", seen.conversation, seen.message.number())
}

fn today(answer: &Answer) -> String {
    match (&answer.label, answer.acted_on) {
        (Some(label), true) => format!("as {label} at {:.2}, and acted on", answer.confidence),
        (Some(label), false) => format!("not surely; likeliest {label} at {:.2}, it would ask", answer.confidence),
        (None, _) => "as nothing this assistant knows".to_owned(),
    }
}

/// Why it cannot be accepted, with what to do instead.
pub fn in_words(obstacle: &Obstacle) -> String {
    match obstacle {
        Obstacle::Rule(rule) => {
            format!("{rule}; rules come before exemplars, so change the rule in assistant.yaml instead")
        }
        Obstacle::ExemplarOf(label) => format!("it is an exemplar of {label} already; move it in exemplars.yaml"),
    }
}

/// Asks about each proposal. What was accepted is written at once, so that leaving in the middle loses nothing; an end
/// of input accepts nothing.
fn ask(mut desk: Desk) -> Result<ExitCode, Failure> {
    let mut accepted = Vec::new();
    for proposal in desk.proposals.open.clone() {
        tell(&format!("\n{}", shown(&proposal)))?;
        let choices = if proposal.obstacle.is_some() { "r reject, s skip, q quit" } else { ASKED };
        match answered(choices)? {
            Some('a') if proposal.obstacle.is_none() => {
                desk.learn(std::slice::from_ref(&proposal))?;
                accepted.push(proposal);
            }
            Some('r') => desk.turn_down(&[proposal], None)?,
            Some('s') => {}
            _ => break,
        }
    }
    decide::verify(&desk, &accepted)?;
    Ok(ExitCode::SUCCESS)
}

/// The first letter of an answer that is one of `choices`; `None` at the end of input.
fn answered(choices: &str) -> Result<Option<char>, Failure> {
    let failed =
        |error: std::io::Error| Failure::new(FailureKind::Operator, "standard input or output fails").caused_by(error);
    loop {
        let mut out = std::io::stdout();
        write!(out, "{choices} > ").and_then(|()| out.flush()).map_err(failed)?;
        let mut line = String::new();
        if std::io::stdin().read_line(&mut line).map_err(failed)? == 0 {
            tell("")?;
            return Ok(None);
        }
        let letter = line.trim().chars().next().map(|letter| letter.to_ascii_lowercase());
        let is_offered = |letter: &char| choices.split(", ").any(|choice| choice.starts_with(*letter));
        if let Some(letter) = letter.filter(is_offered) {
            return Ok(Some(letter));
        }
    }
}

/// The proposals as JSON.
#[derive(Serialize)]
struct Listed<'p> {
    assistant: &'p str,
    conversations: usize,
    messages: usize,
    proposals: Vec<ListedProposal<'p>>,
}

#[derive(Serialize)]
struct ListedProposal<'p> {
    number: usize,
    text: &'p str,
    label: String,
    seen: Vec<ListedSeen<'p>>,
    today: ListedAnswer,
    obstacle: Option<String>,
}

#[derive(Serialize)]
struct ListedSeen<'p> {
    conversation: &'p str,
    message: u64,
    why: String,
}

#[derive(Serialize)]
struct ListedAnswer {
    label: Option<String>,
    confidence: f32,
    acts: bool,
}

impl<'p> Listed<'p> {
    fn of(found: &'p Proposals, assistant: &'p str) -> Self {
        let seen = |seen: &'p Seen| ListedSeen {
            conversation: seen.conversation.as_str(),
            message: seen.message.number(),
            why: occasion(seen),
        };
        let one = |proposal: &'p Proposal| ListedProposal {
            number: proposal.number,
            text: &proposal.text,
            label: proposal.label.to_string(),
            seen: proposal.seen.iter().map(seen).collect(),
            today: ListedAnswer {
                label: proposal.today.label.as_ref().map(ToString::to_string),
                confidence: proposal.today.confidence,
                acts: proposal.today.acted_on,
            },
            obstacle: proposal.obstacle.as_ref().map(in_words),
        };
        let proposals = found.open.iter().map(one).collect();
        Self { assistant, conversations: found.conversations, messages: found.messages, proposals }
    }
}

const ASKED: &str = "a accept, r reject, s skip, q quit";
/// Characters of a message quoted in a reason.
const QUOTE_WIDTH: usize = 60;
/// Occasions listed with a proposal; the rest is counted.
const SEEN_SHOWN_MAX: usize = 3;
