//! From a name in words to a whole path, with everything that would be wrong with it said while planning: nothing that
//! cannot be written is put before a person to approve. Next: `state`.

use std::io;
use std::path::{Path, PathBuf};

use super::rows::Format;
use super::{Wish, Write};
use turnwise_assistant::{Room, quoted};

/// What bounds where results may go.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The files the analyst reads, none of which it writes.
    pub data: &'a [PathBuf],
    /// Where the files of the conversation are.
    pub room: &'a Room,
}

/// The file a wish names, at a place where it may be written.
///
/// # Errors
/// Why it cannot be written, and what to do instead, as sentences for the person.
pub fn resolve(wish: &Wish, place: Place<'_>) -> Result<Write, String> {
    let (name, path) = match place.room {
        Room::Anywhere => {
            let path = whole(&wish.name)?;
            let Some(name) = path.to_str() else {
                return Err(format!("{} is no readable text as a path. Name another file.", quoted(&wish.name)));
            };
            (name.to_owned(), path)
        }
        Room::Folder(_) | Room::Closed => (wish.name.clone(), place.room.place(&wish.name)?),
    };
    if Format::of(&path).is_none() {
        let name = quoted(&wish.name);
        if turnwise_chart::Format::of(&path).is_some() {
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
    check(&path, &name)?;
    if place.data.iter().any(|own| is_same(own, &path)) {
        return Err(format!("{} is part of the data, and data is only read here. Name another file.", quoted(&name)));
    }
    Ok(Write { manner: wish.manner, path: name })
}

/// Whether the file at `path`, which people call `name`, can be written, as far as can be told without writing.
///
/// # Errors
/// Why not, as a sentence for the person.
pub fn check(path: &Path, name: &str) -> Result<(), String> {
    let shown = quoted(name);
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(format!("{shown} is a folder. Name a file in it.")),
        Ok(found) if !found.is_file() => Err(format!("{shown} is no regular file. Name another one.")),
        Ok(found) if found.permissions().readonly() => Err(format!("{shown} is write-protected. Name another file.")),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(unreadable(name, &error)),
    }
}

/// A file that cannot be looked at.
pub fn unreadable(path: &str, error: &io::Error) -> String {
    format!("{} cannot be looked at ({error}). Mend that, or name another file.", quoted(path))
}

/// A folder that cannot be made.
pub fn unmade(error: &io::Error) -> String {
    format!("The folder for the files of this conversation cannot be made ({error}). Nothing was written.")
}

fn whole(name: &str) -> Result<PathBuf, String> {
    let named = if let Some(rest) = name.strip_prefix("~/") {
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
        resolve(&Wish { manner: Manner::Save, name: name.to_owned() }, Place { data, room: &Room::Anywhere })
            .unwrap_err()
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

    #[cfg(unix)]
    #[test]
    fn a_link_is_shown_by_where_it_leads() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().canonicalize().unwrap().join("real file.csv");
        std::fs::write(&real, "a\n1\n").unwrap();
        std::os::unix::fs::symlink(&real, folder.path().join("link.csv")).unwrap();
        let name = folder.path().join("link.csv").to_str().unwrap().to_owned();
        let written =
            resolve(&Wish { manner: Manner::Append, name: name.clone() }, Place { data: &[], room: &Room::Anywhere })
                .unwrap();
        assert_eq!(Path::new(&written.path), real);
        assert!(wrong(&name, &[real]).contains("is part of the data"));
        let nowhere = folder.path().join("nowhere.csv");
        std::os::unix::fs::symlink(folder.path().join("gone.csv"), &nowhere).unwrap();
        assert!(wrong(nowhere.to_str().unwrap(), &[]).contains("leads nowhere"));
    }
}
