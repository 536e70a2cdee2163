//! What is never run here, and why: programs, and of some what they do by one of their words or options. A word counts
//! where it says what is done, not where it is looked for. Next: `command`.

use turnwise_assistant::command::CommandLine;

/// Programs that are never run here, and why.
const BLOCKED: &[(&str, &str, &str)] = &[
    ("sudo", "", "it would act as another account"),
    ("runuser", "", "it would act as another account"),
    ("pkexec", "", "it would act as another account"),
    ("su", "", "it would act as another account"),
    ("doas", "", "it would act as another account"),
    ("rm", "", "it deletes files in a way that cannot be taken back"),
    ("rmdir", "", "it deletes in a way that cannot be taken back"),
    ("unlink", "", "it deletes in a way that cannot be taken back"),
    ("shred", "", "it deletes in a way that cannot be taken back"),
    ("truncate", "", "it overwrites in a way that cannot be taken back"),
    ("find", "-delete", "it deletes in a way that cannot be taken back"),
    ("find", "-exec", LAUNCHES),
    ("find", "-execdir", LAUNCHES),
    ("find", "-ok", LAUNCHES),
    ("find", "-okdir", LAUNCHES),
    ("dd", "", "it overwrites disks"),
    ("mkfs", "", "it overwrites disks"),
    ("shutdown", "", "it ends the machine"),
    ("reboot", "", "it ends the machine"),
    ("chown", "", "it changes whom files belong to"),
    ("dash", "", "a shell runs whatever it is told"),
    ("ash", "", "a shell runs whatever it is told"),
    ("ksh", "", "a shell runs whatever it is told"),
    ("csh", "", "a shell runs whatever it is told"),
    ("tcsh", "", "a shell runs whatever it is told"),
    ("sh", "", "a shell runs whatever it is told"),
    ("bash", "", "a shell runs whatever it is told"),
    ("zsh", "", "a shell runs whatever it is told"),
    ("fish", "", "a shell runs whatever it is told"),
    ("eval", "", LAUNCHES),
    ("env", "", LAUNCHES),
    ("xargs", "", LAUNCHES),
    ("parallel", "", LAUNCHES),
    ("timeout", "", LAUNCHES),
    ("nice", "", LAUNCHES),
    ("time", "", LAUNCHES),
    ("watch", "", LAUNCHES),
    ("busybox", "", LAUNCHES),
    ("stdbuf", "", LAUNCHES),
    ("strace", "", LAUNCHES),
    ("ltrace", "", LAUNCHES),
    ("flock", "", LAUNCHES),
    ("chroot", "", LAUNCHES),
    ("script", "", LAUNCHES),
    ("unshare", "", LAUNCHES),
    ("ionice", "", LAUNCHES),
    ("taskset", "", LAUNCHES),
    ("chrt", "", LAUNCHES),
    ("nohup", "", "it would outlive the step"),
    ("setsid", "", "it would outlive the step"),
    ("ssh", "", "it acts on another machine"),
    ("scp", "", "it sends files to another machine"),
    ("sftp", "", "it sends files to another machine"),
    ("rsync", "", "it sends files to another machine"),
    ("ftp", "", "it sends files to another machine"),
    ("nc", "", "it sends to another machine"),
    ("ncat", "", "it sends to another machine"),
    ("telnet", "", "it sends to another machine"),
    ("curl", "", "it fetches from or sends to another machine"),
    ("wget", "", "it fetches from another machine"),
    ("git", "push", "it sends to another machine"),
    ("git", "subtree push", "it sends to another machine"),
    ("git", "lfs push", "it sends to another machine"),
    ("git", "svn dcommit", "it sends to another machine"),
    ("git", "send-email", "it sends to another machine"),
    ("git", "fetch", "it fetches from another machine"),
    ("git", "pull", "it fetches from another machine"),
    ("git", "clone", "it fetches from another machine"),
    ("git", "ls-remote", "it fetches from another machine"),
    ("git", "remote update", "it fetches from another machine"),
    ("git", "submodule update", "it fetches from another machine"),
    ("git", "subtree pull", "it fetches from another machine"),
    ("git", "lfs fetch", "it fetches from another machine"),
    ("git", "lfs pull", "it fetches from another machine"),
    ("git", "reset --hard", "it throws work away"),
    ("git", "clean", "it throws work away"),
    ("git", "branch -D", "it throws work away"),
    ("git", "branch -M", "it throws work away"),
    ("git", "branch -C", "it throws work away"),
    ("git", "branch -f", "it throws work away"),
    ("git", "branch --force", "it throws work away"),
    ("git", "stash drop", "it throws work away"),
    ("git", "stash clear", "it throws work away"),
    ("git", "switch --discard-changes", "it throws work away"),
    ("git", "switch --force", "it throws work away"),
    ("git", "switch -f", "it throws work away"),
    ("git", "switch -C", "it throws work away"),
    ("git", "switch --force-create", "it throws work away"),
    ("git", "bisect run", LAUNCHES),
    ("git", "submodule foreach", LAUNCHES),
    ("git", "rebase --exec", LAUNCHES),
    ("git", "rebase -x", LAUNCHES),
    ("git", "checkout", "it may throw work away"),
    ("git", "restore", "it may throw work away"),
    ("npm", "publish", "it publishes"),
    ("yarn", "publish", "it publishes"),
    ("pnpm", "publish", "it publishes"),
    ("cargo", "publish", "it publishes"),
    ("cargo", "yank", "it changes what is published"),
    ("twine", "", "it publishes"),
    ("poetry", "publish", "it publishes"),
    ("uv", "publish", "it publishes"),
    ("gem", "push", "it publishes"),
    ("mvn", "deploy", "it publishes"),
    ("helm", "push", "it publishes"),
    ("podman", "push", "it publishes"),
    ("hg", "push", "it sends to another machine"),
    ("svn", "commit", "it sends to another machine"),
    ("yarn", "npm publish", "it publishes"),
    ("yarn", "workspace … publish", "it publishes"),
    ("yarn", "workspaces … publish", "it publishes"),
    ("pnpm", "recursive publish", "it publishes"),
    ("pnpm", "multi publish", "it publishes"),
    ("docker", "compose push", "it publishes"),
    ("docker", "manifest push", "it publishes"),
    ("docker", "build --push", "it publishes"),
    ("docker", "buildx build --push", "it publishes"),
    ("podman", "compose push", "it publishes"),
    ("podman", "manifest push", "it publishes"),
    ("docker-compose", "push", "it publishes"),
    ("docker", "image push", "it publishes"),
    ("podman", "image push", "it publishes"),
    ("svn", "ci", "it sends to another machine"),
    ("docker", "push", "it publishes"),
    ("gh", "", "it acts on another machine"),
    ("kubectl", "", "it acts on other machines"),
    ("terraform", "", "it acts on other machines"),
];

/// Programs whose names are plain words as well, with which an order may begin.
const WORDS: [&str; 12] =
    ["find", "time", "watch", "nice", "parallel", "truncate", "dash", "fish", "flock", "script", "env", "eval"];

/// Why those are never run that run others. A program of the project may be called like them.
const LAUNCHES: &str = "it runs whatever it is told";

/// Programs whose words may stand anywhere among their arguments.
const ANYWHERE: [&str; 2] = ["find", "mvn"];

/// Why `command` is never run, if so.
pub(super) fn blocked(command: &CommandLine) -> Option<&'static str> {
    let program = command.program.rsplit('/').next().unwrap_or(&command.program);
    let is_own = program != command.program && !command.program.starts_with('/');
    if program == "git" && renames_commands(&command.arguments) {
        return Some("what it would do stands in its options");
    }
    // `mkfs.ext4` is a `mkfs`; a `./watch.sh` of the project is no `watch`.
    let is_called = |name: &str| program == name || (name == "mkfs" && program.starts_with("mkfs."));
    let is_done = |words: &str| match ANYWHERE.contains(&program) {
        true => words.split_whitespace().all(|word| command.arguments.iter().any(|argument| argument == word)),
        false => does(&command.arguments, words),
    };
    let is_meant = |name: &str, words: &str, why: &str| {
        is_called(name) && is_done(words) && !(is_own && words.is_empty() && why == LAUNCHES)
    };
    BLOCKED.iter().find(|(name, words, why)| is_meant(name, words, why)).map(|(_, _, why)| *why)
}

/// Whether something of this program is never run.
pub(super) fn is_named(program: &str) -> bool {
    BLOCKED.iter().any(|(name, ..)| *name == program)
}

/// Whether the name of such a program is a plain word as well.
pub(super) fn is_also_word(program: &str) -> bool {
    WORDS.contains(&program)
}

/// `git -c alias.x=…`: the subcommand that is seen is not what is done.
fn renames_commands(arguments: &[String]) -> bool {
    let names = |setting: &str| setting.to_ascii_lowercase().starts_with("alias.");
    let follows = |pair: &[String]| matches!(pair[0].as_str(), "-c" | "--config-env") && names(&pair[1]);
    let attached = |argument: &String| argument.strip_prefix("--config-env=").is_some_and(names);
    arguments.windows(2).any(follows) || arguments.iter().any(attached)
}

/// Whether arguments say `words`: a subcommand where subcommands stand, with what follows it; behind “…” anywhere.
fn does(arguments: &[String], words: &str) -> bool {
    let mut words = words.split_whitespace();
    let Some(first) = words.next() else { return true };
    let words: Vec<&str> = words.collect();
    starts(arguments).any(|at| arguments[at] == first && follow(&arguments[at + 1..], &words))
}

/// Whether `words` follow a subcommand: each word behind the one before, options wherever they stand behind it.
fn follow(behind: &[String], words: &[&str]) -> bool {
    match words {
        [] => true,
        ["…", words @ ..] => words.iter().all(|word| behind.iter().any(|argument| argument == word)),
        [word, words @ ..] if word.starts_with('-') => has_option(behind, word) && follow(behind, words),
        [word, words @ ..] => starts(behind).any(|at| behind[at] == **word && follow(&behind[at + 1..], words)),
    }
}

/// Where a subcommand may stand: behind options alone, of which each may have a value.
fn starts(arguments: &[String]) -> impl Iterator<Item = usize> + '_ {
    let is_option = |argument: &String| argument.starts_with(['-', '+']);
    let is_value = move |at: usize| at > 0 && arguments[at - 1].starts_with('-') && !arguments[at - 1].contains('=');
    let ends = (0..arguments.len()).find(|at| !is_option(&arguments[*at]) && !is_value(*at));
    (0..ends.map_or(arguments.len(), |end| end + 1)).filter(move |at| !is_option(&arguments[*at]))
}

/// Whether an option stands behind a subcommand: a long one also cut short, a short one also among others.
fn has_option(behind: &[String], option: &str) -> bool {
    let is_long = |argument: &String| {
        let name = argument.split('=').next().unwrap_or(argument);
        name.len() > 2 && name.starts_with("--") && option.starts_with(name)
    };
    let is_short = |argument: &String| {
        argument.starts_with('-') && !argument.starts_with("--") && argument.contains(option.trim_start_matches('-'))
    };
    if option.starts_with("--") { behind.iter().any(is_long) } else { behind.iter().any(is_short) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is_blocked(command: &str) -> bool {
        let words: Vec<&str> = command.split_whitespace().collect();
        words.split_first().is_some_and(|(program, rest)| blocked(&CommandLine::new(program, rest)).is_some())
    }

    #[test]
    fn what_is_cut_short_joined_or_launched_is_blocked_too() {
        for never in [
            "git reset --har",
            "git reset -q HEAD --hard",
            "git -C . push",
            "git -c a=b push --force",
            "git --no-pager push",
            "git branch -df x",
            "git branch -Df x",
            "git branch --delete --forc x",
            "git switch --discard-changes main",
            "git switch --disc main",
            "git -c alias.x=push x",
            "git -c ALIAS.x=push x",
            "git --config-env=alias.x=A x",
            "git bisect run ./x",
            "git stash -q drop",
            "dash -c ls",
            "stdbuf -o0 rm -rf x",
            "strace rm x",
            "flock x rm x",
            "chroot . rm x",
            "script -c ls",
            "cargo +nightly publish",
            "npm --silent publish",
            "mvn -q clean deploy",
            "git subtree push --prefix docs origin gh-pages",
            "git subtree --prefix docs push origin x",
            "git lfs push origin main",
            "git fetch",
            "git -C . pull --rebase",
            "git clone x",
            "git submodule update --init",
            "git switch -C main",
            "git switch --force-create main",
            "git branch -f main HEAD~3",
            "git branch -M x main",
            "docker compose -f a.yml push",
            "docker buildx build --push .",
            "pnpm recursive publish",
            "yarn workspace a publish",
            "yarn workspaces foreach -A npm publish",
            "/usr/bin/watch ls",
            "bin/twine upload x",
        ] {
            assert!(is_blocked(never), "{never}");
        }
    }

    #[test]
    fn a_word_that_is_only_looked_for_blocks_nothing() {
        for fine in [
            "cargo test publish",
            "git log --grep push",
            "git stash push",
            "git log -S checkout",
            "git stash push drop",
            "git branch -d x",
            "git reset --soft HEAD",
            "git log --oneline push",
            "npm test publish",
            "find . -name delete",
            "git branch -m old new",
            "git branch --format=%h",
            "git switch -c new",
            "git stash push -m pull",
            "docker compose build push",
            "yarn workspace a test",
            "./script --x",
            "bin/watch src",
            "./time",
        ] {
            assert!(!is_blocked(fine), "{fine}");
        }
    }
}
