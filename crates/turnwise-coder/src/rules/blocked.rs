//! What is never run here, and why: programs, and of some what they do by one of their words or options. A word counts
//! where it says what is done, not where it is looked for. Next: `command`.

use turnwise_assistant::command::CommandLine;

/// What is never run here: why, and each program with the words by which it does that; without words whatever it does.
const BLOCKED: &[(&str, &str)] = &[
    ("it would act as another account", "sudo, runuser, pkexec, su, doas"),
    ("it deletes files in a way that cannot be taken back", "rm"),
    ("it deletes in a way that cannot be taken back", "rmdir, unlink, shred, find -delete"),
    ("it overwrites in a way that cannot be taken back", "truncate"),
    (
        LAUNCHES,
        "find -exec, find -execdir, find -ok, find -okdir, eval, env, xargs, parallel, timeout, nice, time, watch, \
         busybox, stdbuf, strace, ltrace, flock, chroot, script, unshare, ionice, taskset, chrt, git bisect run, git \
         submodule foreach, git rebase --exec, git rebase -x",
    ),
    ("it overwrites disks", "dd, mkfs"),
    ("it ends the machine", "shutdown, reboot"),
    ("it changes whom files belong to", "chown"),
    ("a shell runs whatever it is told", "dash, ash, ksh, csh, tcsh, sh, bash, zsh, fish"),
    ("it would outlive the step", "nohup, setsid"),
    ("it acts on another machine", "ssh, gh"),
    ("it sends files to another machine", "scp, sftp, rsync, ftp"),
    (
        "it sends to another machine",
        "nc, ncat, telnet, git push, git subtree push, git lfs push, git svn dcommit, git send-email, hg push, svn \
         commit, svn ci",
    ),
    ("it fetches from or sends to another machine", "curl"),
    (
        "it fetches from another machine",
        "wget, git fetch, git pull, git clone, git ls-remote, git remote update, git submodule update, git subtree \
         pull, git lfs fetch, git lfs pull",
    ),
    (
        "it throws work away",
        "git reset --hard, git clean, git branch -D, git branch -M, git branch -C, git branch -f, git branch \
         --force, git stash drop, git stash clear, git switch --discard-changes, git switch --force, git switch -f, \
         git switch -C, git switch --force-create",
    ),
    ("it may throw work away", "git checkout, git restore"),
    (
        "it publishes",
        "npm publish, yarn publish, yarn npm publish, yarn workspace … publish, yarn workspaces … publish, pnpm \
         publish, pnpm recursive publish, pnpm multi publish, cargo publish, twine, poetry publish, uv publish, gem \
         push, mvn deploy, helm push, podman push, podman compose push, podman manifest push, podman image push, \
         docker compose push, docker manifest push, docker build --push, docker buildx build --push, docker image \
         push, docker push, docker-compose push",
    ),
    ("it changes what is published", "cargo yank"),
    ("it acts on other machines", "kubectl, terraform"),
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
    all().find(|(name, words, why)| is_meant(name, words, why)).map(|(.., why)| why)
}

/// Programs, their words, and why.
fn all() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let one = |why, command: &'static str| {
        let (program, words) = command.split_once(' ').unwrap_or((command, ""));
        (program, words, why)
    };
    BLOCKED.iter().flat_map(move |(why, commands)| commands.split(", ").map(move |command| one(*why, command)))
}

/// Whether something of this program is never run.
pub(super) fn is_named(program: &str) -> bool {
    all().any(|(name, ..)| name == program)
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
