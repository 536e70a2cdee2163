//! Messages of several clauses: "What is the dearest boat, and who owns it?", "How many boats has each owner? Give name
//! and number". What leans on the part before is put together with it; a clause that leaves no trace in the plan is
//! asked about. A message whose parts ask for several things of their own is several requests. Next: `requests` for
//! those, `cut` for where clauses end, `joined` for what a clause adds, `trace` for what was lost.

mod apart;
mod asked;
mod attributed;
mod covered;
mod cut;
mod joined;
mod listing;
mod merge;
mod places;
mod requests;
mod trace;

pub use apart::apart;
pub use joined::joined;
pub use requests::{Asked, Requests};
pub use trace::{CLAUSE, done_by, lost};

/// The question with what was answered about one of its clauses: a part of it alone, or other words for the clause.
pub fn settled(text: &str, said: &str, answer: &str) -> String {
    let parts = cut::clauses(text);
    let Some(at) = parts.iter().position(|part| part.text == said) else {
        // A clause that `apart` found.
        let part = answer == said || text.to_lowercase().starts_with(&answer.to_lowercase());
        return if part { answer } else { text }.to_owned();
    };
    let rest = cut::without(text, &parts, at);
    if answer == said || answer == rest { answer.to_owned() } else { format!("{rest}, {answer}") }
}
