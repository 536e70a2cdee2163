//! Twenty-five tasks by plans that a real language model writes, to be counted and not passed: which of them are done
//! right is the model's doing. What has to hold is that nothing is done without a yes. Next: `tasks`, by recipes.
//!
//! `TURNWISE_MEASURE_TASKS=1 .ci/local-model cargo test -p turnwise --test copilot by_a_real_model -- --nocapture`

use crate::desk::Desk;
use crate::tasks::{FILES, state};

/// What is said, the file that has it when it is done, and what that file holds.
const TASKS: [(&str, &str, &[&str]); 25] = [
    ("count how many lines story.txt has and write the number to count.txt", "count.txt", &["2"]),
    ("sort the lines of names.txt without doubles and write them to sorted.txt", "sorted.txt", &["Ada\nBen\nCleo"]),
    ("write the lines of app.log that hold ERROR to errors.txt", "errors.txt", &["9:00 ERROR", "9:03 ERROR"]),
    ("copy story.txt to backup.txt", "backup.txt", &["The sea was calm."]),
    ("replace sea with lake in story.txt and write that to lake.txt", "lake.txt", &["The lake was calm."]),
    ("write the word hello to hello.txt", "hello.txt", &["hello"]),
    ("join north.csv and south.csv into all.csv", "all.csv", &["Oslo,10.5", "Rome,5"]),
    ("write the first line of story.txt to first.txt", "first.txt", &["The sea was calm."]),
    ("write the names of all csv files here to tables.txt", "tables.txt", &["north.csv", "south.csv"]),
    ("sum the amounts of north.csv with python and write the total to total.txt", "total.txt", &["30.5"]),
    ("make a folder called archive and put a copy of names.txt in it", "archive/names.txt", &["Cleo"]),
    ("rename before.txt to earlier.txt", "earlier.txt", &["one"]),
    ("write the differences between before.txt and after.txt to difference.txt", "difference.txt", &["two"]),
    ("write the sha256 sum of story.txt to sum.txt", "sum.txt", &["story.txt"]),
    ("write story.txt in capital letters to loud.txt", "loud.txt", &["THE SEA WAS CALM."]),
    ("write the last line of app.log to last.txt", "last.txt", &["9:03 ERROR no network"]),
    ("count the ERROR lines of app.log into errors_count.txt", "errors_count.txt", &["3"]),
    ("write the e-mail addresses of mail.txt to addresses.txt", "addresses.txt", &["bob@example.org"]),
    ("pretty print small.json into pretty.json", "pretty.json", &["\n", "\"b\": 2"]),
    ("write the towns of north.csv to towns.txt", "towns.txt", &["Oslo", "Bergen"]),
    ("reverse the order of the lines of names.txt into reversed.txt", "reversed.txt", &["Ada\nBen\nAda\nCleo"]),
    ("pack the folder notes into notes.tar.gz and list what is in it into packed.txt", "packed.txt", &["monday.md"]),
    ("list the files of the folder notes into notes.txt", "notes.txt", &["monday.md", "tuesday.md"]),
    ("write all lines with TODO in the folder notes to todos.txt", "todos.txt", &["call Ann", "pay"]),
    ("write how many bytes story.txt has to size.txt", "size.txt", &["68"]),
];

#[test]
fn twenty_five_tasks_by_a_real_model_are_counted() {
    let model = std::env::var("TURNWISE_TEST_MODEL").ok();
    let Some(model) = model.filter(|_| std::env::var_os("TURNWISE_MEASURE_TASKS").is_some()) else {
        println!("SKIPPED: nothing was counted; TURNWISE_MEASURE_TASKS=1 and TURNWISE_TEST_MODEL=NAME count it");
        return;
    };
    let (mut right, mut wrong, mut unplanned) = (0, 0, 0);
    for (said, file, holds) in TASKS {
        let desk = Desk::new();
        for (name, content) in FILES {
            desk.put(name, content);
        }
        let before = state(&desk);
        let shown = desk.talk_with(&["--model", &model], &[said]);
        assert_eq!(state(&desk), before, "“{said}”: something was done unasked: {shown}");
        let told = desk.talk_with(&["--model", &model], &[said, "y"]);
        let found = if desk.has(file) { desk.read(file) } else { String::new() };
        let count = match (told.contains("Run it?"), holds.iter().all(|wanted| found.contains(wanted))) {
            (_, true) if desk.has(file) => &mut right,
            (true, _) => &mut wrong,
            (false, _) => &mut unplanned,
        };
        *count += 1;
        let last = told.lines().rev().take(6).collect::<Vec<_>>();
        println!("{said}: right {right}, wrong {wrong}, no plan {unplanned}\n    {last:?}");
    }
    println!("of {}: {right} right, {wrong} done wrongly or failed, {unplanned} without a plan", TASKS.len());
}
