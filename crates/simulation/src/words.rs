//! What people's words mean in a simulation: a reader that goes by the first word. What it reads does not matter
//! here, only that every act of the engine comes up, and that the same words are read the same way. Next: `people`.

use turnwise_core::{
    Act, Control, MessageReading, Mode, ModeWish, PlanKind, QueryKind, ReadContext, Reader, Reading, Reply, Tier,
};

/// Reads by the first word.
pub(crate) struct ByFirstWord;

impl Reader for ByFirstWord {
    fn read(&self, text: &str, _: &ReadContext) -> MessageReading {
        let word = text.split_whitespace().next().unwrap_or_default();
        let act = match word {
            "" => return MessageReading::Empty,
            "/nothing" => {
                return MessageReading::UnknownCommand { command: word.to_owned(), nearest: None };
            }
            "hm" => {
                let options = vec![reading(text, Act::PlanContinue), reading(text, Act::PlanNew(PlanKind::Plain))];
                return MessageReading::Unsure { options };
            }
            "plan" => Act::PlanNew(PlanKind::Plain),
            "prove" => Act::PlanNew(PlanKind::Compare),
            "change" => Act::PlanContinue,
            "stop" => Act::Control(Control::Cancel),
            "replan" => Act::Control(Control::Replan),
            "pause" => Act::Control(Control::Pause),
            "resume" => Act::Control(Control::Resume),
            "status" => Act::Control(Control::Status),
            "/redo" | "again" => Act::Control(Control::Redo),
            "/reset" => Act::Control(Control::Reset),
            "/proof" => Act::Control(Control::SwitchMode(Mode::Proof)),
            "/queue" => Act::Control(Control::Queue),
            "bye" => Act::Control(Control::Exit),
            "why" => Act::Query(QueryKind::Provenance),
            _ => Act::Query(QueryKind::Plain),
        };
        let mut read = reading(text, act);
        if word.starts_with('/') {
            read.tier = Tier::Slash;
        }
        if word == "/queue" {
            read.target = text.split_once(' ').map(|(_, rest)| rest.to_owned());
        }
        MessageReading::single(read)
    }

    fn mode_wished(&self, task: &str) -> Option<ModeWish> {
        task.starts_with("prove").then_some(ModeWish::Asked(Mode::Proof))
    }

    fn reply(&self, text: &str, _: &ReadContext) -> Reply {
        let change = |words: &str| Reply::Change { change: words.to_owned() };
        match text.split_whitespace().next().unwrap_or_default() {
            "yes" if text == "yes" => Reply::Approve,
            "yes" => Reply::ApproveWithNote { note: text.to_owned() },
            "no" => Reply::Reject,
            "stop" => Reply::Cancel,
            "hold" => Reply::Hold,
            "rather" => change(text),
            "what" => Reply::Question,
            _ => Reply::Other,
        }
    }
}

fn reading(text: &str, act: Act) -> Reading {
    Reading::certain(text, "simulated", act, Tier::Rule, "its first word")
}
