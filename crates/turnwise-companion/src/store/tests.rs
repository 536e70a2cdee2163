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
    assert_eq!(store.notes(&ada(), &farm.id, 3, 10).unwrap().len(), 1);
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
    not_found(store.notes(&ben, &farm.id, 1, 1).map(drop));
    not_found(store.search(&ben, &farm.id, &["soil".to_owned()], 1).map(drop));
    not_found(store.artefacts(&ben, &farm.id).map(drop));
    not_found(store.specifications(&ben, &farm.id).map(drop));
    not_found(store.jobs(&ben, &farm.id).map(drop));
    not_found(store.groups(&ben, &farm.id).map(drop));
    let add = |change: &Change<'_>| change.add_note(&farm.id, "Not mine", Lifetime::Lasting);
    not_found(store.once(&ben, &Operation::new("b"), 1, add).map(drop));
    not_found(store.once(&ben, &Operation::new("c"), 1, |change| change.finalize(&farm.id)).map(drop));
    assert!(store.projects(&ben).unwrap().is_empty());
    assert!(store.notes(&ada(), &farm.id, 2, 10).unwrap().is_empty());
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
fn a_file_of_a_newer_version_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    drop(Store::open(Some(folder.path())).unwrap());
    let file = folder.path().join(FILE);
    Connection::open(&file).unwrap().pragma_update(None, "user_version", 9).unwrap();
    let error = Store::open(Some(folder.path())).unwrap_err();
    assert_eq!(error.to_string(), "the projects are kept in format 9, and this version knows up to 1");
}
