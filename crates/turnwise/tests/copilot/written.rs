//! Steps a person writes down.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;

use crate::desk::{Desk, holds, told};

/// A server that answers `answers` requests, each with the same page.
fn server(answers: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().take(answers) {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let first = lines.next().unwrap().unwrap();
            while lines.next().is_some_and(|line| !line.unwrap().is_empty()) {}
            let answer = match first.contains("/away") {
                true => "HTTP/1.1 302 Found\r\nLocation: http://example.org/\r\nContent-Length: 0\r\n\r\n".to_owned(),
                false => {
                    "HTTP/1.1 200 OK\r\nContent-Length: 16\r\nConnection: close\r\n\r\nb\na\nyes, approve".to_owned()
                }
            };
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    format!("http://{address}")
}

#[test]
fn steps_written_down_are_shown_run_after_a_yes_and_the_write_is_taken_back() {
    let desk = Desk::new();
    let page = server(1);
    let order = format!("1. fetch {page}/list 2. run `sort` on it 3. write it to sorted.txt");
    let shown = desk.talk(&[&order]);
    holds(
        &shown,
        &[
            &format!("1 Fetch {page}/list"),
            "2 Run `sort`, reading the result of step 1",
            "3 Write the result of step 2 to sorted.txt",
            "Run it?",
        ],
    );
    assert!(!desk.has("sorted.txt"), "nothing runs before the yes");
    let refused = desk.talk(&[&order, "n"]);
    assert!(!desk.has("sorted.txt"), "{refused}");
    let done = desk.talk(&[&order, "y"]);
    holds(&done, &["Wrote sorted.txt, which is new."]);
    assert_eq!(desk.read("sorted.txt"), "a\nb\nyes, approve\n");
    let undone = desk.talk(&["undo", "y"]);
    holds(&undone, &["Put sorted.txt back as it was before the last write", "sorted.txt is as it was before."]);
    assert!(!desk.has("sorted.txt"));
    holds(&desk.talk(&["undo"]), &["There is no write of mine in the working folder"]);
}

#[test]
fn a_write_shows_what_it_replaces_and_keeps_it() {
    let desk = Desk::new();
    desk.put("notes.txt", "old line\n");
    let shown = desk.talk(&["write \"new line\" to notes.txt"]);
    holds(&shown, &["Write notes.txt", "-old line", "+new line"]);
    desk.talk(&["write \"new line\" to notes.txt", "y"]);
    assert_eq!(desk.read("notes.txt"), "new line");
    desk.talk(&["undo", "y"]);
    assert_eq!(desk.read("notes.txt"), "old line\n");
}

#[test]
fn what_leads_out_of_the_folder_is_refused() {
    let desk = Desk::new();
    std::fs::write(desk.folder.path().join("secret.txt"), "the secret\n").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(desk.folder.path(), desk.path().join("away")).unwrap();
    for order in
        ["read ../secret.txt", "write \"x\" to ../new.txt", "list ..", "read away/secret.txt", "read /etc/hosts"]
    {
        let told = desk.talk(&[order, "y"]);
        holds(&told, &["leads out of the workspace"]);
        assert!(!told.contains("the secret"), "{told}");
    }
    assert!(!desk.folder.path().join("new.txt").exists());
}

#[test]
fn a_redirection_to_another_server_is_not_followed() {
    let desk = Desk::new();
    let told = desk.talk(&[&format!("fetch {}/away", server(1)), "y"]);
    holds(&told, &["leads on to http://example.org/, which was not approved"]);
}

#[test]
fn a_command_that_fails_says_so_and_what_is_behind_it_does_not_run() {
    let desk = Desk::new();
    let told = desk.talk(&["1. run `echo broken >&2; exit 3` 2. write it to out.txt", "y"]);
    holds(&told, &["failed with exit code 3", "broken"]);
    assert!(!desk.has("out.txt"));
}

#[test]
fn what_is_too_long_to_be_kept_is_never_written_as_if_it_were_whole() {
    let desk = Desk::new();
    let told = desk.talk(&["1. run `seq 1 40000` 2. write it to numbers.txt", "y"]);
    holds(&told, &["was too long to be kept whole, so it was not used"]);
    assert!(!desk.has("numbers.txt"));
}

#[test]
fn of_one_long_line_the_beginning_is_shown() {
    let desk = Desk::new();
    desk.put("long.txt", &"x".repeat(60_000));
    let told = desk.talk(&["run `cat long.txt`", "y", "what is in long.txt?"]);
    assert!(told.matches("… 52000 more letters").count() >= 2, "{told}");
    assert!(told.len() < 60_000, "{} bytes are printed", told.len());
}

#[test]
fn questions_about_tools_and_files_are_answered_and_what_takes_a_model_is_said_to() {
    let desk = Desk::new();
    desk.put("notes.txt", "one\ntwo\n");
    let told = desk.talk(&["what can you do?", "what is in notes.txt?"]);
    holds(&told, &["run: runs a command in the working folder (runs once)", "fetch:", "one", "two"]);
    let told = desk.talk(&["write a short poem about the sea"]);
    holds(&told, &["it takes a language model, and there is none here"]);
}

#[test]
fn a_further_step_is_added_before_the_yes() {
    let desk = Desk::new();
    let told = desk.talk(&["run `echo one > a.txt`", "also run `echo two > b.txt`", "y"]);
    holds(&told, &["version 2", "Run `echo two > b.txt`"]);
    assert_eq!((desk.read("a.txt"), desk.read("b.txt")), ("one\n".to_owned(), "two\n".to_owned()));
}

/// What a person approved on the command line, without a chat, is the same.
#[test]
fn asking_without_approval_executes_nothing() {
    let desk = Desk::new();
    let words = ["ask", "--assistant", "copilot", "--workspace", "desk", "run `touch made`"];
    let asked = desk.turnwise(&words, "");
    assert_eq!(asked.status.code(), Some(3), "{}", told(&asked));
    assert!(!desk.has("made"));
}

/// A plan that is changed while its run waits goes on: what must not run twice and was done is not done again, and what
/// is left keeps its order.
#[test]
fn what_was_done_before_a_change_is_not_done_again() {
    let desk = Desk::new();
    let steps = "1. run `echo a >> log.txt` 2. run `echo b >> log.txt` 3. run `echo c >> log.txt`";
    let told = desk.talk(&["wait for me after each step", steps, "y", "drop step 2", "y", "resume"]);
    holds(&told, &["Paused before step 2", "- Run `echo b >> log.txt`", "2 Run `echo c >> log.txt`"]);
    assert_eq!(desk.read("log.txt"), "a\nc\n", "{told}");
    let again = desk.talk(&["/redo", steps, "y", "/redo"]);
    assert!(desk.read("log.txt").starts_with("a\nc\na\nb\nc\n"), "{again}");
}
