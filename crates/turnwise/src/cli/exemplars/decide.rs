//! `turnwise exemplars accept` and `reject`: a person's decisions about proposals. Accepting appends to the person's
//! own `exemplars.yaml`, checks that the words are then read as proposed, and says so; rejecting is remembered. Next:
//! `rejected`, `review`.

use std::process::ExitCode;
use std::sync::Arc;

use turnwise_core::{ReadContext, Reader as _};
use turnwise_intent::edit::{scalar, with_exemplars};
use turnwise_intent::evaluate::Answer;
use turnwise_intent::{Exemplar, IntentReader};

use super::args::{AcceptArguments, DeclineArguments, LearningArguments};
use super::proposals::{Proposal, Proposals, collect};
use super::rejected::{self, Rejection};
use super::review::in_words;
use crate::cli::args::StoreArguments;
use crate::cli::own::{Own, ProfileFile};
use crate::cli::tell;
use crate::cli::{open, profiles};
use turnwise_assistant::{Failure, FailureKind};

/// The proposals for a profile, and the files that decisions about them change.
pub struct Desk {
    /// What is proposed.
    pub proposals: Proposals,
    own: Own,
    reader: IntentReader,
}

impl Desk {
    /// Looks through the conversations that the arguments name.
    ///
    /// # Errors
    /// When there is no such assistant, a file of its profile is wrong, or whatever the store says.
    pub async fn open(arguments: &LearningArguments) -> Result<Self, Failure> {
        let own = Own::of(&arguments.assistant)?;
        let reader = profiles::reader(&arguments.assistant)?;
        let rejected = rejected::read(&own.folder)?;
        let driver = open::driver(&StoreArguments { db: arguments.db.clone(), ephemeral: false })?;
        let store = Arc::clone(driver.store());
        let proposals = collect(store.as_ref(), &reader, &rejected).await?;
        Ok(Self { proposals, own, reader })
    }

    /// The open proposals with these numbers, each once.
    fn wanted(&self, wanted: &[String]) -> Result<Vec<Proposal>, Failure> {
        let open = &self.proposals.open;
        if wanted.iter().any(|one| one == ALL) {
            return Ok(open.clone());
        }
        let mut found: Vec<Proposal> = Vec::new();
        for one in wanted {
            let named = one.parse().ok().and_then(|number: usize| open.iter().find(|open| open.number == number));
            let Some(proposal) = named else {
                return Err(Failure::new(FailureKind::Usage, format!("there is no open proposal {one}"))
                    .hint("turnwise exemplars review lists them with their numbers; all takes every one"));
            };
            if !found.iter().any(|other| other.number == proposal.number) {
                found.push(proposal.clone());
            }
        }
        Ok(found)
    }

    /// Appends the words of `accepted` to the person's exemplars.
    ///
    /// # Errors
    /// When the file cannot be changed, or was changed meanwhile.
    pub fn learn(&mut self, accepted: &[Proposal]) -> Result<(), Failure> {
        let additions: Vec<Exemplar> =
            accepted.iter().map(|one| Exemplar { text: one.text.clone(), label: one.label.clone() }).collect();
        let text = with_exemplars(self.own.text(ProfileFile::Exemplars), &additions).map_err(|error| {
            Failure::new(FailureKind::Usage, format!("{}: {error}", self.own.folder.display())).caused_by(error)
        })?;
        let changed = self.own.with(ProfileFile::Exemplars, text);
        // What would not be read again is not written.
        changed.profile()?;
        let path = self.own.write(ProfileFile::Exemplars, &changed)?;
        self.own = changed;
        for one in accepted {
            tell(&format!("{} is now an exemplar of {} in {}", scalar(&one.text), one.label, path.display()))?;
        }
        Ok(())
    }

    /// Remembers that `proposals` were rejected.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn turn_down(&self, proposals: &[Proposal], reason: Option<&str>) -> Result<(), Failure> {
        let rejection = |one: &Proposal| Rejection {
            text: one.text.clone(),
            label: one.label.to_string(),
            reason: reason.map(str::to_owned),
        };
        let path = rejected::add(&self.own.folder, &proposals.iter().map(rejection).collect::<Vec<_>>())?;
        for one in proposals {
            tell(&format!("{} will not be proposed for {} again ({})", scalar(&one.text), one.label, path.display()))?;
        }
        Ok(())
    }
}

/// `turnwise exemplars accept`.
///
/// # Errors
/// When a number names no open proposal or one that cannot be accepted, or the file cannot be changed.
pub async fn accept(arguments: &AcceptArguments) -> Result<ExitCode, Failure> {
    let mut desk = Desk::open(&arguments.learning).await?;
    let wanted = desk.wanted(&arguments.numbers)?;
    let takes_all = arguments.numbers.iter().any(|one| one == ALL);
    let (blocked, accepted): (Vec<Proposal>, Vec<Proposal>) =
        wanted.into_iter().partition(|one| one.obstacle.is_some());
    for (one, obstacle) in blocked.iter().filter_map(|one| Some((one, one.obstacle.as_ref()?))) {
        let problem = format!("proposal {} cannot be accepted: {}", one.number, in_words(obstacle));
        if !takes_all {
            return Err(Failure::new(FailureKind::Usage, problem).hint("nothing was changed"));
        }
        tell(&problem.to_string())?;
    }
    if accepted.is_empty() {
        tell("There is nothing to accept.")?;
        return Ok(ExitCode::SUCCESS);
    }
    desk.learn(&accepted)?;
    verify(&desk, &accepted)
}

/// `turnwise exemplars reject`.
///
/// # Errors
/// When a number names no open proposal, or the decision cannot be kept.
pub async fn reject(arguments: &DeclineArguments) -> Result<ExitCode, Failure> {
    let desk = Desk::open(&arguments.learning).await?;
    let wanted = desk.wanted(&arguments.numbers)?;
    if wanted.is_empty() {
        tell("There is nothing to reject.")?;
        return Ok(ExitCode::SUCCESS);
    }
    desk.turn_down(&wanted, arguments.reason.as_deref())?;
    Ok(ExitCode::SUCCESS)
}

/// Reads the accepted words with what was learned, and tells how; exit code 1 when one is not read as proposed.
///
/// # Errors
/// When the exemplars cannot be fitted.
pub fn verify(desk: &Desk, accepted: &[Proposal]) -> Result<ExitCode, Failure> {
    if accepted.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let reader = profiles::reader_of(&desk.own.name, desk.own.profile()?, &desk.reader)?;
    let mut code = ExitCode::SUCCESS;
    for one in accepted {
        let answer = Answer::of(&reader.read(&one.text, &ReadContext::default()));
        let read = answer.label.as_ref().map_or_else(|| "nothing".to_owned(), ToString::to_string);
        if answer.label.as_ref() == Some(&one.label) && answer.acted_on {
            tell(&format!("{} is read as {read} at {:.2} now", scalar(&one.text), answer.confidence))?;
        } else {
            tell(&format!("{} is still read as {read}; `turnwise why --text` says why", scalar(&one.text)))?;
            code = ExitCode::FAILURE;
        }
    }
    if desk.reader.profile().fitted.is_some() {
        tell("Temperature and thresholds were fitted on the exemplars before; `turnwise exemplars fit` does it anew.")?;
    }
    Ok(code)
}

const ALL: &str = "all";
