//! The vocabulary: what may be typed in a conversation beside plain words, for completing it. Commands, names of tables
//! and columns, and files below what the conversation is over. Next: `terminal::completing`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use turnwise_assistant::TableNames;

/// What may be typed in a conversation.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Its commands with their slash, and what they do, in the order help has them.
    pub commands: Vec<(String, String)>,
    /// What its tables are called, once that is known.
    pub tables: Arc<OnceLock<Vec<TableNames>>>,
    /// The files and folders it is over, as far as they are on this machine.
    pub roots: Vec<PathBuf>,
}

/// Something that may be meant by the beginning of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What takes the place of the word.
    pub text: String,
    /// What it is.
    pub told: String,
}

impl Vocabulary {
    /// What may be meant by `word`, which is the first of its message or not.
    #[must_use]
    pub fn candidates(&self, word: &str, is_first: bool) -> Vec<Candidate> {
        if word.starts_with('/') && is_first {
            self.commands(word)
        } else if let Some(path) = word.strip_prefix('@') {
            self.files(path)
        } else if word.is_empty() {
            Vec::new()
        } else {
            self.names(word)
        }
    }

    /// The commands that begin with `word`.
    #[must_use]
    pub fn commands(&self, word: &str) -> Vec<Candidate> {
        let meant = self.commands.iter().filter(|(name, _)| begins(name, word));
        meant.map(|(name, help)| Candidate { text: name.clone(), told: help.clone() }).collect()
    }

    /// Tables, then columns; a column of several tables once, and with its table where a table is written before it.
    fn names(&self, word: &str) -> Vec<Candidate> {
        let tables = self.tables.get().map_or(&[][..], Vec::as_slice);
        let mut columns: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for TableNames { table, columns: names } in tables {
            for name in names {
                let name = if word.contains('.') { format!("{table}.{name}") } else { name.clone() };
                columns.entry(name).or_default().push(table);
            }
        }
        let tables = tables.iter().map(|known| Candidate { text: known.table.clone(), told: "table".to_owned() });
        let columns =
            columns.into_iter().map(|(text, of)| Candidate { text, told: format!("column of {}", of.join(", ")) });
        tables.chain(columns).filter(|candidate| begins(&candidate.text, word)).collect()
    }

    /// Files whose path below a root begins with `path`: a folder keeps its `@`, so that one goes on into it, and a
    /// file is named as one names it in a sentence.
    fn files(&self, path: &str) -> Vec<Candidate> {
        let (folder, leaf) = path.rsplit_once('/').map_or(("", path), |(folder, leaf)| (folder, leaf));
        let mut found: Vec<Candidate> = self.roots.iter().flat_map(|root| below(root, folder, leaf)).collect();
        found.sort_by(|one, other| one.text.cmp(&other.text));
        found.dedup();
        found
    }
}

/// What in `folder` below `root` begins with `leaf`. What is hidden, and what leads out of the root, is not offered.
fn below(root: &Path, folder: &str, leaf: &str) -> Vec<Candidate> {
    let Ok(whole) = root.canonicalize() else { return Vec::new() };
    if whole.is_file() {
        let name = root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_meant = folder.is_empty() && begins(&name, leaf);
        return if is_meant { vec![Candidate { text: name, told: "file".to_owned() }] } else { Vec::new() };
    }
    let is_within = |path: &Path| path.canonicalize().is_ok_and(|path| path.starts_with(&whole));
    let is_hidden = |name: &str| name.starts_with('.');
    let at = whole.join(folder);
    if folder.starts_with('/') || folder.split('/').any(is_hidden) || !is_within(&at) {
        return Vec::new();
    }
    let Ok(entries) = fs::read_dir(&at) else { return Vec::new() };
    let named = entries.take(ENTRIES_MAX).filter_map(|entry| {
        let path = entry.ok()?.path();
        let name = path.file_name()?.to_str()?.to_owned();
        (!is_hidden(&name) && begins(&name, leaf) && is_within(&path)).then_some((name, path.is_dir()))
    });
    let lead = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let candidate = |(name, is_folder)| match is_folder {
        true => Candidate { text: format!("@{lead}{name}/"), told: "folder".to_owned() },
        false => Candidate { text: format!("{lead}{name}"), told: "file".to_owned() },
    };
    named.map(candidate).collect()
}

/// Whether `name` begins with `word`, in large or small letters.
fn begins(name: &str, word: &str) -> bool {
    name.to_lowercase().starts_with(&word.to_lowercase())
}

/// Entries of a folder looked at: in a larger one more has to be typed.
const ENTRIES_MAX: usize = 5_000;

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    fn texts(vocabulary: &Vocabulary, word: &str, is_first: bool) -> Vec<String> {
        vocabulary.candidates(word, is_first).into_iter().map(|candidate| candidate.text).collect()
    }

    fn shop() -> Vocabulary {
        let table = |table: &str, columns: &[&str]| TableNames {
            table: table.to_owned(),
            columns: columns.iter().map(|&name| name.to_owned()).collect(),
        };
        let tables = vec![table("orders", &["id", "Revenue", "region"]), table("regions", &["id", "region"])];
        let commands = ["/plan", "/pause", "/help"].map(|name| (name.to_owned(), format!("what {name} does")));
        Vocabulary { commands: commands.to_vec(), tables: Arc::new(tables.into()), roots: Vec::new() }
    }

    #[test]
    fn commands_stand_first_and_names_anywhere() {
        let shop = shop();
        assert_eq!(texts(&shop, "/p", true), ["/plan", "/pause"]);
        assert_eq!(texts(&shop, "/p", false), Vec::<String>::new());
        assert_eq!(texts(&shop, "re", false), ["regions", "Revenue", "region"]);
        assert_eq!(texts(&shop, "REV", true), ["Revenue"]);
        assert_eq!(texts(&shop, "orders.re", false), ["orders.Revenue", "orders.region"]);
        assert_eq!(texts(&shop, "", true), Vec::<String>::new());
        let id = shop.candidates("id", false);
        assert_eq!(id, [Candidate { text: "id".to_owned(), told: "column of orders, regions".to_owned() }]);
    }

    #[test]
    fn files_are_those_below_what_is_talked_about_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project");
        for made in ["src/inner", ".git"] {
            fs::create_dir_all(root.join(made)).unwrap();
        }
        for file in ["src/main.rs", "src/.secret", "setup.cfg", ".env"] {
            fs::write(root.join(file), "").unwrap();
        }
        fs::write(folder.path().join("secret"), "").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.path(), root.join("src/out")).unwrap();
        let project = Vocabulary { roots: vec![root], ..Vocabulary::default() };
        assert_eq!(texts(&project, "@", false), ["@src/", "setup.cfg"]);
        assert_eq!(texts(&project, "@SRC", false), ["@src/"]);
        assert_eq!(texts(&project, "@src/", false), ["@src/inner/", "src/main.rs"]);
        for outside in ["@../", "@../s", "@src/../../s", "@/etc/", "@src/out/", "@.e", "@.git/", "@src/.s"] {
            assert_eq!(texts(&project, outside, false), Vec::<String>::new(), "{outside}");
        }
        let one = Vocabulary { roots: vec![folder.path().join("secret")], ..Vocabulary::default() };
        assert_eq!(texts(&one, "@se", false), ["secret"]);
    }
}
