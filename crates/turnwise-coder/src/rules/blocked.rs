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
    ("find", "-exec", "it runs whatever it is told"),
    ("find", "-execdir", "it runs whatever it is told"),
    ("find", "-ok", "it runs whatever it is told"),
    ("find", "-okdir", "it runs whatever it is told"),
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
    ("eval", "", "it runs whatever it is told"),
    ("env", "", "it runs whatever it is told"),
    ("xargs", "", "it runs whatever it is told"),
    ("parallel", "", "it runs whatever it is told"),
    ("timeout", "", "it runs whatever it is told"),
    ("nice", "", "it runs whatever it is told"),
    ("time", "", "it runs whatever it is told"),
    ("watch", "", "it runs whatever it is told"),
    ("busybox", "", "it runs whatever it is told"),
    ("stdbuf", "", "it runs whatever it is told"),
    ("strace", "", "it runs whatever it is told"),
    ("ltrace", "", "it runs whatever it is told"),
    ("flock", "", "it runs whatever it is told"),
    ("chroot", "", "it runs whatever it is told"),
    ("script", "", "it runs whatever it is told"),
    ("unshare", "", "it runs whatever it is told"),
    ("ionice", "", "it runs whatever it is told"),
    ("taskset", "", "it runs whatever it is told"),
    ("chrt", "", "it runs whatever it is told"),
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
    ("git", "reset --hard", "it throws work away"),
    ("git", "clean", "it throws work away"),
    ("git", "branch -D", "it throws work away"),
    ("git", "stash drop", "it throws work away"),
    ("git", "stash clear", "it throws work away"),
    ("git", "switch --discard-changes", "it throws work away"),
    ("git", "switch --force", "it throws work away"),
    ("git", "switch -f", "it throws work away"),
    ("git", "branch --delete --force", "it throws work away"),
    ("git", "branch --delete -f", "it throws work away"),
    ("git", "branch -d --force", "it throws work away"),
    ("git", "branch -d -f", "it throws work away"),
    ("git", "bisect run", "it runs whatever it is told"),
    ("git", "submodule foreach", "it runs whatever it is told"),
    ("git", "rebase --exec", "it runs whatever it is told"),
    ("git", "rebase -x", "it runs whatever it is told"),
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
    ("docker", "image push", "it publishes"),
    ("podman", "image push", "it publishes"),
    ("svn", "ci", "it sends to another machine"),
    ("docker", "push", "it publishes"),
    ("gh", "", "it acts on another machine"),
    ("kubectl", "", "it acts on other machines"),
    ("terraform", "", "it acts on other machines"),
];

/// Programs whose words may stand anywhere among their arguments.
const ANYWHERE: [&str; 2] = ["find", "mvn"];

/// Why `command` is never run, if so.
pub(super) fn blocked(command: &CommandLine) -> Option<&'static str> {
    let program = command.program.rsplit('/').next().unwrap_or(&command.program);
    if program == "git" && renames_commands(&command.arguments) {
        return Some("what it would do stands in its options");
    }
    // `mkfs.ext4` is a `mkfs`; a `./watch.sh` of the project is no `watch`.
    let is_called = |name: &str| program == name || (name == "mkfs" && program.starts_with("mkfs."));
    let is_done = |words: &str| match ANYWHERE.contains(&program) {
        true => words.split_whitespace().all(|word| command.arguments.iter().any(|argument| argument == word)),
        false => does(&command.arguments, words),
    };
    BLOCKED.iter().find(|(name, words, _)| is_called(name) && is_done(words)).map(|(_, _, why)| *why)
}

/// Whether something of this program is never run.
pub(super) fn is_named(program: &str) -> bool {
    BLOCKED.iter().any(|(name, ..)| *name == program)
}

/// `git -c alias.x=…`: the subcommand that is seen is not what is done.
fn renames_commands(arguments: &[String]) -> bool {
    let names = |setting: &str| setting.to_ascii_lowercase().starts_with("alias.");
    let follows = |pair: &[String]| matches!(pair[0].as_str(), "-c" | "--config-env") && names(&pair[1]);
    let attached = |argument: &String| argument.strip_prefix("--config-env=").is_some_and(names);
    arguments.windows(2).any(follows) || arguments.iter().any(attached)
}

/// Whether arguments say `words`: a subcommand where subcommands stand, with what follows it.
fn does(arguments: &[String], words: &str) -> bool {
    let mut words = words.split_whitespace();
    let Some(first) = words.next() else { return true };
    let words: Vec<&str> = words.collect();
    starts(arguments).any(|at| {
        let behind = &arguments[at + 1..];
        arguments[at] == first && words.iter().all(|word| says(behind, word))
    })
}

/// Where a subcommand may stand: behind options alone, of which each may have a value.
fn starts(arguments: &[String]) -> impl Iterator<Item = usize> + '_ {
    let is_option = |argument: &String| argument.starts_with(['-', '+']);
    let is_value = move |at: usize| at > 0 && arguments[at - 1].starts_with('-') && !arguments[at - 1].contains('=');
    let ends = (0..arguments.len()).find(|at| !is_option(&arguments[*at]) && !is_value(*at));
    (0..ends.map_or(arguments.len(), |end| end + 1)).filter(move |at| !is_option(&arguments[*at]))
}

/// Whether what stands behind a subcommand says this: a word as the first that is no option, a long option also cut
/// short, a short one also among others.
fn says(behind: &[String], word: &str) -> bool {
    if word.starts_with("--") {
        let is_it = |argument: &String| {
            let name = argument.split('=').next().unwrap_or(argument);
            name.len() > 2 && name.starts_with("--") && word.starts_with(name)
        };
        return behind.iter().any(is_it);
    }
    match word.strip_prefix('-') {
        Some(letter) => behind.iter().any(|it| it.starts_with('-') && !it.starts_with("--") && it.contains(letter)),
        None => starts(behind).any(|at| behind[at] == word),
    }
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
        ] {
            assert!(!is_blocked(fine), "{fine}");
        }
    }
}
