//! From a name in words to a whole path, with everything that would be wrong with it said while planning: nothing that
//! cannot be written is put before a person to approve. Next: `state`.

use std::io;
use std::path::{Path, PathBuf};

use super::rows::Format;
use super::{Wish, Write};
use crate::chart;

/// What bounds where results may go.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The files the analyst reads, none of which it writes.
    pub data: &'a [PathBuf],
    /// The folder that names are looked for in and never lead out of; without one, wherever the person may write.
    pub within: Option<&'a Path>,
}

/// The file a wish names, at a place where it may be written.
///
/// # Errors
/// Why it cannot be written, and what to do instead, as sentences for the person.
pub fn resolve(wish: &Wish, place: Place<'_>) -> Result<Write, String> {
    let path = whole(&wish.name, place.within)?;
    if place.within.is_some_and(|within| !path.starts_with(within)) {
        return Err(format!("{} is outside of the folder results go to here. {NAME_ONLY}", quoted(&wish.name)));
    }
    if Format::of(&path).is_none() {
        let name = quoted(&wish.name);
        if chart::Format::of(&path).is_some() {
            return Err(format!(
                "{name} is a picture: results are written as rows, to files that end in .csv or .jsonl. “Save the chart \
                 as {}” keeps it as one.",
                wish.name
            ));
        }
        return Err(format!(
            "{name} cannot be written: results go to files that end in .csv, or in .jsonl for JSON lines."
        ));
    }
    check(&path)?;
    if let Some(own) = place.data.iter().find(|own| is_same(own, &path)) {
        return Err(format!(
            "{} is part of the data, and data is only read here. Name another file.",
            quoted(&own.to_string_lossy())
        ));
    }
    let Some(path) = path.to_str() else {
        return Err(format!("{} is no readable text as a path. Name another file.", quoted(&wish.name)));
    };
    Ok(Write { manner: wish.manner, path: path.to_owned() })
}

/// Whether the file at `path` can be written, as far as can be told without writing.
///
/// # Errors
/// Why not, as a sentence for the person.
pub fn check(path: &Path) -> Result<(), String> {
    let shown = quoted(&path.to_string_lossy());
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(format!("{shown} is a folder. Name a file in it.")),
        Ok(found) if !found.is_file() => Err(format!("{shown} is no regular file. Name another one.")),
        Ok(found) if found.permissions().readonly() => Err(format!("{shown} is write-protected. Name another file.")),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(unreadable(&path.to_string_lossy(), &error)),
    }
}

/// A path in a sentence.
pub fn quoted(path: &str) -> String {
    format!("“{path}”")
}

/// A file that cannot be looked at.
pub fn unreadable(path: &str, error: &io::Error) -> String {
    format!("{} cannot be looked at ({error}). Mend that, or name another file.", quoted(path))
}

fn whole(name: &str, within: Option<&Path>) -> Result<PathBuf, String> {
    let named = if let Some(within) = within {
        if name.starts_with('~') {
            return Err(format!("{} is outside of the folder results go to here. {NAME_ONLY}", quoted(name)));
        }
        within.join(name)
    } else if let Some(rest) = name.strip_prefix("~/") {
        let home = std::env::var_os("HOME").filter(|home| !home.is_empty());
        let home = home.ok_or_else(|| "There is no home folder here. Say the folder in full.".to_owned())?;
        PathBuf::from(home).join(rest)
    } else if name.starts_with('~') {
        return Err(format!("{}: say the folder in full.", quoted(name)));
    } else {
        PathBuf::from(name)
    };
    let full = std::path::absolute(&named).map_err(|error| unreadable(name, &error))?;
    // What is there already is shown by where it really is; of what is not, the folder has to be there.
    if let Ok(real) = full.canonicalize() {
        return Ok(real);
    }
    if full.symlink_metadata().is_ok() {
        return Err(format!("{} is a link that leads nowhere. Name another file.", quoted(&full.to_string_lossy())));
    }
    let (Some(folder), Some(file)) = (full.parent(), full.file_name()) else {
        return Err(format!("{} names no file.", quoted(name)));
    };
    let folder = folder.canonicalize().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            format!("There is no folder {}. Make it first, or name another.", quoted(&folder.to_string_lossy()))
        }
        _ => unreadable(&folder.to_string_lossy(), &error),
    })?;
    if !folder.is_dir() {
        return Err(format!("{} is no folder.", quoted(&folder.to_string_lossy())));
    }
    Ok(folder.join(file))
}

/// What to do where results go to one folder.
const NAME_ONLY: &str = "Name the file without a folder.";

fn is_same(own: &Path, path: &Path) -> bool {
    own.canonicalize().is_ok_and(|own| own == path || is_one_file(&own, path))
}

/// Two names of one file.
#[cfg(unix)]
fn is_one_file(left: &Path, right: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (left.metadata(), right.metadata()) {
        (Ok(left), Ok(right)) => (left.dev(), left.ino()) == (right.dev(), right.ino()),
        (Err(_), _) | (_, Err(_)) => false,
    }
}

#[cfg(not(unix))]
fn is_one_file(_: &Path, _: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::super::Manner;
    use super::*;

    fn wrong(name: &str, data: &[PathBuf]) -> String {
        resolve(&Wish { manner: Manner::Save, name: name.to_owned() }, Place { data, within: None }).unwrap_err()
    }

    #[test]
    fn what_cannot_be_written_is_said_while_planning() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        assert!(wrong(&at("report.xlsx"), &[]).contains("end in .csv"));
        assert!(wrong(&at("no/such/report.csv"), &[]).starts_with("There is no folder “"));
        std::fs::create_dir(at("folder.csv")).unwrap();
        assert!(wrong(&at("folder.csv"), &[]).contains("is a folder"));
        assert!(wrong("~someone/report.csv", &[]).contains("in full"));
        std::fs::write(at("own.csv"), "a\n1\n").unwrap();
        assert!(wrong(&at("own.csv"), &[at("own.csv").into()]).contains("is part of the data"));
    }

    #[test]
    fn names_do_not_lead_out_of_the_folder_for_results() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let within = root.join("results");
        std::fs::create_dir_all(within.join("sub")).unwrap();
        std::fs::write(root.join("outside.csv"), "a\n1\n").unwrap();
        let resolved = |name: &str| {
            let wish = Wish { manner: Manner::Save, name: name.to_owned() };
            resolve(&wish, Place { data: &[], within: Some(&within) }).map(|write| write.path)
        };
        assert_eq!(resolved("a.csv").unwrap(), within.join("a.csv").to_str().unwrap());
        assert_eq!(resolved("sub/../a.csv").unwrap(), within.join("a.csv").to_str().unwrap());
        let absolute = root.join("outside.csv");
        #[cfg(unix)]
        std::os::unix::fs::symlink(&absolute, within.join("link.csv")).unwrap();
        let out = ["../outside.csv", "sub/../../new.csv", "~/a.csv", absolute.to_str().unwrap()];
        for name in out.into_iter().chain(cfg!(unix).then_some("link.csv")) {
            assert!(resolved(name).unwrap_err().contains("outside of the folder"), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_shown_by_where_it_leads() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().canonicalize().unwrap().join("real file.csv");
        std::fs::write(&real, "a\n1\n").unwrap();
        std::os::unix::fs::symlink(&real, folder.path().join("link.csv")).unwrap();
        let name = folder.path().join("link.csv").to_str().unwrap().to_owned();
        let written =
            resolve(&Wish { manner: Manner::Append, name: name.clone() }, Place { data: &[], within: None }).unwrap();
        assert_eq!(Path::new(&written.path), real);
        assert!(wrong(&name, &[real]).contains("is part of the data"));
        let nowhere = folder.path().join("nowhere.csv");
        std::os::unix::fs::symlink(folder.path().join("gone.csv"), &nowhere).unwrap();
        assert!(wrong(nowhere.to_str().unwrap(), &[]).contains("leads nowhere"));
    }
}
