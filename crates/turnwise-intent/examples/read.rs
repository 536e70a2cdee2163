//! Reads lines from stdin and prints how the analyst understands each: `cargo run -p turnwise-intent --example read`.
//!
//! A line may begin with a phase in brackets: `[executing] only include Q4`; words after `@` at its end count as names
//! the assistant knows: `customers in canada @ customers`.

use std::io::BufRead;

use turnwise_core::{MessageReading, Phase, ReadContext, Reader};
use turnwise_intent::{IntentReader, log_line};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let reader = IntentReader::builtin("analyst")?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (text, context) = parsed(&line);
        println!("{text}");
        match reader.read(text, &context) {
            MessageReading::Understood { requests, .. } => {
                requests.iter().for_each(|r| println!("    {} [{:?}] {}", log_line(r), r.target, r.reason));
            }
            MessageReading::Unsure { options } => {
                options.iter().for_each(|r| println!("    ? {}", log_line(r)));
            }
            MessageReading::UnknownCommand { command, nearest } => {
                println!("    unknown {command}, nearest {nearest:?}")
            }
            MessageReading::Bare { command, asks } => println!("    {command} alone: {asks}"),
            MessageReading::Empty => println!("    empty"),
        }
        if context.phase == Phase::AwaitingApproval {
            println!("    as a reply: {:?}", reader.reply(text, &context));
        }
    }
    Ok(())
}

fn parsed(line: &str) -> (&str, ReadContext) {
    let mut context = ReadContext::default();
    let mut text = line;
    for (name, phase) in [
        ("[planning]", Phase::Planning),
        ("[awaiting]", Phase::AwaitingApproval),
        ("[executing]", Phase::Executing),
        ("[failed]", Phase::Failed),
    ] {
        if let Some(rest) = text.strip_prefix(name) {
            (context.phase, context.has_plan, text) = (phase, true, rest.trim());
        }
    }
    if let Some((said, known)) = text.split_once(" @ ") {
        context.grounding = known.split_whitespace().map(str::to_owned).collect();
        text = said;
    }
    (text, context)
}
