//! Files named in a request (BH-13): paths, bare names with a known ending, well-known names without one, and globs.
//! Next: `scope`, which counts them.

/// Files taken from one message; who names more means a folder.
const FILES_MAX: usize = 64;

const ENDINGS: &[&str] = &[
    "bat",
    "c",
    "cc",
    "cfg",
    "clj",
    "conf",
    "cpp",
    "cs",
    "css",
    "csv",
    "cxx",
    "dart",
    "dockerfile",
    "ejs",
    "env",
    "erl",
    "ex",
    "exs",
    "go",
    "gradle",
    "graphql",
    "h",
    "hbs",
    "hpp",
    "hs",
    "html",
    "ini",
    "ipynb",
    "java",
    "jl",
    "js",
    "json",
    "jsonl",
    "jsx",
    "kt",
    "kts",
    "less",
    "lock",
    "log",
    "lua",
    "m",
    "md",
    "mdx",
    "mjs",
    "mm",
    "nix",
    "php",
    "pl",
    "proto",
    "ps1",
    "py",
    "pyi",
    "r",
    "rb",
    "rs",
    "rst",
    "sass",
    "scala",
    "scss",
    "sh",
    "sol",
    "sql",
    "svelte",
    "svg",
    "swift",
    "tex",
    "tf",
    "toml",
    "ts",
    "tsx",
    "txt",
    "vue",
    "xml",
    "yaml",
    "yml",
    "zig",
];

/// Names of libraries that look like files.
const LIBRARIES: &[&str] = &[
    "alpine.js",
    "angular.js",
    "backbone.js",
    "chart.js",
    "d3.js",
    "discord.js",
    "ember.js",
    "express.js",
    "moment.js",
    "next.js",
    "node.js",
    "nuxt.js",
    "p5.js",
    "react.js",
    "socket.io",
    "three.js",
    "vue.js",
];

const WELL_KNOWN: &[&str] = &[
    "brewfile",
    "changelog",
    "contributing",
    "dockerfile",
    "gemfile",
    "jenkinsfile",
    "license",
    "makefile",
    "procfile",
    "rakefile",
    "readme",
    "vagrantfile",
];

const FOLDERS: &[&str] = &[
    "api",
    "app",
    "apps",
    "assets",
    "bin",
    "cmd",
    "components",
    "config",
    "core",
    "crates",
    "docs",
    "e2e",
    "internal",
    "lib",
    "libs",
    "migrations",
    "models",
    "packages",
    "pages",
    "pkg",
    "public",
    "routes",
    "scripts",
    "server",
    "services",
    "source",
    "spec",
    "specs",
    "src",
    "styles",
    "test",
    "tests",
    "tools",
    "ui",
    "utils",
    "views",
    "web",
];

/// The files that `text` names, in order, each once.
#[must_use]
pub fn files_in(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let separators = |ch: char| ch.is_whitespace() || matches!(ch, ',' | ';' | '"' | '`' | '(' | ')' | '<' | '>');
    for token in text.split(separators) {
        let token = trimmed(token);
        if found.len() < FILES_MAX && is_file(token) && !found.iter().any(|file| file == token) {
            found.push(token.to_owned());
        }
    }
    found
}

/// Whether a name stands for many files.
pub(super) fn is_glob(name: &str) -> bool {
    name.contains('*') || name.ends_with('/')
}

/// Without quotes, marks at the end and a position (`src/a.rs:12:3`, `src/a.rs:10-20`).
fn trimmed(token: &str) -> &str {
    let mut token = token.trim_matches(['\'', '!', '?', ':', '[', ']', '{', '}']).trim_end_matches(['.', '\'']);
    for possessive in ["'s", "\u{2019}s"] {
        token = token.strip_suffix(possessive).unwrap_or(token);
    }
    while let Some((name, position)) = token.rsplit_once(':') {
        let is_number = |part: &str| !part.is_empty() && part.chars().all(|ch| ch.is_ascii_digit());
        if !position.split('-').all(is_number) {
            break;
        }
        token = name;
    }
    token
}

fn is_file(token: &str) -> bool {
    if token.contains("://") || token.contains('@') || token.starts_with("www.") || token.len() < 2 {
        return false;
    }
    let lower = token.to_lowercase();
    if LIBRARIES.contains(&lower.as_str()) {
        return false;
    }
    let name = lower.rsplit('/').next().unwrap_or_default();
    if WELL_KNOWN.contains(&name)
        && (token.contains('/') || token.starts_with(|ch: char| ch.is_uppercase()) || name == "readme")
    {
        return true;
    }
    has_ending(name) || is_path(&lower) || (lower.contains('*') && lower.contains('.'))
}

fn has_ending(name: &str) -> bool {
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let dotfile = stem.is_empty() && (ending.starts_with("git") || ending.starts_with("env") || ending.ends_with("rc"));
    let plain = !stem.is_empty()
        && stem.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '.' | '_' | '-' | '*' | '[' | ']'));
    dotfile || (plain && ENDINGS.contains(&ending))
}

/// A path without an ending: it starts like one or lies in a folder that projects have.
fn is_path(lower: &str) -> bool {
    let Some((first, rest)) = lower.split_once('/') else { return false };
    let relative = matches!(first, "." | ".." | "~");
    let clean = lower.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '/' | '.' | '_' | '-' | '*' | '~'));
    clean && (relative || (FOLDERS.contains(&first) && (rest.is_empty() || !FOLDERS.contains(&rest))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(files_in(text), expected, "{text}");
    }

    #[test]
    fn paths_names_globs_and_well_known_files_are_found() {
        check("fix src/index.ts and ./lib/a.py.", &["src/index.ts", "./lib/a.py"]);
        check("look at main.rs:12:3, `Cargo.toml`", &["main.rs", "Cargo.toml"]);
        check("show main.rs:10-20", &["main.rs"]);
        check("format src/**/*.ts and *.css", &["src/**/*.ts", "*.css"]);
        check("update the Dockerfile, README and .gitignore", &["Dockerfile", "README", ".gitignore"]);
        check("everything in src/ and tests/unit", &["src/", "tests/unit"]);
        check("what does app.py's main do? see app.py", &["app.py"]);
    }

    #[test]
    fn libraries_addresses_and_slashes_between_words_are_no_files() {
        check("upgrade node.js and moment.js, e.g. for CI/CD and/or tests", &[]);
        check("see https://example.com/a.ts or me@example.rs at 3/4", &[]);
        check("version 1.2.3 of the license", &[]);
    }
}
