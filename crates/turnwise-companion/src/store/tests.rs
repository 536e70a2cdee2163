//! What holds of the store whatever is kept in it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use super::*;

fn ada() -> PersonId {
    PersonId::new("ada")
}

fn project(store: &Store, person: &PersonId, name: &str) -> Project {
    store.once(person, &Operation::new(name), 1, |change| change.create_project(name)).unwrap()
}

#[test]
fn a_change_that_is_made_again_gives_the_first_outcome_and_changes_nothing() {
    let store = Store::open(None).unwrap();
    let farm = project(&store, &ada(), "FarmGuard");
    assert_eq!(project(&store, &ada(), "FarmGuard"), farm);
    let add = || {
        store
            .once(&ada(), &Operation::new("talk/r1/S1"), 2, |change| {
                change.add_note(&farm.id, "The deadline is March 15th", Lifetime::Lasting)
            })
            .unwrap()
            .number
    };
    assert_eq!((add(), add()), (1, 1));
    assert_eq!(store.notes(&ada(), &farm.id, &Wanted::default(), 3, 10).unwrap().len(), 1);
    assert_eq!(store.projects(&ada()).unwrap().len(), 1);
}

#[test]
fn what_somebody_is_no_member_of_is_not_there_for_them() {
    let store = Store::open(None).unwrap();
    let farm = project(&store, &ada(), "FarmGuard");
    let ben = PersonId::new("ben");
    let not_found = |outcome: Result<(), StoreError>| assert!(matches!(outcome, Err(StoreError::NotFound)));
    not_found(store.project(&ben, &farm.id).map(drop));
    not_found(store.seed(&ben, &farm.id).map(drop));
    not_found(store.notes(&ben, &farm.id, &Wanted::default(), 1, 1).map(drop));
    not_found(store.search(&ben, &farm.id, &["soil".to_owned()], 1).map(drop));
    not_found(store.artefacts(&ben, &farm.id).map(drop));
    not_found(store.specifications(&ben, &farm.id).map(drop));
    not_found(store.jobs(&ben, &farm.id).map(drop));
    not_found(store.document(&ben, &farm.id, "Map", None).map(drop));
    not_found(store.passages(&ben, &farm.id, &["soil".to_owned()]).map(drop));
    not_found(store.near(&ben, &farm.id, "soil", 1).map(drop));
    not_found(store.members(&ben, &farm.id).map(drop));
    not_found(store.counts(&ben, &farm.id, 1).map(drop));
    not_found(store.once(&ben, &Operation::new("d"), 1, |change| change.invite(&farm.id, &ben)).map(drop));
    not_found(store.once(&ben, &Operation::new("e"), 1, |change| change.join(&farm.id)));
    not_found(store.groups(&ben, &farm.id, 1).map(drop));
    let add = |change: &Change<'_>| change.add_note(&farm.id, "Not mine", Lifetime::Lasting);
    not_found(store.once(&ben, &Operation::new("b"), 1, add).map(drop));
    not_found(store.once(&ben, &Operation::new("c"), 1, |change| change.finalize(&farm.id)).map(drop));
    assert!(store.projects(&ben).unwrap().is_empty());
    assert!(store.notes(&ada(), &farm.id, &Wanted::default(), 2, 10).unwrap().is_empty());
}

#[test]
fn a_note_for_a_while_is_gone_after_it_and_its_number_is_not_given_again() {
    let store = Store::open(None).unwrap();
    let farm = project(&store, &ada(), "FarmGuard");
    let add = |key: &str, lifetime| {
        let key = Operation::new(key);
        store.once(&ada(), &key, 1, |change| change.add_note(&farm.id, "I parked on level 10", lifetime)).unwrap()
    };
    add("a", Lifetime::Until(100));
    let found = |now| store.search(&ada(), &farm.id, &["parked".to_owned()], now).unwrap().len();
    assert_eq!((found(99), found(100)), (1, 0));
    assert_eq!(add("b", Lifetime::Lasting).number, 2);
}

#[test]
fn notes_are_counted_as_they_stand_whatever_becomes_of_them() {
    let store = Store::open(None).unwrap();
    let farm = project(&store, &ada(), "FarmGuard");
    let mut done = 0;
    let mut change = |change: &dyn Fn(&Change<'_>) -> Result<(), StoreError>| {
        done += 1;
        store.once(&ada(), &Operation::new(done.to_string()), 1, |under_way| change(under_way)).unwrap();
    };
    let counted = |now| {
        let counts = store.counts(&ada(), &farm.id, now).unwrap();
        let of = |state| {
            let wanted = Wanted { state: Some(state), ..Wanted::default() };
            i64::try_from(store.notes(&ada(), &farm.id, &wanted, now, 100).unwrap().len()).unwrap()
        };
        assert_eq!((counts.waiting, counts.saved), (of(NoteState::Held), of(NoteState::Committed)));
        (counts.waiting, counts.saved)
    };
    for _ in 0..3 {
        change(&|change| change.add_note(&farm.id, "The soil is clay", Lifetime::Lasting).map(drop));
    }
    change(&|change| change.add_note(&farm.id, "I parked on level 10", Lifetime::Until(100)).map(drop));
    assert_eq!((counted(99), counted(100)), ((4, 0), (3, 0)));
    let held = [NoteState::Held];
    change(&|change| change.move_notes(&farm.id, Some(&[1, 4]), &held, NoteState::Committed).map(drop));
    assert_eq!((counted(99), counted(100)), ((2, 2), (2, 1)));
    change(&|change| change.move_notes(&farm.id, Some(&[2]), &held, NoteState::Retracted).map(drop));
    assert_eq!(counted(99), (1, 2));
    change(&|change| change.undo().map(drop));
    assert_eq!(counted(99), (2, 2));
    change(&|change| change.leave(&farm.id).map(drop));
    let again = project(&store, &ada(), "Harbor");
    assert_eq!(store.counts(&ada(), &again.id, 1).unwrap(), Counts::default());
}

#[test]
fn what_is_written_after_something_unhurried_waits_for_the_disk_even_where_that_broke_off() {
    let store = Store::open(None).unwrap();
    let level =
        |connection: &Connection| -> i64 { connection.query_row("PRAGMA synchronous", [], |row| row.get(0)).unwrap() };
    let (normal, full) = (1, 2);
    assert_eq!(store.unhurried(|connection| Ok(level(connection))).unwrap(), normal);
    assert_eq!(level(&store.lock()), full);
    let breaks_off = || store.unhurried(|_| -> Result<(), StoreError> { panic!("breaks off") });
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(breaks_off)).is_err());
    assert_eq!(level(&store.lock()), full);
}

#[test]
fn of_some_intents_the_last_one_is_told() {
    let store = Store::open(None).unwrap();
    let farm = project(&store, &ada(), "FarmGuard");
    for (key, intent) in [("a", "add_note"), ("b", "leave_setup"), ("c", "past")] {
        let turn = NewTurn { key, project: Some(&farm.id), said: None, reply: "Yes.", intent };
        store.record(&ada(), 1, turn).unwrap();
    }
    let last = |intents: &[&str]| store.last_intent(&ada(), &farm.id, intents).unwrap();
    assert_eq!(last(&["add_note", "leave_setup"]).as_deref(), Some("leave_setup"));
    assert_eq!(last(&["add_note"]).as_deref(), Some("add_note"));
    assert_eq!((last(&["turn_to"]), last(&[])), (None, None));
}

#[test]
fn a_file_of_a_newer_version_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    drop(Store::open(Some(folder.path())).unwrap());
    let file = folder.path().join(FILE);
    Connection::open(&file).unwrap().pragma_update(None, "user_version", 9).unwrap();
    let error = Store::open(Some(folder.path())).unwrap_err();
    assert_eq!(error.to_string(), "the projects are kept in format 9, and this version knows up to 5");
}

#[test]
fn a_file_of_the_first_version_is_brought_up_to_date_with_all_that_is_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(FILE);
    let old = Connection::open(&file).unwrap();
    old.execute_batch(schema::FIRST).unwrap();
    old.execute_batch(
        "INSERT INTO projects (id, name, state, created_at) VALUES ('p', 'FarmGuard', 'ready', 1);
         INSERT INTO members VALUES ('p', 'ada');
         INSERT INTO notes (project, number, text, state, person, by, created_at)
             VALUES ('p', 1, 'The soil is clay', 'committed', 'ada', 'companion', 1);
         INSERT INTO note_words (rowid, text) VALUES (1, 'The soil is clay');
         INSERT INTO artefacts VALUES ('p', 'Report', 'report', 1, 'The north field is dry', 1);
         INSERT INTO jobs (project, title, state, changed_at) VALUES ('p', 'a', 'finished', 1), ('p', 'b', 'active', 2);
         PRAGMA user_version = 1;",
    )
    .unwrap();
    drop(old);
    let store = Store::open(Some(folder.path())).unwrap();
    let id = ProjectId::new("p");
    assert_eq!(store.notes(&ada(), &id, &Wanted::default(), 2, 10).unwrap()[0].text, "The soil is clay");
    assert_eq!(store.document(&ada(), &id, "Report", None).unwrap().content, b"The north field is dry");
    assert_eq!(store.passages(&ada(), &id, &["north".to_owned()]).unwrap()[0].name, "Report");
    let jobs: Vec<i64> = store.jobs(&ada(), &id).unwrap().iter().map(|job| job.number).collect();
    assert_eq!(jobs, [2, 1]);
    let counts = store.counts(&ada(), &id, 2).unwrap();
    assert_eq!((counts.notes, counts.saved, counts.artefacts), (1, 1, 1));
}

#[test]
fn what_a_model_is_told_is_kept_until_something_changes_or_a_note_is_over() {
    let store = Store::open(None).unwrap();
    let farm = project(&store, &ada(), "FarmGuard");
    let sees = turnwise_model::Sees::Rows;
    store.keep_context(&farm, sees, Some(100), "told");
    let known = |now| store.context(&store.project(&ada(), &farm.id).unwrap(), sees, now);
    assert_eq!((known(99).as_deref(), known(100)), (Some("told"), None));
    let add = |change: &Change<'_>| change.add_note(&farm.id, "The soil is clay", Lifetime::Lasting);
    store.once(&ada(), &Operation::new("a"), 1, add).unwrap();
    assert_eq!(known(2), None, "a note makes it anew");
}
