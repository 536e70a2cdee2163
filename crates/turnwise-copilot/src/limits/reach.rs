//! Where the words of a command lead: from the folder it begins in, and from each it goes to, whichever way they are
//! written. A folder above a file reaches it as well as its own name does. Next: `broken`.

use std::path::{Path, PathBuf};

use super::shell::{Line, Word, base};

/// The folders a command may be in when a word of it is read.
pub(super) struct Ground {
    root: Vec<String>,
    folders: Vec<Vec<String>>,
    /// Whether it goes to a folder that is only known when it runs.
    is_anywhere: bool,
}

/// How a word stands to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// It leads elsewhere.
    None,
    /// It is above it, or a pattern that may stand for it.
    Above,
    /// It is it, or in it.
    It,
}

impl Ground {
    /// The ground of `lines`, which begin in `root`.
    pub fn of(lines: &[Line], root: &Path) -> Self {
        let root = parts(&root.to_string_lossy());
        let mut ground = Self { folders: vec![root.clone()], root, is_anywhere: false };
        for line in lines {
            for word in line.goes_to() {
                let word = match word {
                    Some(word) if word.is_sure && !is_pattern(&word.text) && word.text != "-" => word,
                    _ => {
                        ground.is_anywhere = true;
                        continue;
                    }
                };
                let more: Vec<Vec<String>> = ground.resolved(word);
                ground.folders.extend(more);
                ground.folders.dedup();
                ground.folders.truncate(FOLDERS_MAX);
            }
        }
        ground
    }

    /// Whether it leaves the folder it begins in for one that is not known.
    pub fn is_anywhere(&self) -> bool {
        self.is_anywhere
    }

    /// How `word` stands to the file, or folder, or pattern of names, `name`.
    pub fn reach(&self, word: &Word, name: &str) -> Reach {
        // “of=b.txt”, “--into=..”, “-C..”
        let option = word.text.strip_prefix('-').map(|rest| rest.trim_start_matches('-'));
        let behind = option.and_then(|rest| rest.get(1..)).filter(|rest| !rest.is_empty());
        let values = word.text.split(['=', ':', ',', '@']).skip(1).chain(behind);
        let as_word = |text: &str| Word { text: text.to_owned(), is_sure: word.is_sure };
        let all = values.map(as_word).chain([word.clone()]);
        all.map(|one| self.reach_of(&one, name)).max().unwrap_or(Reach::None)
    }

    fn reach_of(&self, word: &Word, name: &str) -> Reach {
        if word.text.is_empty() {
            return Reach::None;
        }
        let mut file = self.root.clone();
        match name.starts_with('/') {
            true => file = parts(name),
            false => file.extend(parts(name)),
        }
        if !word.is_sure {
            // What a variable holds may have slashes in it.
            let whole = format!("/{}", file.join("/"));
            let above = (1..=file.len()).map(|most| format!("/{}", file[..most].join("/")));
            let short = (0..file.len()).map(|from| file[from..].join("/"));
            let is_it = above.chain(short).chain([whole]).any(|path| fits(word.text.trim_end_matches('/'), &path));
            return if is_it { Reach::Above } else { Reach::None };
        }
        if self.is_anywhere && !word.text.starts_with('/') && !word.text.starts_with('-') {
            return Reach::Above;
        }
        let paths = self.resolved(word);
        let reach = paths.iter().map(|path| of_path(path, &file)).max().unwrap_or(Reach::None);
        match reach {
            // A pattern of names without a folder fits in each folder there is.
            Reach::None if is_pattern(name) && !name.contains('/') => self.holds_many(word, &paths),
            reach => reach,
        }
    }

    fn holds_many(&self, word: &Word, paths: &[Vec<String>]) -> Reach {
        let is_folder = |path: &Vec<String>| Path::new(&format!("/{}", path.join("/"))).is_dir();
        let is_many = is_pattern(&word.text) || paths.iter().any(is_folder);
        let is_near = paths.iter().any(|path| of_path(path, &self.root) != Reach::None);
        if is_many && is_near { Reach::Above } else { Reach::None }
    }

    /// Whether `word` leads into one of `names` in any case, and nowhere else.
    pub fn is_within(&self, word: &Word, names: &[String]) -> bool {
        let is_in = |path: &Vec<String>, name: &String| {
            let begin = if name.starts_with('/') { Vec::new() } else { self.root.clone() };
            let place: Vec<String> = begin.into_iter().chain(parts(name)).collect();
            let tail = path.last().map_or("", String::as_str);
            let by_name = is_pattern(name) && !name.contains('/') && fits(name, tail) && path.starts_with(&self.root);
            (by_name && !is_pattern(tail)) || path.starts_with(&place)
        };
        let paths = self.resolved(word);
        let is_known = word.is_sure && !self.is_anywhere && !word.text.starts_with('-');
        is_known && paths.iter().all(|path| names.iter().any(|name| is_in(path, name)))
    }

    /// The paths a word may be, a part each, without what leads up; and where links on the way lead to.
    fn resolved(&self, word: &Word) -> Vec<Vec<String>> {
        let text = match word.text.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => match std::env::var("HOME") {
                Ok(home) => format!("{home}{rest}"),
                Err(_) => format!("/*{rest}"),
            },
            // Somebody's home, who is not known.
            Some(rest) => format!("/*/{rest}"),
            None => word.text.clone(),
        };
        let from = |folder: &Vec<String>| match text.starts_with('/') {
            true => parts(&text),
            false => parts(&format!("{}/{text}", folder.join("/"))),
        };
        let plain: Vec<Vec<String>> = self.folders.iter().map(from).collect();
        let linked: Vec<Vec<String>> = plain.iter().filter_map(|path| real(path)).collect();
        plain.into_iter().chain(linked).collect()
    }
}

/// Whether a word leads away from where it is read in a way that only the disk knows.
pub(super) fn roams(word: &Word) -> bool {
    word.text.starts_with('~') || word.text.split('/').any(|part| part == "..")
}

/// How a path stands to a file, both in parts; a part may be a pattern.
fn of_path(path: &[String], file: &[String]) -> Reach {
    let both = |one: &str, other: &str| is_pattern(one) && is_pattern(other);
    let is_same = |(one, other): (&String, &String)| {
        one == other || both(one, other) || fits(one, other) || (is_pattern(other) && fits(other, one))
    };
    match path.iter().zip(file).all(is_same) {
        false => Reach::None,
        true if path.len() < file.len() || path.iter().any(|part| is_pattern(part)) => Reach::Above,
        true => Reach::It,
    }
}

/// The path as the disk has it, where links are on the way.
fn real(path: &[String]) -> Option<Vec<String>> {
    let plain = PathBuf::from(format!("/{}", path.join("/")));
    let (there, rest) = plain.ancestors().find_map(|above| {
        let real = above.canonicalize().ok()?;
        Some((real, plain.strip_prefix(above).ok()?.to_owned()))
    })?;
    let real = there.join(rest);
    (real != plain).then(|| parts(&real.to_string_lossy()))
}

/// The parts of a path, without what changes nothing of where it leads.
fn parts(path: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match part {
            ".." => drop(all.pop()),
            part => all.push(part.to_owned()),
        }
    }
    all
}

pub(super) fn is_pattern(word: &str) -> bool {
    word.contains(['*', '?'])
}

/// A pattern of the shell; what it has in brackets is any letter.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    let (mut behind, mut letters) = (pattern.chars(), name.chars());
    match (behind.next(), letters.next()) {
        (None, None) => true,
        (Some('*'), letter) => fits(behind.as_str(), name) || (letter.is_some() && fits(pattern, letters.as_str())),
        (Some('?'), Some(_)) => fits(behind.as_str(), letters.as_str()),
        (Some('['), Some(_)) => {
            behind.as_str().split_once(']').is_some_and(|(_, behind)| fits(behind, letters.as_str()))
        }
        (Some(letter), Some(own)) => letter == own && fits(behind.as_str(), letters.as_str()),
        (Some(_), None) | (None, Some(_)) => false,
    }
}

impl Line {
    /// The folders it goes to, for itself or for the whole command; none where that is not said as a word.
    fn goes_to(&self) -> Vec<Option<&Word>> {
        let mut found = Vec::new();
        let is_going = |word: &&Word| ["cd", "pushd", "chdir"].contains(&base(&word.text));
        if let Some(at) = self.words.iter().position(|word| is_going(&word)) {
            let to = self.words[at + 1..].iter().find(|word| !word.text.starts_with('-') || word.text == "-");
            found.push(to);
        }
        if self.words.iter().any(|word| base(&word.text) == "popd") {
            found.push(None);
        }
        for pair in
            self.words.windows(2).filter(|pair| ["-C", "--directory", "--chdir"].contains(&pair[0].text.as_str()))
        {
            found.push(Some(&pair[1]));
        }
        found
    }
}

/// Folders a command goes to that are kept apart.
const FOLDERS_MAX: usize = 16;
