//! Tools of real servers, through a whole flow: listed, planned, approved, called.

use std::path::{Path, PathBuf};

use crate::desk::{Desk, holds};
use crate::node;

/// The servers, or nothing after saying why: on a machine of the project that is a failure.
fn servers() -> Option<PathBuf> {
    match node::prepared("copilot") {
        Ok(folder) => Some(folder.join("node_modules/@modelcontextprotocol")),
        Err(missing) => {
            assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "real servers cannot be tested: {missing}");
            println!("skipped: {missing}");
            None
        }
    }
}

/// A desk whose files the file server may reach, with the operator's word on some of its tools.
fn desk(servers: &Path) -> Desk {
    let desk = Desk::new();
    desk.configure(&format!(
        "assistants:\n  copilot:\n    tools:\n      fs:\n        command: [node, '{0}/server-filesystem/dist/index.js', \
         '{1}']\n        effects: {{read_text_file: pure, list_directory: pure}}\n      all:\n        command: [node, \
         '{0}/server-everything/dist/index.js']\n",
        servers.display(),
        desk.path().display(),
    ));
    desk
}

#[test]
fn tools_of_a_real_server_are_listed_planned_approved_and_called() {
    let Some(servers) = servers() else { return };
    let desk = desk(&servers);
    desk.put("notes.txt", "one\ntwo\n");
    let told = desk.talk(&["what can you do?"]);
    holds(&told, &["fs.read_text_file:", "(changes nothing)", "fs.write_file:", "(runs once)", "all.echo:"]);
    let path = desk.path().join("notes.txt");
    let copy = desk.path().join("copy.txt");
    let order = format!(
        "1. call fs.read_text_file with path={} 2. call fs.write_file with path={}, content=it",
        path.display(),
        copy.display()
    );
    let shown = desk.talk(&[&order]);
    holds(&shown, &["Call fs.read_text_file with path:", "content: the result of step 1", "Run it?"]);
    assert!(!desk.has("copy.txt"), "nothing runs before the yes");
    let done = desk.talk(&[&order, "y"]);
    holds(&done, &["Successfully wrote"]);
    assert_eq!(desk.read("copy.txt"), "one\ntwo\n");
}

#[test]
fn numbers_and_texts_reach_a_tool_as_what_they_are_and_a_wrong_form_is_no_plan() {
    let Some(servers) = servers() else { return };
    let desk = desk(&servers);
    let told = desk.talk(&["call all.get-sum with a=2, b=40", "y"]);
    holds(&told, &["42"]);
    let told = desk.talk(&["call all.echo with message=\"42\"", "y"]);
    holds(&told, &["Echo: 42"]);
    let told = desk.talk(&["call all.get-sum with a=two, b=40"]);
    holds(&told, &["all.get-sum cannot be called like that: /a"]);
    let told = desk.talk(&["call all.ecco with message=a"]);
    holds(&told, &["There is no tool “all.ecco”."]);
}

#[test]
fn what_the_server_refuses_is_said_and_what_is_behind_it_does_not_run() {
    let Some(servers) = servers() else { return };
    let desk = desk(&servers);
    let told = desk.talk(&["1. call fs.read_text_file with path=/etc/hostname 2. write it to out.txt", "y"]);
    holds(&told, &["says that it failed", "outside allowed directories"]);
    assert!(!desk.has("out.txt"));
}
