//! Recipes: tasks somebody wrote down once, found by the words of a message. A recipe is a file of YAML with its
//! words, what it has to be told, and its steps; what it comes to is shown and approved like any plan. Next: `fill`
//! for how what it has to be told is found and asked for.
//!
//! ```yaml
//! name: keep a page
//! words: [keep the page, archive the page]
//! parameters:
//!   - {name: url, asks: "Which address?", kind: url}
//!   - {name: file, asks: "Which file should hold it?", kind: file, default: page.html}
//! steps:
//!   - {tool: fetch, with: {url: "{{url}}"}, as: page}
//!   - {tool: write, with: {file: "{{file}}", content: {from: page}}}
//! ```

mod fill;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use turnwise_core::text;

use crate::said::is_courtesy;
pub(crate) use fill::{Filled, fill};

/// A recipe.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recipe {
    /// What it is called.
    pub name: String,
    /// The words it is found by: a message that holds all words of one of them means it.
    pub words: Vec<String>,
    /// What it has to be told, in the order it asks.
    #[serde(default)]
    pub parameters: Vec<Parameter>,
    /// What it does.
    pub steps: Vec<RecipeStep>,
}

/// Something a recipe has to be told.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Parameter {
    /// What its steps call it: `{{name}}`.
    pub name: String,
    /// The question.
    pub asks: String,
    /// What is taken where nobody says otherwise.
    #[serde(default)]
    pub default: Option<String>,
    /// What it is, by which it is found in a message.
    #[serde(default)]
    pub kind: ParameterKind,
}

/// What a parameter is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ParameterKind {
    /// Words; in a message those in quotes.
    #[default]
    Text,
    /// An address.
    Url,
    /// A path inside the working folder.
    File,
    /// A number.
    Number,
}

/// One step of a recipe.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecipeStep {
    /// The tool.
    pub tool: String,
    /// What it is called with: texts with `{{parameter}}` in them, other values as they are, or `{from: NAME}` for the
    /// result of a step.
    #[serde(default)]
    pub with: BTreeMap<String, Value>,
    /// What its result is called.
    #[serde(default, rename = "as")]
    pub named: Option<String>,
    /// The results it waits for without using them. A step that waits for nothing follows the one before it.
    #[serde(default)]
    pub needs: Vec<String>,
    /// What it does, in few words.
    #[serde(default)]
    pub says: Option<String>,
}

/// The recipes of some folders.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recipes {
    /// Those that can be used.
    pub all: Vec<Recipe>,
    /// What is wrong with the others, a sentence each.
    pub troubles: Vec<String>,
}

/// What a message means.
pub(crate) enum Meant<'a> {
    /// None of them.
    None,
    /// This one.
    One(&'a Recipe),
    /// One of these.
    Several(Vec<&'a Recipe>),
}

impl Recipes {
    /// Reads the recipes of these folders; a folder that is not there has none.
    pub fn read(folders: &[PathBuf]) -> Self {
        let mut recipes = Self::default();
        for folder in folders {
            let Ok(found) = std::fs::read_dir(folder) else { continue };
            let mut files: Vec<PathBuf> = found.flatten().map(|file| file.path()).collect();
            files.retain(|file| file.extension().is_some_and(|ending| ending == "yaml" || ending == "yml"));
            files.sort();
            for file in files.iter().take(RECIPES_MAX) {
                match read(file) {
                    Ok(recipe) => recipes.all.push(recipe),
                    Err(told) => {
                        let name = file.file_name().unwrap_or_default().to_string_lossy();
                        recipes.troubles.push(format!("The recipe {name} cannot be used: {told}."));
                    }
                }
            }
        }
        recipes
    }

    /// The recipe that a message means: the one whose words say most.
    pub fn meant(&self, message: &str) -> Meant<'_> {
        let said = text::words(message);
        let length = |recipe: &Recipe| {
            let holds = |phrase: &Vec<String>| !phrase.is_empty() && phrase.iter().all(|word| said.contains(word));
            let phrases = recipe.words.iter().map(|phrase| text::words(phrase)).filter(holds);
            phrases.map(|phrase| phrase.len()).max()
        };
        let found: Vec<(usize, &Recipe)> =
            self.all.iter().filter_map(|recipe| Some((length(recipe)?, recipe))).collect();
        let most = found.iter().map(|(length, _)| *length).max();
        let mut best: Vec<&Recipe> =
            found.into_iter().filter(|(length, _)| Some(*length) == most).map(|(_, recipe)| recipe).collect();
        match best.len() {
            0 => Meant::None,
            1 => Meant::One(best.remove(0)),
            _ => Meant::Several(best),
        }
    }

    /// The recipe whose words the whole message is, courtesies aside: what is called by its own words is meant,
    /// whatever else they could order.
    pub fn called(&self, message: &str) -> Option<&Recipe> {
        let said = text::words(message);
        let is_it = |phrase: &String| {
            let phrase = text::words(phrase);
            said.iter().filter(|word| phrase.contains(word) || !is_courtesy(word)).eq(&phrase)
        };
        let mut found = self.all.iter().filter(|recipe| recipe.words.iter().any(is_it));
        found.next().filter(|_| found.next().is_none())
    }

    /// The recipes that a message is about, though it holds the words of none: a word that few recipes have stands in
    /// it. Those with most such words, at most a handful. The first word of several says what is done, and many things
    /// can be listed.
    pub fn about(&self, message: &str) -> Vec<&Recipe> {
        let said: Vec<String> = text::words(message).iter().map(|word| stem(word)).collect();
        let words = |recipe: &Recipe| -> Vec<String> {
            let behind = |phrase: &String| {
                let mut words = text::words(phrase);
                if words.len() > 1 {
                    words.remove(0);
                }
                words
            };
            let told = recipe.words.iter().chain([&recipe.name]).flat_map(behind);
            let mut words: Vec<String> = told.map(|word| stem(&word)).collect();
            words.sort_unstable();
            words.dedup();
            words
        };
        let of_each: Vec<Vec<String>> = self.all.iter().map(words).collect();
        let is_telling = |word: &&String| {
            word.chars().count() >= TELLING_LETTERS
                && of_each.iter().filter(|words| words.contains(word)).count() <= TELLING_RECIPES_MAX
        };
        let count = |words: &[String]| words.iter().filter(is_telling).filter(|word| said.contains(word)).count();
        let counts: Vec<usize> = of_each.iter().map(|words| count(words)).collect();
        let most = counts.iter().copied().max().unwrap_or(0);
        let best = self.all.iter().zip(&counts).filter(|(_, count)| most > 0 && **count == most);
        best.map(|(recipe, _)| recipe).take(ABOUT_MAX).collect()
    }

    /// The recipe of this name.
    pub fn named(&self, name: &str) -> Option<&Recipe> {
        self.all.iter().find(|recipe| recipe.name == name)
    }
}

/// A word without the ending of its plural.
fn stem(word: &str) -> String {
    word.strip_suffix('s').filter(|stem| stem.len() >= TELLING_LETTERS).unwrap_or(word).to_owned()
}

fn read(file: &Path) -> Result<Recipe, String> {
    let size = std::fs::metadata(file).map_err(|error| error.to_string())?.len();
    if size > RECIPE_BYTES_MAX {
        return Err(format!("it has more than {RECIPE_BYTES_MAX} bytes"));
    }
    let written = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let recipe: Recipe = serde_saphyr::from_str(&written).map_err(|error| error.without_snippet().to_string())?;
    check(&recipe).map(|()| recipe)
}

/// What a file can say that makes no sense.
fn check(recipe: &Recipe) -> Result<(), String> {
    if recipe.words.iter().all(|phrase| text::words(phrase).is_empty()) {
        return Err("it has no words to be found by".to_owned());
    }
    if recipe.steps.is_empty() {
        return Err("it has no steps".to_owned());
    }
    let mut named: Vec<&str> = Vec::new();
    for (number, step) in (1..).zip(&recipe.steps) {
        for value in step.with.values() {
            let is_there = |from: &str| from == fill::REQUIREMENTS || named.contains(&from);
            if let Some(from) = fill::result_named(value).filter(|from| !is_there(from)) {
                return Err(format!("step {number} uses the result “{from}”, which no step before it has"));
            }
            if fill::quotes_a_parameter(&step.tool, value) {
                return Err(format!(
                    "step {number} puts a parameter in quotes; values are quoted by themselves, so leave the quotes out"
                ));
            }
            if let Some(unknown) = fill::parameters_in(value).into_iter().find(|name| !has(recipe, name)) {
                return Err(format!("step {number} uses {{{{{unknown}}}}}, which is no parameter"));
            }
        }
        if let Some(unknown) = step.needs.iter().find(|name| !named.contains(&name.as_str())) {
            return Err(format!("step {number} needs “{unknown}”, which no step before it has"));
        }
        named.extend(step.named.as_deref());
    }
    Ok(())
}

fn has(recipe: &Recipe, parameter: &str) -> bool {
    recipe.parameters.iter().any(|one| one.name == parameter)
}

/// Letters from which on a word can tell what a message is about.
const TELLING_LETTERS: usize = 4;
/// A word that more recipes have tells nothing.
const TELLING_RECIPES_MAX: usize = 2;
/// Recipes that are offered for what a message is about.
const ABOUT_MAX: usize = 3;
/// Recipes of one folder: more are overseen by nobody.
const RECIPES_MAX: usize = 500;
/// Bytes of a recipe.
const RECIPE_BYTES_MAX: u64 = 256 * 1024;
