//! Tab and the slash: what may be typed is shown beneath the line and completed, and help tells of it.

use super::screen::Terminal;
use super::{chat, sample};

const TAB: &str = "\t";
const BACK_TAB: &str = "\u{1b}[Z";
const ESCAPE: &str = "\u{1b}";

fn typed(terminal: &mut Terminal, keys: &str, line: &str) {
    terminal.send(keys);
    terminal.until(&format!("“{line}” being typed"), |screen| screen.lines().any(|it| it.trim_end() == line));
    assert_eq!(terminal.cursor_line(), line);
}

fn below(terminal: &Terminal, line: &str) -> Vec<String> {
    let screen = terminal.screen();
    let lines: Vec<&str> = screen.trim_end().lines().map(str::trim_end).collect();
    let at = lines.iter().rposition(|it| *it == line).unwrap();
    lines[at + 1..lines.len() - 1].iter().map(|line| (*line).to_owned()).collect()
}

#[test]
fn a_slash_shows_the_commands_and_tab_goes_from_one_to_the_next() {
    let mut terminal = chat(110, 50);
    typed(&mut terminal, "/", "› /");
    let all = below(&terminal, "› /");
    let has = |name: &str, told: &str| all.iter().any(|line| line.trim().starts_with(name) && line.contains(told));
    assert!(has("/status", "where things stand") && has("/help", "this list"), "{all:#?}");
    assert!(has("/conversations", "to take one up again"), "{all:#?}");
    typed(&mut terminal, "p", "› /p");
    terminal.send(TAB);
    terminal.send(TAB);
    terminal
        .until("the first", |screen| screen.contains("› /proof\n") && screen.contains("› /proof  every conclusion"));
    let menu = below(&terminal, "› /proof");
    assert_eq!(menu.len(), 3, "{menu:#?}");
    typed(&mut terminal, TAB, "› /plan");
    typed(&mut terminal, TAB, "› /pause");
    typed(&mut terminal, TAB, "› /proof");
    typed(&mut terminal, BACK_TAB, "› /pause");
    typed(&mut terminal, ESCAPE, "› /p");
    typed(&mut terminal, "\u{7f}st", "› /st");
    typed(&mut terminal, TAB, "› /status");
    assert_eq!(below(&terminal, "› /status"), Vec::<String>::new(), "one that is there whole needs no list");
    terminal.send("\r");
    terminal.until("where things stand", |screen| screen.matches("[EXPLORE] idle").count() == 2);
}

#[test]
fn names_of_the_data_are_completed_in_the_middle_of_a_sentence() {
    let mut terminal = chat(110, 40);
    typed(&mut terminal, "total reven", "› total reven");
    typed(&mut terminal, TAB, "› total revenue");
    typed(&mut terminal, " by reg", "› total revenue by reg");
    // As far as all are the same first; then one after the other.
    typed(&mut terminal, TAB, "› total revenue by region");
    let menu = below(&terminal, "› total revenue by region").join("\n");
    assert!(menu.contains("regions") && menu.contains("table"), "{menu}");
    assert!(menu.contains("region") && menu.contains("column of"), "{menu}");
    typed(&mut terminal, TAB, "› total revenue by regions");
    // What is typed on ends it.
    typed(&mut terminal, "\u{7f}", "› total revenue by region");
    assert_eq!(below(&terminal, "› total revenue by region"), Vec::<String>::new());
    terminal.send("\r");
    terminal.until("the plan", |screen| screen.contains("Plan: Revenue by region"));
}

#[test]
fn what_nothing_begins_with_gets_a_short_hint_and_no_noise() {
    let mut terminal = chat(60, 12);
    typed(&mut terminal, "zzz", "› zzz");
    typed(&mut terminal, TAB, "› zzz");
    terminal.until("the hint", |screen| screen.contains("nothing known begins so"));
    typed(&mut terminal, "\u{15}", "›");
    typed(&mut terminal, TAB, "›");
    terminal.until("what can be completed", |screen| screen.contains("Tab completes a name, a /command or an @file"));
    assert!(!terminal.raw.contains(&7), "the bell rang");
    // In a low window the talk stays in sight, and what has no room is counted.
    typed(&mut terminal, "/", "› /");
    terminal.until("a part of them", |screen| screen.contains("… ") && screen.contains(" more\n"));
    assert!(terminal.screen().contains("[EXPLORE] idle"), "{}", terminal.screen());
}

#[test]
fn files_of_the_project_are_completed_and_nothing_outside_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("project");
    std::fs::create_dir_all(project.join("source/inner")).unwrap();
    std::fs::write(project.join("source/main.rs"), "fn main() {}\n").unwrap();
    std::fs::write(project.join("source/.hidden"), "").unwrap();
    std::fs::write(folder.path().join("outside.txt"), "").unwrap();
    let arguments = ["chat", "--assistant", "coder", "--data", project.to_str().unwrap()];
    let mut terminal = Terminal::start(100, 30, &arguments, &[]);
    typed(&mut terminal, "explain @so", "› explain @so");
    typed(&mut terminal, TAB, "› explain @source/");
    terminal.send(TAB);
    terminal.until("what is in it", |screen| screen.contains("@source/inner/") && screen.contains("source/main.rs"));
    assert!(!terminal.screen().contains(".hidden"), "{}", terminal.screen());
    typed(&mut terminal, "m", "› explain @source/m");
    typed(&mut terminal, TAB, "› explain source/main.rs");
    typed(&mut terminal, " @../out", "› explain source/main.rs @../out");
    typed(&mut terminal, TAB, "› explain source/main.rs @../out");
    terminal.until("the hint", |screen| screen.contains("nothing known begins so"));
}

#[test]
fn help_tells_of_the_list_and_the_keys_where_they_are() {
    let mut terminal = chat(120, 60);
    terminal.send("/help\r");
    terminal.until("help", |screen| screen.contains("/exit"));
    let screen = terminal.screen();
    for told in ["/conversations", "Tab ", "Ctrl+R ", "search what you typed before", "for example"] {
        assert!(screen.contains(told), "{told}:\n{screen}");
    }
    let mut command = std::process::Command::new("sh");
    let state = tempfile::tempdir().unwrap();
    let script = "printf '/help\\n' | \"$0\" chat --data \"$1\"";
    command.args(["-c", script, env!("CARGO_BIN_EXE_turnwise"), sample().to_str().unwrap()]);
    let piped = command.env("TURNWISE_STATE", state.path()).output().unwrap();
    let piped = String::from_utf8_lossy(&piped.stdout).into_owned();
    assert!(piped.contains("/conversations") && !piped.contains("Ctrl+R"), "{piped}");
}

#[test]
fn a_dumb_terminal_has_the_list_and_takes_keys_as_they_are() {
    let arguments = ["chat", "--data", sample().to_str().unwrap()];
    let mut terminal = Terminal::begin(100, 30, &arguments, &[("TERM", "dumb")]);
    terminal.until("the greeting", |screen| screen.contains("/help lists the commands"));
    terminal.send("/conversations\n");
    terminal.until("the list", |screen| screen.contains("You have no conversations here yet"));
    terminal.send("/st\tatus\n");
    terminal.send("/exit\n");
    terminal.until("the end", |screen| screen.contains("Goodbye"));
    assert!(!terminal.raw.contains(&7), "the bell rang");
}
