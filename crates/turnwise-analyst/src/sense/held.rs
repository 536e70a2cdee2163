//! What becomes of the grammar's plan when it is held against the readings: it stands where they give the same or
//! cannot say it, and is asked about where something else is as good as certain, where it counts what was
//! joined by a way that was not said, where it has groups that nothing asks for, and where it lists what was to be
//! counted. Next: `super`.

use turnwise_core::PlanDraft;

use super::Planned;
use super::pieces::{Asks, Message, Place};
use super::results::Looks;
use crate::catalogue::Catalogue;
use crate::clauses;
use crate::coverage;
use crate::form::QueryForm;
use crate::question::{self, Question};
use crate::resolve;

/// How likely a reading must be that is held against a plan that no reading gives.
const OTHER_MIN: f64 = 0.93;
/// How likely what a plan gives must be for it to stand where nothing else is as good as certain, and where it counts
/// what was joined: of 369 plans for questions of 34 databases, of which 75 were wrong, the second took 3 right ones
/// and 10 wrong ones.
const KNOWN_MIN: f64 = 0.02;
const JOINED_MIN: f64 = 0.5;

/// What a plan is held against.
pub struct Held<'a> {
    pub catalogue: &'a Catalogue,
    pub looks: &'a Looks<'a>,
    pub message: &'a Message,
    /// What was said.
    pub text: &'a str,
    pub planned: &'a [Planned],
}

impl Held<'_> {
    /// Whether `plan` is asked about.
    pub fn is_doubted(&self, plan: &PlanDraft) -> bool {
        let Ok(form) = serde_json::from_str::<QueryForm>(&plan.form) else { return false };
        // What is of views was read with other tables.
        if form.catalogue != self.catalogue.fingerprint() {
            return false;
        }
        if self.has_unasked(&form) || self.only_lists(&form) {
            return true;
        }
        let Some(standing) = self.standing(plan) else { return false };
        (standing < JOINED_MIN && self.counts_joined(&form))
            || (standing < KNOWN_MIN && self.is_other_meant(&form, plan))
    }

    /// How likely what the plan gives is; nothing where that cannot be seen.
    fn standing(&self, plan: &PlanDraft) -> Option<f64> {
        let same = |one: &Planned| self.gives_same(one, plan).map(|same| if same { one.share } else { 0.0 });
        self.planned.iter().map(same).sum()
    }

    fn gives_same(&self, one: &Planned, plan: &PlanDraft) -> Option<bool> {
        if clauses::done_by(plan) == clauses::done_by(&one.plan) {
            return Some(true);
        }
        self.looks.are_alike(plan, &one.plan)
    }

    /// Whether a reading that rests on every word is as good as certain. What only the grammar can say is not held
    /// against anything, nor is what it reads as well.
    fn is_other_meant(&self, form: &QueryForm, plan: &PlanDraft) -> bool {
        let Some(other) = self.planned.iter().find(|one| self.gives_same(one, plan) == Some(false)) else {
            return false;
        };
        other.share >= OTHER_MIN
            && other.rests_on_all()
            && Question::of(self.catalogue, form).is_ok()
            && question::adds(&other.reading.question, plan)
    }

    /// Whether a number is over rows of one table that were found by those of another.
    fn counts_joined(&self, form: &QueryForm) -> bool {
        let joined =
            |measure| resolve::measure(self.catalogue, form, measure).is_ok_and(|it| it.query.once_per.is_some());
        form.measures.iter().any(joined)
    }

    /// Whether rows are listed where a number is asked for: "how many …", "what did we invoice …".
    fn only_lists(&self, form: &QueryForm) -> bool {
        let lists = form.measures.is_empty() && form.subject.is_some() && form.ranking.is_none() && !form.count_groups;
        let asks = || self.message.asks == Asks::Count || coverage::asks_what_is_done(self.catalogue, self.text);
        lists && asks()
    }

    /// Whether a form has groups beside its numbers that no word of the message asks for.
    fn has_unasked(&self, form: &QueryForm) -> bool {
        let message = self.message;
        let by = |place: Place| matches!(place, Place::Grouped | Place::Sought | Place::Ranked | Place::Measured(_));
        let said = message.pieces.iter().filter(|piece| piece.silent.is_none() && by(piece.place)).count();
        let said =
            said + message.grains.len() + usize::from(message.who || message.compared || message.ranked.is_some());
        // What is tested of groups needs them.
        let tested = form.count_groups || !form.conditions.is_empty() || form.ranking.is_some();
        let tested = tested || form.measures.iter().any(|measure| measure.over_groups.is_some());
        !form.measures.is_empty() && !tested && form.dimensions.len() > said
    }
}
