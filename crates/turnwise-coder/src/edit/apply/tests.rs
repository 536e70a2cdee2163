//! Applying and undoing on real files: whole or not at all, whatever moment the process dies at.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use std::collections::BTreeMap;
use std::path::Path;

use super::*;
use crate::edit::{Draft, Edit, UNDO_MAX, last_applied, recover, undo, undo_proposal};

const NEVER: &dyn Fn() -> bool = &|| false;

/// All files of a folder but ours, with what is in them; folders as themselves.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(inside) = waiting.pop() {
        for entry in std::fs::read_dir(&inside).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            if name == ".turnwise" {
                continue;
            }
            if path.is_dir() {
                found.insert(name, "a folder".to_owned());
                waiting.push(path);
            } else {
                found.insert(name, std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    found
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a.txt", "one\ntwo\n"), ("b.txt", "three\r\nfour\r\n"), ("c.txt", "five")] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn path(name: &str) -> FilePath {
    FilePath::new(name).unwrap()
}

/// Three files and a new one in a new folder.
fn proposal(workspace: &Workspace) -> Proposal {
    let replace = |name: &str, search: &str, replace: &str| Edit::Replace {
        path: path(name),
        search: search.to_owned(),
        replace: replace.to_owned(),
    };
    let mut draft = Draft::new(workspace);
    let new = Edit::Create { path: path("new/deep/d.txt"), text: "six".to_owned() };
    for edit in [replace("a.txt", "one", "1"), replace("b.txt", "four\n", "4\n"), replace("c.txt", "five", "5"), new] {
        draft.edit(&edit).unwrap();
    }
    Proposal::of(&draft)
}

fn operation(name: &str) -> Operation {
    Operation::new(name)
}

#[test]
fn a_proposal_is_applied_whole_once_and_taken_back_whole() {
    let folder = folder();
    let workspace = Workspace::open(folder.path()).unwrap();
    let (before, proposal) = (files(folder.path()), proposal(&workspace));
    assert_eq!(files(folder.path()), before, "a proposal writes nothing");
    let done = apply(&workspace, &proposal, "numbers", &operation("a"), NEVER).unwrap();
    let after = files(folder.path());
    assert_eq!((after["a.txt"].as_str(), after["b.txt"].as_str()), ("1\ntwo\n", "three\r\n4\r\n"));
    assert_eq!((after["c.txt"].as_str(), after["new/deep/d.txt"].as_str()), ("5", "six\n"));
    assert_eq!(
        apply(&workspace, &proposal, "numbers", &operation("a"), NEVER),
        Ok(done.clone()),
        "found, not done again"
    );
    let (id, title, touched) = last_applied(&workspace).unwrap();
    assert_eq!((id, title.as_str(), touched.len()), (done.change, "numbers", 4));
    let back = undo_proposal(&workspace, id).unwrap();
    assert!(back.diff().contains("-1\n+one\n") && back.diff().contains("+++ /dev/null"), "{}", back.diff());
    undo(&workspace, id, NEVER).unwrap();
    assert_eq!(files(folder.path()), before);
    assert_eq!(undo(&workspace, id, NEVER).unwrap().files.len(), 4, "found, not done again");
    assert_eq!(last_applied(&workspace), None);
}

/// The process dies behind each act, and in the middle of each that writes; the next one finds all old or all new.
#[test]
fn whatever_moment_the_process_dies_at_every_file_is_old_or_every_file_is_new() {
    let mut cut = 0;
    let mut seen = (0, 0);
    loop {
        let folder = folder();
        let workspace = Workspace::open(folder.path()).unwrap();
        let (old, proposal) = (files(folder.path()), proposal(&workspace));
        let all = acts_of_apply(&workspace, &proposal);
        if cut > 2 * all.len() {
            break;
        }
        die(&all, cut);
        recover(&workspace).unwrap();
        let now = files(folder.path());
        if now == old {
            seen.0 += 1;
            assert_eq!(applied_by(&workspace, &operation("a")), None, "cut {cut}");
        } else {
            seen.1 += 1;
            assert_eq!(now["new/deep/d.txt"], "six\n", "cut {cut}");
            assert_eq!((now["a.txt"].as_str(), now["c.txt"].as_str()), ("1\ntwo\n", "5"), "cut {cut}");
            assert!(applied_by(&workspace, &operation("a")).is_some(), "cut {cut}");
        }
        apply(&workspace, &proposal, "numbers", &operation("a"), NEVER).unwrap();
        assert_eq!(files(folder.path())["a.txt"], "1\ntwo\n", "it can be done after all: cut {cut}");
        cut += 1;
    }
    assert!(seen.0 > 10 && seen.1 > 0, "both ends were seen: {seen:?}");
}

#[test]
fn a_process_that_dies_while_undoing_or_while_putting_right_leaves_no_half() {
    for cut in 0.. {
        let folder = folder();
        let workspace = Workspace::open(folder.path()).unwrap();
        let old = files(folder.path());
        let done = apply(&workspace, &proposal(&workspace), "numbers", &operation("a"), NEVER).unwrap();
        let new = files(folder.path());
        let (journal, _) = Journal::open(&workspace).unwrap();
        let (_, record) = listed(&workspace, State::Applied).pop().unwrap();
        let mut acts = vec![journal.moved(done.change, State::Applied, State::Undoing)];
        acts.extend(journal.put_back(done.change, &record).unwrap().0);
        let length = acts.len();
        drop(journal);
        if cut > 2 * length {
            break;
        }
        die(&acts, cut);
        // Whoever puts it right may die as well; the second one is whole.
        let half = listed(&workspace, State::Undoing).pop();
        if let Some((id, record)) = half {
            let journal = Journal::unlooked(&workspace);
            die(&journal.put_back(id, &record).unwrap().0, cut / 2);
        }
        recover(&workspace).unwrap();
        let now = files(folder.path());
        assert!(now == old || now == new, "cut {cut}: {now:?}");
        assert_eq!(now == new, last_applied(&workspace).is_some(), "cut {cut}");
    }
}

#[test]
fn a_file_that_changed_since_refuses_all_of_it() {
    let folder = folder();
    let workspace = Workspace::open(folder.path()).unwrap();
    let proposal = proposal(&workspace);
    std::fs::write(folder.path().join("b.txt"), "mine\n").unwrap();
    let before = files(folder.path());
    let refused = apply(&workspace, &proposal, "numbers", &operation("a"), NEVER);
    assert_eq!(refused, Err(EditError::StaleContext(path("b.txt"))));
    assert_eq!(files(folder.path()), before);
    std::fs::remove_file(folder.path().join("b.txt")).unwrap();
    std::fs::create_dir_all(folder.path().join("new/deep")).unwrap();
    std::fs::write(folder.path().join("new/deep/d.txt"), "mine\n").unwrap();
    assert!(apply(&workspace, &proposal, "numbers", &operation("a"), NEVER).is_err());
    assert_eq!(files(folder.path())["new/deep/d.txt"], "mine\n", "a file that came meanwhile is not replaced");
}

#[test]
fn undo_refuses_when_files_changed_since_and_a_stop_comes_before_the_first_file() {
    let folder = folder();
    let workspace = Workspace::open(folder.path()).unwrap();
    let before = files(folder.path());
    let stopped = apply(&workspace, &proposal(&workspace), "numbers", &operation("a"), &|| true);
    assert_eq!(stopped, Err(EditError::Stopped));
    assert_eq!(files(folder.path()), before);
    let done = apply(&workspace, &proposal(&workspace), "numbers", &operation("a"), NEVER).unwrap();
    std::fs::write(folder.path().join("c.txt"), "mine").unwrap();
    let changed = files(folder.path());
    assert_eq!(undo(&workspace, done.change, NEVER), Err(EditError::StaleContext(path("c.txt"))));
    assert_eq!(files(folder.path()), changed);
}

/// A folder that may not be written to stops the change at its second file, and the first comes back.
#[test]
fn a_disk_that_says_no_in_the_middle_leaves_everything_as_it_was() {
    let folder = folder();
    let workspace = Workspace::open(folder.path()).unwrap();
    let (before, proposal) = (files(folder.path()), proposal(&workspace));
    let mut acts = acts_of_apply(&workspace, &proposal);
    let last = acts.len() - 2;
    acts[last] = Act::Rename { from: folder.path().join("none"), to: folder.path().join("c.txt") };
    assert!(perform(&acts).is_err());
    assert_ne!(files(folder.path()), before, "it was in the middle");
    let recovered = recover(&workspace).unwrap();
    assert_eq!((recovered.len(), recovered[0].title.as_str()), (1, "numbers"));
    assert_eq!(files(folder.path()), before);
}

#[test]
fn what_somebody_else_wrote_after_the_crash_is_left_alone() {
    let folder = folder();
    let workspace = Workspace::open(folder.path()).unwrap();
    let acts = acts_of_apply(&workspace, &proposal(&workspace));
    perform(&acts[..acts.len() - 1]).unwrap();
    std::fs::write(folder.path().join("a.txt"), "mine\n").unwrap();
    let recovered = recover(&workspace).unwrap();
    assert_eq!(recovered[0].left_alone, [path("a.txt")]);
    assert_eq!((files(folder.path())["a.txt"].as_str(), files(folder.path())["c.txt"].as_str()), ("mine\n", "five"));
}

#[test]
fn fifty_changes_can_be_taken_back_by_whoever_comes_next() {
    let folder = folder();
    for number in 0..UNDO_MAX + 3 {
        let workspace = Workspace::open(folder.path()).unwrap();
        let mut draft = Draft::new(&workspace);
        draft.put(&path("c.txt"), format!("{number}\n")).unwrap();
        apply(&workspace, &Proposal::of(&draft), "count", &operation(&number.to_string()), NEVER).unwrap();
    }
    let mut undone = 0;
    while let Some((id, _, _)) = last_applied(&Workspace::open(folder.path()).unwrap()) {
        undo(&Workspace::open(folder.path()).unwrap(), id, NEVER).unwrap();
        undone += 1;
    }
    assert_eq!((undone, files(folder.path())["c.txt"].as_str()), (UNDO_MAX, "2\n"));
}

#[cfg(unix)]
#[test]
fn rights_stay_and_a_link_is_not_followed() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder();
    let outside = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path().join("a.txt"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let workspace = Workspace::open(folder.path()).unwrap();
    let proposal = proposal(&workspace);
    let mode = || folder.path().join("a.txt").metadata().unwrap().permissions().mode() & 0o777;
    let done = apply(&workspace, &proposal, "numbers", &operation("a"), NEVER).unwrap();
    assert_eq!(mode(), 0o755);
    undo(&workspace, done.change, NEVER).unwrap();
    assert_eq!(mode(), 0o755);
    std::os::unix::fs::symlink(outside.path(), folder.path().join("new")).unwrap();
    let refused = apply(&workspace, &proposal, "numbers", &operation("b"), NEVER).unwrap_err();
    assert!(refused.to_string().contains("leads out of the workspace"), "{refused}");
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
}

/// All acts of applying, as `apply` would perform them, without having performed one.
fn acts_of_apply(workspace: &Workspace, proposal: &Proposal) -> Vec<Act> {
    let (journal, _) = Journal::open(workspace).unwrap();
    let changed = changed(workspace, proposal).unwrap();
    let folders = new_folders(workspace, proposal).unwrap();
    let record = Record::of(proposal, "numbers", &operation("a"), folders);
    let (mut acts, placing) = acts(&journal, journal.next(), &record, &changed).unwrap();
    acts.extend(placing);
    acts
}

/// Performs acts up to a moment: an even one lies behind an act, an odd one in the middle of the next.
fn die(acts: &[Act], moment: usize) {
    let whole = (moment / 2).min(acts.len());
    perform(&acts[..whole]).unwrap();
    if let (1, Some(half)) = (moment % 2, acts.get(whole)) {
        half.perform_half().unwrap();
    }
}
