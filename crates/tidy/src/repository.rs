//! The files of the repository, read from the working tree: `git` is not asked, so that the rules also hold in an
//! unpacked archive. Build output and hidden folders that are not ours are left out. Next: `source`.

use std::path::{Path, PathBuf};

use crate::SourceFile;

/// Hidden folders that belong to the repository; all others are left out.
const HIDDEN_OURS: [&str; 4] = [".ci", ".config", ".cargo", ".github"];

/// The root of the repository.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map_or_else(PathBuf::new, Path::to_path_buf)
}

/// The text of the file at `path`, from the root.
///
/// # Errors
/// The path and what is wrong with it, for the test to print.
pub fn read(path: &str) -> Result<String, String> {
    std::fs::read_to_string(root().join(path)).map_err(|error| format!("{path} cannot be read: {error}"))
}

/// Every Rust file under `crates/` that `keep` wants, by its path from the root, in order.
///
/// # Errors
/// The folder or file that could not be read.
pub fn source_files(keep: impl Fn(&str) -> bool) -> Result<Vec<SourceFile>, String> {
    let texts = text_files(|path| path.starts_with("crates/") && path.ends_with(".rs"))?;
    let files: Vec<SourceFile> = texts.iter().map(|(path, text)| SourceFile::new(path, text)).collect();
    let tests: Vec<String> = files.iter().flat_map(SourceFile::test_modules).collect();
    let is_test = |path: &str| {
        let inside =
            |module: &String| path.strip_prefix(module.as_str()).is_some_and(|r| r == ".rs" || r.starts_with('/'));
        tests.iter().any(inside)
    };
    let kept = files.into_iter().filter(|file| keep(&file.path));
    Ok(kept.map(|file| if is_test(&file.path) { file.as_tests() } else { file }).collect())
}

/// Path and text of every file that `keep` wants, in order of paths. What is not UTF-8 is a binary and left out.
///
/// # Errors
/// The folder or file that could not be read.
pub fn text_files(keep: impl Fn(&str) -> bool) -> Result<Vec<(String, String)>, String> {
    let mut paths = Vec::new();
    collect(&root(), "", &mut paths)?;
    paths.sort();
    let mut files = Vec::new();
    for path in paths.into_iter().filter(|path| keep(path)) {
        let bytes = std::fs::read(root().join(&path)).map_err(|error| format!("{path} cannot be read: {error}"))?;
        if let Ok(text) = String::from_utf8(bytes) {
            files.push((path, text));
        }
    }
    Ok(files)
}

fn collect(folder: &Path, prefix: &str, paths: &mut Vec<String>) -> Result<(), String> {
    let unreadable = |error| format!("{} cannot be read: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        let kind = entry.file_type().map_err(unreadable)?;
        if kind.is_file() && name != ".git" {
            paths.push(path);
        } else if kind.is_dir() && is_ours(&name) {
            collect(&entry.path(), &format!("{path}/"), paths)?;
        }
    }
    Ok(())
}

fn is_ours(folder: &str) -> bool {
    folder != "target" && (!folder.starts_with('.') || HIDDEN_OURS.contains(&folder))
}

#[cfg(test)]
mod tests {
    use super::{is_ours, source_files, text_files};

    #[test]
    fn the_walk_finds_this_file_and_the_root_manifest() {
        let sources = source_files(|path| path == "crates/tidy/src/repository.rs");
        assert_eq!(sources.map(|files| files.len()), Ok(1));
        let texts = text_files(|path| path == "Cargo.toml" || path == "README.md");
        assert_eq!(texts.map(|files| files.len()), Ok(2));
    }

    #[test]
    fn build_output_and_foreign_hidden_folders_are_left_out() {
        assert!(is_ours("crates") && is_ours(".ci"));
        assert!(!is_ours("target") && !is_ours(".git") && !is_ours(".idea"));
    }
}
