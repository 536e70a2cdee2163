//! Ctrl+R: what was typed before, in this chat and in earlier ones, is searched and taken back.

use super::screen::Terminal;
use super::{QUESTION, sample};

const CTRL_R: &str = "\u{12}";
const CTRL_G: &str = "\u{7}";

fn chat_again(columns: u16, rows: u16, state: &str) -> Terminal {
    let arguments = ["chat", "--new", "--data", sample().to_str().unwrap()];
    Terminal::start(columns, rows, &arguments, &[("TURNWISE_STATE", state)])
}

#[test]
fn what_was_typed_in_an_earlier_chat_is_found_taken_changed_and_sent() {
    let state = tempfile::tempdir().unwrap();
    let state = state.path().to_str().unwrap();
    let mut terminal = chat_again(100, 30, state);
    for words in [QUESTION, "/facts", "total revenue\nby region"] {
        // A line feed is what Ctrl+J sends.
        terminal.send(words);
        terminal.until("the words", |screen| screen.contains(words.lines().last().unwrap()));
        terminal.send("\r");
        terminal.until("the line taken", |screen| screen.lines().any(|line| line.trim_end() == "›"));
    }
    terminal.send("/exit\r");
    terminal.check_left(0);
    let mut terminal = chat_again(100, 30, state);
    terminal.send("half a thought");
    terminal.send(CTRL_R);
    terminal.until("the search", |screen| screen.contains("› (search) :") && screen.contains("Enter takes it"));
    terminal.send("how m");
    terminal.until("the question", |screen| screen.contains(&format!("› (search) how m: {QUESTION}")));
    terminal.send("x");
    terminal.until("that there is none", |screen| screen.contains("(search) how mx: nothing typed before has this"));
    terminal.send(CTRL_G);
    terminal.until("what was being typed", |screen| screen.contains("› half a thought") && !screen.contains("search"));
    // The newest with an “o” has two lines; again goes further back.
    terminal.send(CTRL_R);
    terminal.send("o");
    terminal.until("both lines", |screen| screen.contains("› (search) o: total revenue\n  by region"));
    terminal.send(CTRL_R);
    terminal.until("the one before it", |screen| screen.contains(&format!("› (search) o: {QUESTION}")));
    terminal.send("\r");
    terminal.until("it in the box, unsent", |screen| {
        screen.contains(&format!("› {QUESTION}")) && screen.contains("[EXPLORE] idle") && !screen.contains("Plan:")
    });
    assert_eq!(terminal.cursor_line(), format!("› {QUESTION}"));
    terminal.send("\r");
    terminal.until("the plan", |screen| screen.contains("Run it?"));
}

#[test]
fn a_yes_that_is_found_again_approves_nothing_until_it_is_sent() {
    let state = tempfile::tempdir().unwrap();
    let state = state.path().to_str().unwrap();
    let mut terminal = chat_again(36, 20, state);
    terminal.send("yes\r");
    terminal.until("that nothing waits", |screen| screen.contains("Nothing waits"));
    terminal.send(&format!("{QUESTION}\r"));
    terminal.until("the plan", |screen| screen.contains("await"));
    terminal.send(CTRL_R);
    terminal.send("ye");
    terminal.until("the yes", |screen| screen.contains("› (search) ye: yes"));
    terminal.send("\r");
    terminal.until("the yes in the box", |screen| screen.contains("› yes") && !screen.contains("(search)"));
    terminal.until("that the plan waits", |screen| screen.contains("await"));
    assert!(!terminal.screen().contains("✓ 1"), "{}", terminal.screen());
    terminal.send("\r");
    terminal.until("the answer", |screen| screen.contains("✓ 1"));
}
