//! What the tools do: each is what a person could do on any other surface, through the driver, and written into the
//! log with this surface's name. Next: `forms`.

use std::time::Duration;

use serde_json::{Value, json};
use turnwise_assistant::{Failure, FailureKind, nearest_of};
use turnwise_core::{Conversation, Event, FactValue, PersonId, Seen, Sequence, Verdict};

use super::forms::{self, Format, read};
use super::{Deciding, Host, Server};
use crate::channel::draw::{Look, Paint, paint, said};
use crate::driver::{DriverError, Reference, Session};

impl<H: Host> Server<H> {
    /// Does what a tool does; what it answers is JSON, or the proof as it is.
    pub(super) async fn call(&self, person: &PersonId, name: &str, arguments: Value) -> Result<String, Failure> {
        match name {
            "ask" => self.ask(person, read(name, arguments)?).await.map(|told| told.to_string()),
            "pending" => self.pending(person, read(name, arguments)?).await.map(|told| told.to_string()),
            "decide" => self.decide(person, read(name, arguments)?).await.map(|told| told.to_string()),
            "facts" => self.facts(person, read(name, arguments)?).await.map(|told| told.to_string()),
            "proof" => {
                let forms::Proof { conversation, format } = read(name, arguments)?;
                let session = self.host.session(Some(&conversation), person).await?;
                self.host.proof(&session, format == Format::Json).await
            }
            _ => {
                let names = ["ask", "pending", "decide", "facts", "proof"];
                let near = nearest_of(name, names).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                Err(Failure::new(FailureKind::Usage, format!("there is no tool `{name}`{near}")))
            }
        }
    }

    async fn ask(&self, person: &PersonId, asked: forms::Ask) -> Result<Value, Failure> {
        let session = self.host.session(asked.conversation.as_deref(), person).await?;
        let session = match self.deciding {
            Deciding::ByPeople => session.on_behalf_of_program(SURFACE),
            Deciding::Allowed => session.on(SURFACE),
        };
        let before = session.conversation();
        if self.deciding == Deciding::ByPeople
            && let Some(open) = before.pending().iter().find(|open| !open.may_be_talked_about())
        {
            let told = before.asked(open).map(|(words, _)| words).unwrap_or_default();
            return Err(by_people(&format!("this conversation waits for a person: {}", first_line(&told))));
        }
        // What was open when this was sent: words that would decide on something newer are refused.
        let seen = Seen::at(&before, before.sequence());
        session.say_about(person, &asked.message, seen, Session::new_key()).await?;
        self.answered(&session, before.sequence()).await
    }

    async fn decide(&self, person: &PersonId, decided: forms::Decide) -> Result<Value, Failure> {
        if self.deciding == Deciding::ByPeople {
            return Err(by_people("deciding through this server is not allowed"));
        }
        let wrong = |error: String| Failure::new(FailureKind::Usage, format!("that is no signed reference: {error}"));
        let reference: Reference = decided.reference.parse().map_err(|error| wrong(format!("{error}")))?;
        let session = self.host.referred(&decided.reference, person).await?.on(SURFACE);
        let verdict = match (decided.verdict, decided.text) {
            (forms::Verdict::Approve, None) => Verdict::Approve,
            (forms::Verdict::Approve, Some(note)) => Verdict::ApproveNoting { note },
            (forms::Verdict::Reject, None) => Verdict::Reject,
            (forms::Verdict::Reject, Some(reason)) => Verdict::RejectBecause { reason },
            (forms::Verdict::Answer, Some(text)) => Verdict::Say { text },
            (forms::Verdict::Answer, None) => {
                return Err(Failure::new(FailureKind::Usage, "an answer needs its text"));
            }
        };
        let from = session.conversation().sequence();
        session.decide_by(person, &reference, verdict, Session::new_key()).await?;
        self.answered(&session, from).await
    }

    /// Waits until nothing is awaited any more, and gives what was said since `from`, and what waits.
    async fn answered(&self, session: &Session, from: Sequence) -> Result<Value, Failure> {
        let mut state = session.state();
        let settled =
            tokio::time::timeout(Duration::from_secs(SETTLE_SECONDS_MAX), state.wait_for(|state| !state.is_busy()));
        let is_settled = match settled.await {
            Ok(Ok(_)) => true,
            Ok(Err(_)) => return Err(DriverError::ShutDown.into()),
            Err(_) => false,
        };
        let mut told = Vec::new();
        let mut after = from;
        let until = session.conversation().sequence();
        while after < until {
            let page = session.page(after).await?;
            let Some(last) = page.last() else { break };
            after = last.sequence;
            for recorded in &page {
                if let Event::Said { text, card, .. } = &recorded.event {
                    let lines = said(text, card.as_ref(), Look::pipe());
                    told.extend(lines.iter().map(|line| paint(line, Paint::Plain).to_string()));
                }
            }
        }
        let state = session.conversation();
        Ok(json!({
            "conversation": session.id(),
            "said": told.join("\n"),
            "is_settled": is_settled,
            "waits": waits(session, &state).await?,
        }))
    }

    async fn pending(&self, person: &PersonId, asked: forms::Pending) -> Result<Value, Failure> {
        let sessions = match &asked.conversation {
            Some(id) => vec![self.host.session(Some(id), person).await?],
            None => self.host.waiting(person).await?,
        };
        let mut all = Vec::new();
        for session in &sessions {
            all.extend(waits(session, &session.conversation()).await?);
        }
        Ok(json!({ "waits": all }))
    }

    async fn facts(&self, person: &PersonId, asked: forms::Facts) -> Result<Value, Failure> {
        let session = self.host.session(Some(&asked.conversation), person).await?;
        let state = session.conversation();
        let facts: Vec<Value> = state
            .facts()
            .iter()
            .map(|(_, fact)| {
                let value = match &fact.body.value {
                    FactValue::Text(text) => json!(text),
                    FactValue::Table(table) => json!({
                        "columns": table.columns, "rows": table.rows, "total_rows": table.total_rows,
                    }),
                };
                json!({"name": fact.name(), "value": value, "source": fact.body.source, "query": fact.body.query})
            })
            .collect();
        Ok(json!({ "conversation": session.id(), "facts": facts }))
    }
}

/// The open questions of a conversation, each with its signed reference.
async fn waits(session: &Session, state: &Conversation) -> Result<Vec<Value>, Failure> {
    let mut all = Vec::new();
    for pending in state.pending() {
        let (words, card) = state.asked(pending).unwrap_or_default();
        let lines = said(&words, card.as_ref(), Look::pipe());
        let shown: Vec<String> = lines.iter().map(|line| paint(line, Paint::Plain).to_string()).collect();
        all.push(json!({
            "conversation": session.id(),
            "reference": session.reference(pending).await?.to_string(),
            "asks": shown.join("\n"),
            "by_people": !pending.may_be_talked_about(),
        }));
    }
    Ok(all)
}

fn by_people(told: &str) -> Failure {
    Failure::new(FailureKind::Usage, told.to_owned())
        .hint("people decide, on the page, in a chat, or with `turnwise approve`")
        .hint("an operator who wants it otherwise starts `turnwise mcp --let-decide`")
}

fn first_line(told: &str) -> &str {
    told.lines().next().unwrap_or_default()
}

/// How long a call waits for what comes of it; what takes longer is looked at with `pending` and `facts`.
const SETTLE_SECONDS_MAX: u64 = 300;
/// What people call this surface.
const SURFACE: &str = "MCP";
