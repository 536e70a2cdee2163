//! Permissions: what a worker asks for is given where it concerns its copy or a command that is known to look, build or
//! test; refused where it is never run here; and asked of the person in all other cases. Next: `rules::command`.

use std::path::{Component, Path, PathBuf};

use turnwise_acp::schema::{
    PermissionOption, PermissionOptionKind, RequestPermissionOutcome, RequestPermissionRequest,
    SelectedPermissionOutcome, ToolCallContent, ToolCallUpdateFields, ToolKind,
};

use super::Job;
use crate::rules::{Judgement, command_of};

/// What a worker's request comes to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// It has its answer.
    Given(RequestPermissionOutcome),
    /// A person has to decide, and until then it is told no.
    AskedOfPerson {
        /// What it wants, as it is shown and kept.
        words: String,
        /// What it is told.
        outcome: RequestPermissionOutcome,
    },
}

pub(super) fn answer(request: &RequestPermissionRequest, folder: &Path, job: &Job<'_>) -> Answer {
    let fields = &request.tool_call.fields;
    let words = words(fields);
    let yes = || Answer::Given(choose(&request.options, &[PermissionOptionKind::AllowOnce]));
    let no = || choose(&request.options, &[PermissionOptionKind::RejectOnce, PermissionOptionKind::RejectAlways]);
    let kind = fields.kind.unwrap_or_default();
    let changes = matches!(kind, ToolKind::Edit | ToolKind::Delete | ToolKind::Move);
    if changes && places(fields).any(|place| is_of_git(folder, place)) {
        return Answer::Given(no());
    }
    if job.allowed.contains(&words) {
        return yes();
    }
    let asks = || Answer::AskedOfPerson { words: words.clone(), outcome: no() };
    match kind {
        ToolKind::Read | ToolKind::Edit | ToolKind::Delete | ToolKind::Move | ToolKind::Search | ToolKind::Think => {
            if stays_in(fields, folder) {
                yes()
            } else {
                asks()
            }
        }
        ToolKind::Execute => {
            match command(fields).map(|command| command_of(job.workspace, &inside(&command, folder))) {
                Some(Ok(judged)) if judged.judgement == Judgement::Allowed => yes(),
                Some(Ok(_)) | None => asks(),
                Some(Err(_)) => Answer::Given(no()),
            }
        }
        _ => asks(),
    }
}

/// What it wants, in its own words and with what it would run.
fn words(fields: &ToolCallUpdateFields) -> String {
    let title = fields.title.as_deref().unwrap_or("something it does not name");
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    match command(fields).filter(|command| !title.contains(command.as_str())) {
        Some(command) => format!("{title}: {command}"),
        None => title,
    }
}

fn command(fields: &ToolCallUpdateFields) -> Option<String> {
    let command = fields.raw_input.as_ref()?.get("command")?;
    match command {
        serde_json::Value::String(command) => Some(command.clone()),
        serde_json::Value::Array(words) => {
            Some(words.iter().filter_map(|word| word.as_str()).collect::<Vec<_>>().join(" "))
        }
        _ => None,
    }
}

/// A command as it would be typed in the copy: places in it that are named from the root are named from there. A
/// program of the copy stays one by its place.
fn inside(command: &str, folder: &Path) -> String {
    let root = folder.display().to_string();
    let ends = |letter: Option<char>| letter.is_none_or(|it| it.is_whitespace() || matches!(it, '"' | '\''));
    let (mut said, mut rest, mut open, mut begins) = (String::new(), command, None, true);
    while let Some(letter) = rest.chars().next() {
        let behind = rest
            .strip_prefix(&root)
            .filter(|behind| begins && (behind.starts_with('/') || ends(behind.chars().next())));
        if let Some(behind) = behind {
            let inner = behind.trim_start_matches('/');
            let is_program = said.chars().all(|letter| ends(Some(letter)));
            said.push_str(match (is_program, ends(inner.chars().next())) {
                (true, _) => "./",
                (false, true) => ".",
                (false, false) => "",
            });
            (rest, begins) = (inner, false);
            continue;
        }
        match open {
            Some(mark) if mark == letter => open = None,
            None if matches!(letter, '"' | '\'') => open = Some(letter),
            None if letter.is_whitespace() => begins = true,
            _ => begins = false,
        }
        said.push(letter);
        rest = &rest[letter.len_utf8()..];
    }
    said
}

fn places(fields: &ToolCallUpdateFields) -> impl Iterator<Item = &PathBuf> {
    let located = fields.locations.iter().flatten().map(|location| &location.path);
    let diffs = fields.content.iter().flatten().filter_map(|content| match content {
        ToolCallContent::Diff(diff) => Some(&diff.path),
        _ => None,
    });
    located.chain(diffs)
}

/// Whether all places it names lie in its copy. One that names none says nothing that could be looked at.
fn stays_in(fields: &ToolCallUpdateFields, folder: &Path) -> bool {
    let root = folder.canonicalize().ok();
    let is_inside = |place: &PathBuf| {
        let goes_up = place.components().any(|part| part == Component::ParentDir);
        let real = real(&folder.join(place));
        !goes_up && root.as_ref().zip(real).is_some_and(|(root, real)| real.starts_with(root))
    };
    places(fields).next().is_some() && places(fields).all(is_inside)
}

/// Where a place lies when its links are followed: of a new one, what there is above it. None where one leads nowhere.
fn real(place: &Path) -> Option<PathBuf> {
    place.ancestors().find(|part| part.symlink_metadata().is_ok())?.canonicalize().ok()
}

/// Whether a place is git's own, by its name or behind a link.
fn is_of_git(folder: &Path, place: &Path) -> bool {
    let place = folder.join(place);
    let is_named = |path: &Path| {
        path.strip_prefix(folder).unwrap_or(path).components().any(|part| part.as_os_str().eq_ignore_ascii_case(".git"))
    };
    let root = folder.canonicalize().ok();
    let real = real(&place).zip(root).and_then(|(real, root)| real.strip_prefix(root).ok().map(Path::to_owned));
    is_named(&place) || real.is_some_and(|real| is_named(&real))
}

/// The first option of these kinds; without one, none is chosen.
fn choose(options: &[PermissionOption], kinds: &[PermissionOptionKind]) -> RequestPermissionOutcome {
    let found = kinds.iter().find_map(|kind| options.iter().find(|option| option.kind == *kind));
    match found {
        Some(option) => RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(option.option_id.clone())),
        None => RequestPermissionOutcome::Cancelled,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use serde_json::json;
    use turnwise_acp::schema::{SessionId, ToolCallLocation, ToolCallUpdate};

    use super::*;
    use crate::options::WorkerOptions;
    use crate::workspace::Workspace;

    /// `COPY` in a place or command stands for the copy, in which lie a file, git's folder, and links.
    fn check(kind: ToolKind, place: &str, command: Option<&str>, allowed: &[String]) -> &'static str {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("copy");
        std::fs::create_dir_all(copy.join(".git")).unwrap();
        std::fs::write(copy.join("a.rs"), "").unwrap();
        #[cfg(unix)]
        for (to, link) in [("/etc", "away"), (".git", "inner"), ("/none/such", "broken"), ("a.rs", "same.rs")] {
            std::os::unix::fs::symlink(to, copy.join(link)).unwrap();
        }
        let (place, command) = (
            place.replace("COPY", copy.to_str().unwrap()),
            command.map(|command| command.replace("COPY", copy.to_str().unwrap())),
        );
        let workspace = Workspace::open(folder.path()).unwrap();
        let worker = WorkerOptions { command: vec!["w".into()], seconds: 1 };
        let job = Job { workspace: &workspace, worker: &worker, task: "t", allowed };
        let option = |id: &'static str, kind| PermissionOption::new(id, id, kind);
        let options =
            vec![option("yes", PermissionOptionKind::AllowOnce), option("no", PermissionOptionKind::RejectOnce)];
        let locations = if place.is_empty() { Vec::new() } else { vec![ToolCallLocation::new(place)] };
        let mut fields = ToolCallUpdateFields::new().kind(kind).title("Do it".to_owned()).locations(locations);
        fields.raw_input = command.map(|command| json!({ "command": command }));
        let request = RequestPermissionRequest::new(SessionId::new("s"), ToolCallUpdate::new("c", fields), options);
        match answer(&request, &copy, &job) {
            Answer::Given(RequestPermissionOutcome::Selected(it)) if &*it.option_id.0 == "yes" => "yes",
            Answer::Given(_) => "no",
            Answer::AskedOfPerson { .. } => "asks",
        }
    }

    #[test]
    fn what_stays_in_the_copy_is_given_and_the_rest_is_asked_or_refused() {
        for place in ["COPY/a.rs", "COPY/new/b.rs", "a.rs"] {
            assert_eq!(check(ToolKind::Edit, place, None, &[]), "yes", "{place}");
        }
        for place in ["/etc/passwd", "COPY/../a.rs", "", "COPYing/a.rs"] {
            assert_eq!(check(ToolKind::Edit, place, None, &[]), "asks", "{place}");
        }
        for place in [".git", ".git/hooks/post-checkout", "COPY/.git/config", "COPY/.GIT/config"] {
            assert_eq!(check(ToolKind::Edit, place, None, &["Do it".to_owned()]), "no", "{place}");
        }
        for command in ["wc /etc/passwd", "git diff --no-index /etc/passwd /dev/null", "ls ../x", "ls COPY/../x"] {
            assert_eq!(check(ToolKind::Execute, "", Some(command), &[]), "asks", "{command}");
        }
        for command in ["ls COPY/src", "ls COPY", "ls COPY/", "ls \"COPY/src\"", "git diff -- 'COPY/a.rs'"] {
            assert_eq!(check(ToolKind::Execute, "", Some(command), &[]), "yes", "{command}");
        }
        for command in ["ls COPYing", "ls \"COPY/../x\"", "ls 'COPY'/../x"] {
            assert_eq!(check(ToolKind::Execute, "", Some(command), &[]), "asks", "{command}");
        }
        assert_eq!(
            check(ToolKind::Execute, "", Some("COPY/ls"), &[]),
            "no",
            "a program of the copy is none of the system"
        );
        assert_eq!(check(ToolKind::Execute, "", Some("git status"), &[]), "yes");
        assert_eq!(check(ToolKind::Execute, "", Some("rm -rf /"), &[]), "no");
        assert_eq!(check(ToolKind::Execute, "", Some("git log | sh"), &[]), "no");
        assert_eq!(check(ToolKind::Execute, "", Some("touch a"), &[]), "asks");
        assert_eq!(check(ToolKind::Execute, "", Some("touch a"), &["Do it: touch a".to_owned()]), "yes");
        assert_eq!(check(ToolKind::Fetch, "", None, &[]), "asks");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_before_a_place_is_called_inside() {
        for (place, expected) in [
            ("COPY/away/passwd", "asks"),
            ("away/new.txt", "asks"),
            ("broken", "asks"),
            ("COPY/same.rs", "yes"),
            ("inner/hooks/post-checkout", "no"),
        ] {
            assert_eq!(check(ToolKind::Edit, place, None, &[]), expected, "{place}");
        }
    }
}
