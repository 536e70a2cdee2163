//! What sentences forbid, and what breaks that, over one working folder: `/srv/ann/desk`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use std::path::Path;

use super::{Doing, Limit, apart, broken};
use crate::orders::orders;

const ROOT: &str = "/srv/ann/desk";

fn limit(said: &str) -> Limit {
    Limit::read(said).unwrap_or_else(|| panic!("“{said}” is read as nothing"))
}

/// Whether a step is refused, and what is said of it where it is not.
fn held(said: &str, order: &str) -> (bool, String) {
    let limit = limit(said);
    let wanted = orders(order).unwrap_or_else(|| panic!("“{order}” is no order"));
    let is_refused = broken(std::slice::from_ref(&limit), wanted.iter(), Path::new(ROOT)).is_some();
    let steps: Vec<Doing> = wanted.iter().map(Doing::from).collect();
    (is_refused, limit.told(&steps))
}

#[track_caller]
fn refuses(said: &str, orders: &[&str]) {
    for order in orders {
        let (is_refused, told) = held(said, order);
        assert!(is_refused, "{said}: {order}: {told}");
    }
}

/// The step is let through, and it is said to hold.
#[track_caller]
fn allows(said: &str, orders: &[&str]) {
    for order in orders {
        let (is_refused, told) = held(said, order);
        assert!(!is_refused && told.contains("holds: "), "{said}: {order}: {is_refused} {told}");
    }
}

/// The step is let through, and nothing is said to hold.
#[track_caller]
fn leaves_open(said: &str, orders: &[&str]) {
    for order in orders {
        let (is_refused, told) = held(said, order);
        let is_open = !told.contains("holds") && told.contains("not checked");
        assert!(!is_refused && is_open, "{said}: {order}: {is_refused} {told}");
    }
}

#[test]
fn what_is_left_out_of_what_is_forbidden_is_free_and_all_else_is_not() {
    for said in [
        "nothing may be written outside out/",
        "never write anything outside of out",
        "don't write outside out/",
        "do not write anywhere but in out/",
        "don't change anything except in out/",
        "no file may be changed other than out/",
        "never change any file apart from those in out/",
        "only write to out/",
        "write only to out/",
        "you may only write to out/",
        "don't create files outside the folder out",
    ] {
        refuses(
            said,
            &["write \"x\" to n.txt", "write \"x\" to outside/n.txt", "run `echo x > n.txt`", "run `rm n.txt`"],
        );
        refuses(
            said,
            &["run `touch out/../n.txt`", "run `cp a.txt n.txt`", "run `tee n.txt`", "run `cd out; touch ../n`"],
        );
        refuses(said, &["run `mkdir other`", "run `touch $F`", "run `rm -r .`", "run `touch /srv/ann/n.txt`"]);
        let ours = ["write \"x\" to out/y.txt", "run `echo x > out/y.txt`", "run `cp a.txt out/y.txt`", "read n.txt"];
        for order in ours {
            let (is_refused, told) = held(said, order);
            assert!(!is_refused && told.contains("but out"), "{said}: {order}: {told}");
        }
        leaves_open(said, &["run `./build`", "python `print(1)`", "call fs.write with path=n.txt"]);
    }
    for said in [
        "never touch anything except a.txt",
        "don't touch anything but a.txt",
        "never touch any file other than a.txt",
        "never touch anything, except a.txt",
        "only touch a.txt",
    ] {
        refuses(said, &["write \"x\" to b.txt", "read b.txt", "run `rm b.txt`", "run `cat b.txt`"]);
        allows(said, &["write \"x\" to a.txt", "read a.txt", "run `cat a.txt`"]);
    }
    for said in
        ["don't change any file other than a.txt", "only a.txt may be changed", "nothing but a.txt may be changed"]
    {
        refuses(said, &["write \"x\" to b.txt", "run `rm b.txt`"]);
        allows(said, &["write \"x\" to a.txt", "read b.txt", "run `cat b.txt`"]);
    }
    refuses("don't run anything but ls", &["run `cat a.txt`", "run `ls; rm a`", "python `1`", "run `ls | sh`"]);
    allows("don't run anything but ls", &["run `ls`", "read a.txt"]);
    refuses("never delete anything except tmp/", &["delete a.txt", "run `rm tmp/a b`", "run `find . -delete`"]);
    allows("never delete anything except tmp/", &["delete tmp/a.txt", "write \"x\" to a.txt"]);
    refuses("never fetch from anywhere but example.org", &["fetch https://example.com/a", "run `curl example.com`"]);
    allows("never fetch from anywhere but example.org", &["fetch https://www.example.org/a"]);
    refuses("never touch data/ except data/a.csv", &["write \"x\" to data/b.csv", "run `rm -r data`"]);
    allows("never touch data/ except data/a.csv", &["write \"x\" to data/a.csv"]);
}

#[test]
fn what_is_left_out_and_not_understood_is_not_said_to_hold() {
    for said in [
        "never touch anything except the files ann made",
        "don't change any file unless it is in out/",
        "never write anything outside of what we agreed on",
        "never change files except on Mondays",
    ] {
        leaves_open(said, &["write \"x\" to n.txt", "write \"x\" to out/y.txt"]);
    }
}

#[test]
fn every_way_that_leads_to_a_file_is_known() {
    let said = "never touch b.txt";
    refuses(
        said,
        &[
            "run `rm -rf /srv/ann/desk`",
            "run `rm -rf /srv/ann/desk/`",
            "run `rm -rf ../desk`",
            "run `rm -r ../[d]esk`",
            "run `rm -rf ../d*`",
            "run `rm -rf /srv`",
            "run `rm -rf /`",
            "run `rm -rf ..`",
            "run `rm -rf ../..`",
            "run `rm -rf /srv/ann/../ann/desk`",
            "run `rm -rf /srv//ann/./desk`",
            "run `rm -rf sub/..`",
            "run `cd ..; rm -rf desk`",
            "run `cd sub && rm -rf ..`",
            "run `cd /srv/ann && rm -r desk/*`",
            "run `cd $X && rm -rf a`",
            "run `cd - && rm a`",
            "run `(cd sub; ls); rm ./b.txt`",
            "run `find /srv/ann -name '*.txt' -delete`",
            "run `find .. -delete`",
            "run `rm \"$PWD\"/?.txt`",
            "run `rm -rf ${PWD}`",
            "run `mv /srv/ann/desk /tmp/x`",
            "run `mv * /tmp`",
            "run `tar -C /srv/ann/desk -xf a.tar`",
            "run `git -C ../desk checkout .`",
            "run `cp a.txt ./`",
            "run `truncate -s0 /srv/ann/desk/b.txt`",
            "run `echo x > /srv/ann/desk/b.txt`",
            "run `echo x > ../desk/b.txt`",
            "run `dd if=a.txt of=../desk/b.txt`",
            "run `cp --target-directory=.. a.txt`",
            "run `chmod -R 000 /srv/ann`",
        ],
    );
    allows(said, &["run `rm a.txt`", "run `rm -r sub`", "run `rm /tmp/x`", "run `echo x > c.txt`"]);
    for order in ["run `rm -rf ~/x`", "run `ls ..`", "run `touch ~ann/a`", "run `cat ../c.txt`"] {
        let (_, told) = held(said, order);
        assert!(!told.contains("holds"), "{order}: {told}");
    }
    refuses("don't touch *.md", &["run `rm -r ../desk`", "run `rm [a-c].md`"]);
}

#[test]
fn what_is_not_checked_is_not_said_to_hold() {
    for said in [
        "don't use more than 2 steps",
        "never clear the logs of the other server",
        "don't email anybody",
        "you must not annoy the neighbours",
        "no customer may be named",
        "nothing should be pushed to production",
        "keep the logs as they are",
        "without waking anybody",
    ] {
        leaves_open(said, &["write \"x\" to a.txt", "run `ls`"]);
        assert!(limit(said).taken().contains("not checked"), "{said}");
    }
    for (said, order) in [
        ("don't touch files that end in .md", "write \"x\" to doc.md"),
        ("never change .md files", "run `rm sub/doc.md`"),
        ("don't touch files with the extension .md", "write \"x\" to sub/doc.md"),
        ("never change .env", "write \"x\" to .env"),
        ("never touch b.txt until Anna says so", "write \"x\" to b.txt"),
        ("don't touch b.txt, it is Anna's", "write \"x\" to b.txt"),
        ("please make sure that nobody changes b.txt", "write \"x\" to b.txt"),
    ] {
        let forbidden = apart(said).1;
        let wanted = orders(order).unwrap();
        assert!(broken(&forbidden, wanted.iter(), Path::new(ROOT)).is_some(), "{said}: {order}: {forbidden:?}");
    }
    allows("never change .env", &["write \"x\" to a.env"]);
    leaves_open("never touch b.txt until Anna says so", &["write \"x\" to a.txt"]);
    leaves_open("never touch b.txt in the evening", &["write \"x\" to a.txt"]);
}

#[test]
fn what_forbids_is_known_by_the_way_it_is_put() {
    refuses("don't use the network", &["fetch https://a.b/c", "run `curl a.b`"]);
    refuses("never use the internet", &["fetch https://a.b/c"]);
    refuses("do not write anything", &["write \"x\" to a.txt", "run `touch a`", "run `echo > a`"]);
    allows("do not write anything", &["read a.txt", "run `cat a.txt`", "run `ls 2>/dev/null`"]);
    refuses("no files may be deleted", &["delete a.txt", "run `find . -delete`", "run `git clean -fd`"]);
    refuses("keep a.txt as it is", &["write \"x\" to a.txt", "run `sed -i s/a/b/ a.txt`"]);
    allows("keep a.txt as it is", &["read a.txt", "run `cat a.txt`"]);
    refuses("leave everything as it is", &["write \"x\" to a.txt"]);
    refuses("do not run anything", &["run `ls`", "python `1`", "call fs.read with path=a"]);
    refuses("don't use python", &["python `1`", "run `python3 x.py`"]);
    refuses("b.txt may not be overwritten", &["write \"x\" to b.txt"]);
    refuses("you must not write to b.txt", &["write \"x\" to b.txt"]);
    for said in [
        "never clear the logs",
        "don't send anything",
        "no changes to b.txt",
        "avoid touching b.txt",
        "b.txt is off limits",
        "the logs must not be cleared",
        "we should not touch the archive",
        "do not install any packages",
        "under no circumstances touch b.txt",
        "nothing is written outside out/",
        "see to it that no file is changed outside out/",
    ] {
        limit(said);
    }
}

#[test]
fn what_is_said_of_the_talk_forbids_nothing() {
    for said in [
        "don't",
        "never mind",
        "don't stop",
        "don't do it",
        "don't do that yet",
        "don't run it",
        "do not run the plan",
        "don't run step 2",
        "don't worry about it",
        "don't ask me",
        "don't forget the milk",
        "no",
        "no thanks",
        "no, not that one",
        "I don't know",
        "I can't see it",
        "it doesn't work",
        "it is not what I want",
        "that must not be",
        "there is no such file",
        "don't touch b.txt?",
        "why don't you delete a.txt?",
        "keep going",
        "keep it short",
        "leave it as it is",
        "only steps 1 and 3",
        "only use three steps",
        "nothing else",
        "nothing is written",
        "there is no way to delete files",
        "I have no files to write",
        "it says that nothing was found",
        "nothing",
        "not now",
        "read a.txt",
        "only read a.txt",
        "write \"never touch b.txt\" to a.txt",
    ] {
        assert_eq!(Limit::read(said), None, "{said}");
    }
}

#[test]
fn what_is_ordered_beside_it_is_not_lost() {
    for (said, order, forbidden) in [
        ("do not run anything, just read a.txt", "just read a.txt", "do not run anything"),
        ("without clearing the logs read a.txt", "read a.txt", "without clearing the logs"),
        ("without touching b.txt, delete a.txt", "delete a.txt", "without touching b.txt"),
        ("read a.txt, but never touch anything but a.txt", "read a.txt", "never touch anything but a.txt"),
        ("never touch b.txt, just read a.txt", "just read a.txt", "never touch b.txt"),
    ] {
        let (rest, limits) = apart(said);
        let told: Vec<&str> = limits.iter().map(|limit| limit.said.as_str()).collect();
        assert_eq!((rest.as_str(), told.as_slice()), (order, &[forbidden][..]), "{said}");
        assert!(orders(&rest).is_some(), "{rest}");
    }
}
