//! Keeping a drawing where the person sits: the surface that shows a chart also writes its file, as a browser saves a
//! picture. Nothing of the conversation changes by it. Next: `turnwise_chart::keep`.

use std::path::Path;

use turnwise_core::{AsideEvent, Conversation, Event, Existing, Fact, FactValue, Ground, Keeping, Presentation};

use turnwise_assistant::{Failure, FailureKind};
use turnwise_chart::KeepError;

/// Keeps the drawing that `event` asks for; what was done, in words. Nothing for any other event.
///
/// A file that is there already, the same to the byte, is a success: the same event may be shown by several surfaces.
#[must_use]
pub fn keep(event: &Event, state: &Conversation) -> Option<Result<String, Failure>> {
    let Event::Aside(AsideEvent::KeepingAsked { fact, presentation, keeping }) = event else { return None };
    Some(match state.facts().get(fact) {
        Some(fact) => draw(state, fact, *presentation, keeping),
        None => Err(not_drawn("the result is not held any more; ask for it again")),
    })
}

/// Draws `fact` and keeps it.
///
/// # Errors
/// When it cannot be drawn, something else is there, or the system refuses.
pub fn draw(
    state: &Conversation,
    fact: &Fact,
    presentation: Presentation,
    keeping: &Keeping,
) -> Result<String, Failure> {
    let FactValue::Table(table) = &fact.body.value else {
        return Err(not_drawn("the result is a text and has nothing to draw"));
    };
    let kind = turnwise_chart::natural(table, presentation);
    let kind = turnwise_chart::Kind::of(presentation).unwrap_or(kind);
    let chart =
        turnwise_chart::chart(table, kind, &title(state, fact)).map_err(|error| not_drawn(&error.to_string()))?;
    let kept = turnwise_chart::keep(&chart, Path::new(&keeping.file), keeping.existing, keeping.ground);
    kept.map(|kept| kept.told()).map_err(|error| failure(error, keeping.existing))
}

/// What a chart of `fact` is called: the task it answers, else its name.
#[must_use]
pub fn title(state: &Conversation, fact: &Fact) -> String {
    let is_of = |plan: &&std::sync::Arc<turnwise_core::Plan>| {
        plan.draft().result == *fact.name() || plan.draft().drawn_from() == fact.name()
    };
    let plan = state.plan().filter(is_of);
    let title = plan.map_or_else(|| fact.name().as_str().replace('_', " "), |plan| plan.draft().title.clone());
    let mut letters = title.trim().chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn not_drawn(why: &str) -> Failure {
    Failure::new(FailureKind::Usage, format!("no chart was written: {}", lower(why)))
}

/// A sentence as the second half of another.
fn lower(text: &str) -> String {
    let mut letters = text.trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Who can do something about a file that was not written.
#[must_use]
pub fn failure(error: KeepError, existing: Existing) -> Failure {
    let told = error.to_string();
    match error {
        KeepError::Exists { .. } if existing == Existing::Stays => Failure::new(FailureKind::Usage, told)
            .hint("`/chart FILE replace`, or --replace of `turnwise ask`, replaces it; another name keeps both"),
        KeepError::Exists { .. } | KeepError::Ending { .. } => Failure::new(FailureKind::Usage, told),
        KeepError::Drawing { .. } | KeepError::Writing { .. } => {
            Failure::new(FailureKind::Operator, "the chart was not written").caused_by(error)
        }
    }
}

/// A file kept as the person asked on the command line.
#[must_use]
pub fn asked(file: &Path, existing: Existing, ground: Ground) -> Keeping {
    Keeping { file: file.display().to_string(), existing, ground }
}
