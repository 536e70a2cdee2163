//! Reads a question into a query form: phrases are spotted, neighbours that belong together joined, each given its
//! part, and the parts put together. What was not understood is kept by name. Next: `spot`, `qualify`, `slots`,
//! `compose`.

mod above;
mod acted;
mod added;
mod again;
mod against;
mod asides;
mod beside;
mod both_ends;
mod busy;
mod capitals;
mod compared;
mod compose;
mod counted;
mod dated;
mod dated_verb;
mod days;
mod deed;
mod deeds;
mod defined;
mod denied;
mod either;
mod end_named;
mod ends;
mod excluded;
mod flag;
mod guess;
mod idioms;
mod idle;
mod in_role;
mod inflected;
mod items;
mod lasting;
mod lasting_state;
mod later;
mod link;
mod literal;
mod loose;
mod mention;
mod moments;
mod needs;
mod nested;
mod new_rows;
mod one_sided;
mod ordered;
mod origin;
mod outliers;
mod per_row;
mod percents;
mod place;
mod plainer;
mod predicate;
mod property;
mod qualify;
mod quotient;
mod rank;
mod rates;
mod rather;
mod reaches;
mod recast;
mod referred;
mod reports;
mod returning;
mod rows;
mod rows_meant;
mod said;
mod selves;
mod sets;
mod share_of;
mod shared;
mod shown;
mod side_by_side;
mod sides;
mod signs;
mod slip;
mod slots;
mod small;
mod somebody;
mod spent_on;
mod spot;
mod taken;
mod tests_on_numbers;
mod text;
mod totals;
mod trailing;
mod twice;
mod undone;
mod unread;
mod used;
mod valued;
mod verbs;
mod weekdays;
mod with_rows;
mod within;

use super::catalogue::Catalogue;
use super::form::{Mention, QueryForm};
use super::lexicon::Role;

pub use added::is_additive;
pub use capitals::quoted_values;
pub use compose::default_grain;
pub use denied::{DEED, Open, SINCE};
pub use flag::listed_by_flag;
pub use mention::is_measure;
pub use moments::{is_form, of_verb as dates_of_verb, said as dates_said, says_time};
pub use place::VALUES_JOINED;
use spot::Spotting;
pub use spot::{Spotted, longest, spot};
pub use verbs::deeds;
pub use weekdays::{DAYS, label as weekdays_label};

/// How a change relates to what was asked before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// "only", "just": narrows.
    pub only: bool,
    /// "also", "too": widens.
    pub also: bool,
    /// "instead": replaces.
    pub instead: bool,
    /// "remove", "drop": takes away.
    pub remove: bool,
    /// It speaks of a step of the plan.
    pub step: bool,
    /// It speaks of filters as such.
    pub filters: bool,
}

/// A text, read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read {
    /// What it asks.
    pub form: QueryForm,
    /// Words that stand for nothing here.
    pub unknown: Vec<String>,
    /// A thing that was understood but not what it is wanted for, as a sentence.
    pub doubt: Option<String>,
    /// "top customers" without by what: the words to ask about.
    pub unranked: Option<String>,
    /// A number column without how to gather it: the words to ask about.
    pub ungathered: Option<String>,
    /// What has to be asked of what was not done, or stopped.
    pub open: Option<Open>,
    /// Words that several names begin with, and those names.
    pub several: Option<(String, Vec<String>)>,
    /// The rows that only a yes/no column speaks of, where they are grouped: "members by country".
    pub flagged_rows: Option<Mention>,
    /// Whether it counts rows of an earlier result: by itself it does not say which.
    pub of_them: bool,
    /// How it relates to what was asked before.
    pub manner: Manner,
}

/// The one thing that `text` names, where it names one and nothing else.
pub fn named(catalogue: &Catalogue, text: &str) -> Option<Mention> {
    let mut spotting = spot(catalogue, text);
    qualify::join_neighbours(catalogue, &mut spotting.spans);
    spotting.spans.retain(|span| span.role() != Some(Role::Ignore));
    match spotting.spans.as_slice() {
        [span] if span.is_name() => Some(Mention { words: span.text.clone(), candidates: span.names.clone() }),
        _ => None,
    }
}

/// Words of `text` that name tables, columns or values.
pub fn names_in(catalogue: &Catalogue, text: &str) -> Vec<String> {
    let spans = spot(catalogue, text).spans;
    let tells = |span: &&Spotted| !span.names.is_empty() || !span.values.is_empty();
    spans.iter().filter(tells).map(|span| span.text.clone()).collect()
}

/// Reads a whole question: what it wants shown is told apart from what it asks about.
pub fn question(catalogue: &Catalogue, text: &str) -> Read {
    let mut spotting = spot(catalogue, text);
    ends::role_of_each(catalogue, &mut spotting.spans);
    side_by_side::rewrite(catalogue, &mut spotting.spans);
    shown::read(catalogue, &spotting).unwrap_or_else(|| {
        let lost = shown::small_column(&spotting.spans).map(|span| span.text.clone());
        let mut read = plain(catalogue, spotting);
        let text = |lost| format!("Of what “{lost}” is to be shown is not clear here: name the rows that have it.");
        read.doubt = read.doubt.or(lost.map(text));
        read
    })
}

/// Reads `text` against what the data has.
pub fn read(catalogue: &Catalogue, text: &str) -> Read {
    plain(catalogue, spot(catalogue, text))
}

fn plain(catalogue: &Catalogue, mut spotting: Spotting) -> Read {
    // What never happened to a name that was guessed is true of everybody: then even a single guess is asked about.
    let lacks = spotting.spans.iter().any(|span| span.role() == Some(Role::Without));
    let several = spotting.spans.iter().find(|span| span.fits.len() > usize::from(!lacks));
    let several = several.map(|span| (span.text.clone(), span.fits.clone()));
    rather::describe(catalogue, &mut spotting.spans);
    rather::own_places(catalogue, &mut spotting.spans);
    let signs = signs::rewrite(catalogue, &mut spotting.spans);
    let percents = percents::rewrite(catalogue, &mut spotting.spans);
    let new = new_rows::rewrite(catalogue, &mut spotting.spans);
    busy::rewrite(catalogue, &mut spotting.spans);
    in_role::rewrite(catalogue, &mut spotting.spans);
    in_role::rewrite_done_by(catalogue, &mut spotting.spans);
    referred::rewrite(catalogue, &mut spotting.spans);
    days::rewrite(catalogue, &mut spotting.spans);
    ends::rewrite(catalogue, &mut spotting.spans);
    deed::mark(catalogue, &mut spotting.spans);
    both_ends::rewrite(&mut spotting.spans);
    dated_verb::mark(catalogue, &mut spotting.spans);
    let theirs = unread::of_others(catalogue, &spotting.spans);
    let theirs = selves::rewrite(catalogue, &mut spotting.spans).or(theirs);
    let theirs = theirs.or_else(|| unread::of_whose(catalogue, &spotting.spans));
    reports::rewrite(catalogue, &mut spotting.spans);
    let bare_than = above::bare_than(&spotting.spans);
    let unspent = spent_on::rewrite(catalogue, &mut spotting.spans);
    let came = returning::rewrite(catalogue, &mut spotting.spans);
    later::rewrite(catalogue, &mut spotting.spans);
    let doubt = theirs.or(above::rewrite(catalogue, &mut spotting.spans));
    let told = lasting::rewrite(catalogue, &mut spotting.spans);
    let unread = unread::left(catalogue, &spotting.spans);
    let doubt = signs.or(bare_than).or(came.doubt).or(unspent).or(doubt).or(told.doubt).or(unread);
    rates::join(catalogue, &mut spotting.spans);
    predicate::mark(catalogue, &mut spotting.spans);
    let context = qualify::join_neighbours(catalogue, &mut spotting.spans);
    let lasting = lasting_state::join(catalogue, &mut spotting.spans);
    let by_place = somebody::is_asked_by_place(&spotting.spans);
    let other_side = one_sided::other_side(&spotting.spans);
    let mut slots = slots::walk(catalogue, spotting.spans);
    slots.context.extend(context);
    slots.doubt = doubt.or(slots.doubt);
    slots.notes.extend(percents.into_iter().chain(new).chain(came.notes).chain(told.notes));
    let mut read = compose::compose(catalogue, slots);
    if by_place {
        somebody::list_people(catalogue, &mut read);
    }
    read.form.versions = lasting.versions;
    days::settle(catalogue, &mut read.form);
    if let Some(doubt) = lasting.doubt {
        read.doubt.get_or_insert(doubt);
    }
    let one_sided = other_side.and_then(|behind| one_sided::doubt(&behind, &read.form));
    if let Some(doubt) = unread::of_unlinked(catalogue, &read.form).or(one_sided) {
        read.doubt.get_or_insert(doubt);
    }
    (read.several, read.open) = (several, came.open);
    read.form.notes.splice(0..0, spotting.notes);
    catalogue.fingerprint().clone_into(&mut read.form.catalogue);
    read
}
