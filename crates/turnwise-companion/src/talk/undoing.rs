//! Undoing in a conversation: what was taken back is told, and the talk goes on where it was before. Next:
//! `store::undo`.

use turnwise_core::text;

use super::place::Place;
use super::run::{Effect, Outcome, focus};
use super::setup;
use super::told::numbered;
use crate::store::{Did, NoteState, Operation, Project, ProjectState, Since, StoreError, Thing, Undo, Undone};
use crate::voice::VOICE;

impl Place<'_> {
    pub(super) fn undo(&self, operation: &Operation) -> Result<Outcome, StoreError> {
        let focused = self.focus()?;
        let outcome = self.store.once(&self.person, operation, self.now_ms, |change| {
            let Some(undone) = change.undo()? else {
                return Ok(Outcome { said: VOICE.undo_nothing.plain(), project: None, effects: Vec::new() });
            };
            let project = undone.project.as_ref();
            if !undone.is_done {
                return Ok(Outcome {
                    said: not_done(&undone),
                    project: project.map(|it| it.id.clone()),
                    effects: vec![],
                });
            }
            let (mut said, effects) = told(&undone);
            if let (Some(project), Undo::Seed { field, .. }) = (project, &undone.change)
                && project.state == ProjectState::Drafting
                && focused.project.as_ref() == Some(&project.id)
            {
                // What was answered is asked again, or as it was before.
                let open = change.seed(&project.id)?.open();
                change.set_focus(self.conversation, &focus(&project.id, open))?;
                let asked = open.unwrap_or(*field);
                said = format!("{said} {}", VOICE.ask(asked));
            }
            if let (Some(project), Undo::Finalized) = (project, &undone.change) {
                change.set_focus(self.conversation, &focus(&project.id, None))?;
                let seed = setup::listed(&change.seed(&project.id)?);
                said = VOICE.undone_finalized.with(&[("project", &project.name), ("seed", &seed)]);
            }
            let left = project.and_then(|project| Some(left_as_it_is(project, undone.since.as_ref()?)));
            let said = [Some(said), left].into_iter().flatten().collect::<Vec<_>>().join(" ");
            Ok(Outcome { said, project: project.map(|project| project.id.clone()), effects })
        });
        self.store.work_out_soon();
        outcome
    }
}

/// What is said of something that was undone, and what changed by it.
fn told(undone: &Undone) -> (String, Vec<Effect>) {
    let effect = |kind: &str, note: Option<i64>| Effect { kind: kind.to_owned(), note };
    let Some(project) = &undone.project else {
        if let Undo::PersonalAgain { text, .. } = &undone.change {
            return (VOICE.personal_again.with(&[("text", text)]), vec![effect("personal_fact_kept", None)]);
        }
        let text = undone.forgotten.as_deref().unwrap_or_default();
        return (VOICE.personal_back.with(&[("text", text)]), vec![effect("personal_fact_taken_back", None)]);
    };
    let name = ("project", project.name.as_str());
    match &undone.change {
        Undo::TakeBack { number } => {
            let said = VOICE.notes_back.with(&[name, ("notes", &numbered(&[*number]))]);
            (said, vec![effect("note_taken_back", Some(*number))])
        }
        Undo::MoveBack { notes } => moved(project, notes),
        Undo::Text { number, before } => {
            let number_told = number.to_string();
            let said = VOICE.note_edited.with(&[name, ("number", &number_told), ("text", before)]);
            (said, vec![effect("note_edited", Some(*number))])
        }
        Undo::GroupAgain { group, .. } => {
            let said = VOICE.undone_group_again.with(&[name, ("label", &group.label)]);
            (said, vec![effect("note_grouped", None)])
        }
        Undo::Groups { .. } if undone.since.is_some() => {
            (VOICE.undone_groups_own.with(&[name]), vec![effect("note_grouped", None)])
        }
        Undo::Groups { .. } => (VOICE.undone_groups.with(&[name]), vec![effect("note_grouped", None)]),
        Undo::Seed { field, .. } => {
            (VOICE.undone_setup.with(&[name, ("field", &VOICE.label(*field))]), vec![effect("setup_changed", None)])
        }
        // What it reads is told where the project is at hand.
        Undo::Finalized => (String::new(), vec![effect("project_reopened", None)]),
        Undo::Name { .. } => (VOICE.undone_name.with(&[name]), vec![effect("project_renamed", None)]),
        Undo::Specification { name: of, .. } => {
            (VOICE.undone_specification.with(&[name, ("name", of)]), vec![effect("specification_written", None)])
        }
        Undo::Artefact { name: of, version } => {
            let version = version.to_string();
            let said = VOICE.undone_artefact.with(&[name, ("name", of), ("version", &version)]);
            (said, vec![effect("artefact_taken_back", None)])
        }
        Undo::Personal { .. } | Undo::PersonalAgain { .. } | Undo::Never { .. } => {
            (VOICE.undo_nothing.plain(), Vec::new())
        }
    }
}

/// What is said where nothing was undone.
fn not_done(undone: &Undone) -> String {
    match (&undone.change, &undone.project, &undone.since) {
        (Undo::Never { did, name }, ..) => {
            let name = [("name", name.as_str())];
            let said = match did {
                Did::Began => &VOICE.undo_never_began,
                Did::Brought => &VOICE.undo_never_brought,
                Did::Deleted => &VOICE.undo_never_deleted,
                Did::Left => &VOICE.undo_never_left,
                Did::Invited => &VOICE.undo_never_invited,
                Did::Withdrew => &VOICE.undo_never_withdrew,
                Did::Joined => &VOICE.undo_never_joined,
                Did::Declined => &VOICE.undo_never_declined,
                Did::Wrote => &VOICE.undo_never_wrote,
            };
            format!("{} {}", said.with(&name), VOICE.undo_further.plain())
        }
        (_, Some(project), Some(since)) => {
            format!("{} {}", left_as_it_is(project, since), VOICE.undo_further.plain())
        }
        (_, Some(project), None) => VOICE.undo_over.with(&[("project", &project.name)]),
        (_, None, _) => VOICE.undo_nothing.plain(),
    }
}

/// What others changed since, and that it stays so.
fn left_as_it_is(project: &Project, since: &Since) -> String {
    let mut notes = Vec::new();
    let mut things = Vec::new();
    for thing in &since.things {
        match thing {
            Thing::Note(number) => notes.push(*number),
            Thing::Group(label) => things.push(VOICE.thing_group.with(&[("label", label)])),
            Thing::Seed(field) => things.push(VOICE.thing_seed.with(&[("field", &VOICE.label(*field))])),
            Thing::Name => things.push(VOICE.thing_name.plain()),
            Thing::Specification(name) => things.push(VOICE.thing_specification.with(&[("name", name)])),
        }
    }
    things.extend((!notes.is_empty()).then(|| numbered(&notes)));
    let things = text::listed(&things);
    let by = since.by.as_ref().map_or_else(|| VOICE.somebody.plain(), ToString::to_string);
    VOICE.undo_changed_since.with(&[("person", &by), ("project", &project.name), ("things", &things)])
}

/// Notes that stand where they stood: most were in one state, and that is told.
fn moved(project: &Project, notes: &[(i64, NoteState)]) -> (String, Vec<Effect>) {
    let mut numbers: Vec<i64> = notes.iter().map(|(number, _)| *number).collect();
    numbers.sort_unstable();
    let waited = notes.iter().all(|(_, state)| *state == NoteState::Held);
    let values = [("project", project.name.as_str()), ("notes", &numbered(&numbers))];
    let said = if waited { VOICE.notes_wait_again.with(&values) } else { VOICE.notes_again.with(&values) };
    let kind = |state: NoteState| match state {
        NoteState::Held => "note_waiting",
        NoteState::Committed => "note_saved",
        NoteState::Retracted => "note_taken_back",
    };
    let effect = |(number, state): &(i64, NoteState)| Effect { kind: kind(*state).to_owned(), note: Some(*number) };
    (said, notes.iter().map(effect).collect())
}

#[cfg(test)]
mod tests {
    use turnwise_core::{ConversationId, PersonId};

    use super::super::weeks::World;

    /// Says `lines` as “name: words”, each person in their own conversation, in a project Boat that ada and ben share;
    /// gives each reply.
    fn told(lines: &[&str]) -> Vec<String> {
        let mut world = World::new();
        world.agrees = true;
        let begun =
            ["ada: start a new project called Boat", "ada: a boat", "ada: cancel", "ada: invite ben to the project"];
        let all = begun.iter().chain(&["ben: join Boat"]).chain(lines);
        let mut say = |line: &&str| {
            let (who, said) = line.split_once(": ").unwrap_or(("ada", line));
            world.say(&ConversationId::new(format!("{who}-1")), &PersonId::new(who), said)
        };
        all.map(&mut say).skip(begun.len() + 1).collect()
    }

    #[test]
    fn what_others_changed_since_stays_as_it_is_and_they_are_named() {
        for (lines, undone, then) in [
            (
                &["ada: The keel is oak", "ben: change note 1 to the keel is elm", "ada: undo", "ada: show note 1"][..],
                "ben has changed note 1 in Boat since, so that stays as it is.",
                "#1: the keel is elm",
            ),
            (
                &["ada: The keel is oak", "ben: save note 1", "ada: undo", "ada: show note 1"],
                "ben has changed note 1 in Boat since",
                "#1: The keel is oak",
            ),
            (
                &[
                    "ada: The keel is oak",
                    "ada: The mast is tall",
                    "ada: save notes 1-2",
                    "ben: take back note 2",
                    "ada: undo",
                    "ada: show me my notes",
                ],
                "Waiting again in Boat: note 1. ben has changed note 2 in Boat since",
                "#1: The keel is oak (waiting)",
            ),
            (
                &[
                    "ada: rename the project to Ship",
                    "ben: rename the project to Barge",
                    "ada: undo",
                    "ada: list my projects",
                ],
                "ben has changed the name in Barge since",
                "Your projects: Barge.",
            ),
            (
                &[
                    "ada: The keel is oak",
                    "ada: group note 1 as Hull",
                    "ben: The rudder is ash",
                    "ben: put note 2 into the group Hull",
                    "ada: undo",
                    "ada: show my groups",
                ],
                "What you grouped last in Boat is undone. ben has changed the group “Hull” in Boat since",
                "Hull: note 2",
            ),
        ] {
            let told = told(lines);
            let (last, look) = (&told[told.len() - 2], &told[told.len() - 1]);
            assert!(last.contains(undone), "{lines:?}: {last}");
            assert!(look.contains(then), "{lines:?}: {look}");
        }
        // What others did and took back themselves is no hindrance.
        let told = told(&["ada: The keel is oak", "ben: save note 1", "ben: undo", "ada: undo"]);
        assert_eq!(told[3], "Taken back in Boat: note 1.");
    }

    #[test]
    fn what_cannot_be_undone_stands_in_the_way_of_what_is_older() {
        let told = told(&["ada: The keel is oak", "ada: invite cy to the project", "ada: undo", "ada: undo"]);
        assert!(told[2].starts_with("An invitation is not undone but withdrawn"), "{}", told[2]);
        assert_eq!(told[3], "Taken back in Boat: note 1.");
    }

    #[test]
    fn a_group_that_was_dropped_comes_back_with_its_notes() {
        let told = told(&[
            "ada: The keel is oak",
            "ada: The rudder is ash",
            "ada: group notes 1 and 2 as Hull",
            "ada: drop the group Hull",
            "ada: undo",
            "ada: show my groups",
            "ada: undo",
            "ada: show my groups",
        ]);
        assert_eq!(told[4], "The group “Hull” of Boat is there again.");
        assert!(told[5].contains("Hull: notes 1 and 2"), "{}", told[5]);
        assert_eq!(told[6], "The groups of Boat are as they were before.");
        assert!(told[7].contains("has no groups yet"), "{}", told[7]);
    }
}
