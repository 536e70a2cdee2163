//! The cache of loaded files through the workbench: what is taken, when it is not, and what is dropped.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;
use turnwise_assistant::{Progress, Stage};
use turnwise_core::Cell;

use super::{Cache, Member};
use crate::discover::FileFormat;
use crate::{Opening, QueryLimits, Workbench};

const LIMITS: QueryLimits = QueryLimits { rows_max: 10, timeout: Duration::from_secs(20) };
const ROWS: usize = 40_000;

struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("loaded")
    }

    /// A file that is large enough, in which every row says `word`.
    fn file(&self, name: &str, word: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        let filler = "x".repeat(220);
        let rows: Vec<String> = (0..ROWS).map(|row| format!("{row},{word},{filler}")).collect();
        fs::write(&path, format!("id,word,filler\n{}\n", rows.join("\n"))).unwrap();
        path
    }

    /// Opens the files; gives the workbench and whether it was taken from the cache.
    fn open(&self, files: &[&Path]) -> (Workbench, bool) {
        let (cache, progress) = (self.cache(), Progress::default());
        let paths: Vec<PathBuf> = files.iter().map(|path| path.to_path_buf()).collect();
        let opening = Opening { cache: Some(&cache), ..Opening::plain(&progress) };
        let bench = Workbench::open_by(&paths, &opening).unwrap();
        (bench, matches!(progress.stage(), Some(Stage::TakingUp { .. })))
    }

    fn kept(&self, ending: &str) -> Vec<PathBuf> {
        let all = fs::read_dir(self.cache()).unwrap().map(|entry| entry.unwrap().path());
        all.filter(|path| path.extension().is_some_and(|found| found == ending)).collect()
    }
}

/// How many rows say `word`.
fn count(bench: &Workbench, word: &str) -> Option<Cell> {
    let sql = "SELECT COUNT(*) FROM a WHERE word = ?1";
    bench.query(sql, &[Cell::Text(word.to_owned())], LIMITS, || false).unwrap().scalar().cloned()
}

fn rows(number: usize) -> Option<Cell> {
    Some(Cell::Integer(i64::try_from(number).unwrap()))
}

#[test]
fn large_files_are_taken_up_as_they_were_loaded() {
    let desk = Desk::new();
    let file = desk.file("a.csv", "pump");
    let (first, was_kept) = desk.open(&[&file]);
    assert!(!was_kept);
    let (second, was_kept) = desk.open(&[&file]);
    assert!(was_kept);
    assert_eq!(first.tables(), second.tables());
    assert_eq!(count(&second, "pump"), rows(ROWS));
    assert_eq!(second.notes(), Vec::<String>::new());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&desk.cache()), 0o700);
        assert!(fs::read_dir(desk.cache()).unwrap().all(|entry| mode(&entry.unwrap().path()) == 0o600));
    }
}

#[test]
fn a_file_that_changed_is_loaded_anew_also_where_it_looks_the_same() {
    let desk = Desk::new();
    let file = desk.file("a.csv", "pump");
    let modified = fs::metadata(&file).unwrap().modified().unwrap();
    desk.open(&[&file]);
    desk.file("a.csv", "gate");
    File::options().append(true).open(&file).unwrap().set_modified(modified).unwrap();
    let (bench, was_kept) = desk.open(&[&file]);
    assert!(!was_kept, "size and time are the same, the content is not");
    assert_eq!((count(&bench, "pump"), count(&bench, "gate")), (rows(0), rows(ROWS)));
    assert_eq!(desk.kept("db").len(), 1, "the entry before is not kept beside it");
    assert!(desk.open(&[&file]).1);
}

#[test]
fn small_files_are_not_kept() {
    let desk = Desk::new();
    let file = desk.folder.path().join("a.csv");
    fs::write(&file, "id,word\n1,pump\n").unwrap();
    desk.open(&[&file]);
    assert!(!desk.cache().exists());
}

#[test]
fn what_is_damaged_is_said_and_loaded_anew() {
    let desk = Desk::new();
    let file = desk.file("a.csv", "pump");
    for ending in ["db", "json", "looks"] {
        let (mut bench, _) = desk.open(&[&file]);
        bench.look(&["a".to_owned()], &format!("SELECT '{ending}', COUNT(*) FROM a"), LIMITS).unwrap();
        bench.looked();
        let [kept] = desk.kept(ending).try_into().unwrap();
        let mut bytes = fs::read(&kept).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&kept, bytes).unwrap();
        let (bench, was_kept) = desk.open(&[&file]);
        assert!(!was_kept, "{ending}");
        let [note] = bench.notes() else { panic!("{ending}: {:?}", bench.notes()) };
        assert!(note.contains("cannot be used") && note.contains("read anew"), "{note}");
        assert_eq!(count(&bench, "pump"), rows(ROWS));
        assert!(desk.open(&[&file]).1, "what was loaded anew took its place");
    }
    // One that is cut off is no other case.
    let [kept] = desk.kept("db").try_into().unwrap();
    File::options().write(true).open(kept).unwrap().set_len(4096).unwrap();
    assert_eq!(desk.open(&[&file]).0.notes().len(), 1);
}

#[test]
fn what_was_looked_up_is_given_again_for_the_same_rows_alone() {
    const LOOK: &str = "SELECT word, COUNT(*) FROM a GROUP BY 1";
    let desk = Desk::new();
    let file = desk.file("a.csv", "pump");
    let look = |bench: &Workbench| bench.look(&["a".to_owned()], LOOK, LIMITS).unwrap();
    let (mut bench, _) = desk.open(&[&file]);
    let found = look(&bench);
    bench.looked();
    let (again, was_kept) = desk.open(&[&file]);
    let known = again.looks.lock().unwrap().known(&format!("10 {LOOK}"));
    assert_eq!((was_kept, known), (true, Some(found)));
    desk.file("a.csv", "gates");
    let (bench, _) = desk.open(&[&file]);
    assert_eq!(look(&bench).rows[0][0], Cell::Text("gates".to_owned()));
}

#[test]
fn a_set_of_files_is_known_by_all_of_them_and_their_order() {
    let desk = Desk::new();
    let (one, other) = (desk.file("a.csv", "pump"), desk.file("b.csv", "gate"));
    assert!(!desk.open(&[&one, &other]).1);
    assert!(desk.open(&[&one, &other]).1);
    assert!(!desk.open(&[&other, &one]).1);
    assert!(!desk.open(&[&one]).1);
}

#[test]
fn entries_are_dropped_when_their_files_are_gone_or_there_are_too_many() {
    let desk = Desk::new();
    let files = [desk.file("a.csv", "pump"), desk.file("b.csv", "gate"), desk.file("c.csv", "well")];
    files.iter().for_each(|file| drop(desk.open(&[file])));
    assert_eq!((desk.kept("json").len(), desk.kept("db").len()), (3, 3));
    // What was taken last stays longest.
    assert!(desk.open(&[&files[0]]).1);
    fs::remove_file(&files[1]).unwrap();
    let wanted = desk.file("d.csv", "new");
    let member = Member { path: &wanted, called: &wanted, format: FileFormat::Delimited };
    let cache = Cache::of(&desk.cache(), &[member], &std::collections::BTreeSet::new()).unwrap();
    let one = fs::metadata(&desk.kept("db")[0]).unwrap().len();
    cache.drop_others(one + one / 2);
    assert_eq!(desk.kept("json").len(), 1, "b is gone, and of a and c there is room for one");
    assert!(desk.open(&[&files[0]]).1);
}
