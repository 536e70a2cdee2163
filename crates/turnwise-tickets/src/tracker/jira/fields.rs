//! What a project has on the screen of a kind of ticket, as Jira tells it (createmeta), held against a draft. Asked
//! before anything is created, so that a missing field, a value of another type and a name that leads nowhere are found
//! by the dry run. Next: `values` for what a field takes, `mod`.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::values::{self, Allowed, Schema};
use super::wire::Jira;
use crate::draft::{Draft, Field as OfDraft, TicketKind};
use crate::tracker::web::Method;
use crate::tracker::{Item, Problem, TrackerError};

/// The fields of one kind of ticket.
pub(super) struct Meta<'a> {
    pub(super) kind_id: String,
    kind: TicketKind,
    jira: &'a Jira,
    fields: Vec<Field>,
    /// Whether such a ticket is always below another one, as a sub-task is.
    needs_parent: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Kinds {
    issue_types: Vec<Kind>,
}

#[derive(Debug, Deserialize)]
struct Kind {
    id: String,
    name: String,
}

#[derive(Debug, Deserialize)]
struct Fields {
    fields: Vec<Field>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Field {
    field_id: String,
    name: String,
    #[serde(default)]
    required: bool,
    #[serde(default)]
    has_default_value: bool,
    #[serde(default)]
    allowed_values: Vec<Allowed>,
    #[serde(default)]
    schema: Schema,
}

impl Kinds {
    /// The kinds of tickets that the project has.
    pub(super) async fn of(jira: &Jira) -> Result<Self, TrackerError> {
        jira.web.call(Method::Look, &format!("{}?maxResults=200", screens(jira)), None).await
    }

    /// The one that is called so.
    fn id(&self, name: &str) -> Option<&str> {
        let named = self.issue_types.iter().find(|known| known.name.eq_ignore_ascii_case(name));
        named.map(|named| named.id.as_str())
    }
}

impl Jira {
    /// How the project calls this kind of ticket.
    fn kind_name(&self, kind: TicketKind) -> &str {
        self.kinds.get(&kind).map_or(kind.label(), String::as_str)
    }
}

fn screens(jira: &Jira) -> String {
    format!("/rest/api/3/issue/createmeta/{}/issuetypes", jira.project)
}

/// What the project says of each kind that `drafts` have.
pub(super) async fn metas<'a>(
    jira: &'a Jira,
    drafts: impl Iterator<Item = &Draft>,
) -> Result<BTreeMap<TicketKind, Meta<'a>>, TrackerError> {
    let wanted: BTreeSet<TicketKind> = drafts.map(|draft| draft.kind).collect();
    let kinds = Kinds::of(jira).await?;
    let mut metas = BTreeMap::new();
    for kind in wanted {
        metas.insert(kind, Meta::of(jira, &kinds, kind).await?);
    }
    Ok(metas)
}

/// Whether every name that who runs this gave to a field leads to one that can be filled, and the project has tickets
/// of our common kind.
pub(super) async fn look(jira: &Jira) -> Result<(), TrackerError> {
    let kinds = Kinds::of(jira).await?;
    let mut metas = vec![Meta::of(jira, &kinds, TicketKind::default()).await?];
    for kind in TicketKind::ALL.into_iter().filter(|kind| *kind != TicketKind::default()) {
        // One that who runs this named has to be there.
        if jira.kinds.contains_key(&kind) || kinds.id(jira.kind_name(kind)).is_some() {
            metas.push(Meta::of(jira, &kinds, kind).await?);
        }
    }
    for (name, id) in &jira.fields {
        let field = metas.iter().flat_map(|meta| &meta.fields).find(|field| field.field_id == *id);
        let Some(field) = field else {
            return Err(TrackerError::Unusable(format!(
                "jira.fields: “{name}” is {id}, which is on no screen on which tickets are created in {}. Put it on \
                 one, or take it out of turnwise.yaml.",
                jira.project
            )));
        };
        field.fits(name)?;
    }
    Ok(())
}

impl<'a> Meta<'a> {
    /// What the project says of tickets of this kind.
    async fn of(jira: &'a Jira, kinds: &Kinds, kind: TicketKind) -> Result<Self, TrackerError> {
        let Some(id) = kinds.id(jira.kind_name(kind)) else {
            let known: Vec<&str> = kinds.issue_types.iter().map(|known| known.name.as_str()).collect();
            return Err(TrackerError::Refused(format!(
                "Jira project {} has no “{}”; it has {}. Say under jira.kinds in turnwise.yaml how a {} is called there.",
                jira.project,
                jira.kind_name(kind),
                known.join(", "),
                kind.label().to_lowercase()
            )));
        };
        let path = format!("{}/{id}?maxResults=200", screens(jira));
        let fields: Fields = jira.web.call(Method::Look, &path, None).await?;
        let needs_parent = fields.fields.iter().any(|field| field.field_id == PARENT && field.is_wanted());
        let is_own = |field: &Field| !OURS.contains(&field.field_id.as_str());
        let fields = fields.fields.into_iter().filter(is_own).collect();
        Ok(Self { kind_id: id.to_owned(), kind, jira, fields, needs_parent })
    }

    /// How a field is called here: as who runs this named it, or as Jira does.
    fn name(&self, field: &Field) -> String {
        let named = self.jira.fields.iter().find(|(_, id)| **id == field.field_id);
        named.map_or_else(|| field.name.to_lowercase(), |(name, _)| name.clone())
    }

    /// What is missing in the item that stands there, or has a value that it cannot have.
    ///
    /// # Errors
    /// Where no answer would help: it lacks a parent, a field is not on the screen, or cannot be filled from here.
    pub(super) fn problems(&self, at: usize, item: Item<'_>) -> Result<Vec<Problem>, TrackerError> {
        let Item { draft, is_below } = item;
        if self.needs_parent && !is_below {
            return Err(self.without_parent(draft));
        }
        self.on_screen(draft)?;
        let mut problems = Vec::new();
        for field in &self.fields {
            let name = self.name(field);
            let told = match said(draft, &name, &field.schema) {
                None if field.is_wanted() => {
                    field.fits(&name)?;
                    format!("{} requires {name}.", self.jira.project)
                }
                None => continue,
                Some(said) => {
                    field.fits(&name)?;
                    match field.value(&name, &said) {
                        Ok(_) => continue,
                        Err(told) => told,
                    }
                }
            };
            let allowed = field.allowed_values.iter().map(|allowed| allowed.name.clone()).collect();
            problems.push(Problem { item: at, field: name, told, allowed });
        }
        Ok(problems)
    }

    /// A parent is no answer: it is made with the ticket, or exists and was found.
    fn without_parent(&self, draft: &Draft) -> TrackerError {
        let (kind, ours) = (self.jira.kind_name(self.kind), self.kind.label().to_lowercase());
        TrackerError::Refused(format!(
            "A {kind} in Jira project {} is always below another ticket, and “{}” would be below none. Ask for it as a \
             part of an epic (“create an epic with 2 stories for …”), or say under jira.kinds in turnwise.yaml what else \
             a {ours} is called there.",
            self.jira.project, draft.title
        ))
    }

    /// Whether the named fields that `draft` says something for are on the screen. What the description has as well may
    /// be missing there.
    fn on_screen(&self, draft: &Draft) -> Result<(), TrackerError> {
        let is_missing = |(name, id): &(&String, &String)| {
            draft.more.contains_key(*name) && self.fields.iter().all(|field| field.field_id != **id)
        };
        match self.jira.fields.iter().find(is_missing) {
            None => Ok(()),
            Some((name, id)) => {
                let (kind, project) = (self.jira.kind_name(self.kind), &self.jira.project);
                Err(TrackerError::Refused(format!(
                    "“{name}” ({id}) is not on the screen on which a {kind} is created in {project}. Whoever \
                     administers the project can put it there; or leave “{name}” out of the {}.",
                    self.kind.label().to_lowercase()
                )))
            }
        }
    }

    /// The fields of `draft` that are the project's own.
    pub(super) fn filled(&self, draft: &Draft) -> Map<String, Value> {
        let value = |field: &Field| {
            let name = self.name(field);
            let said = said(draft, &name, &field.schema)?;
            Some((field.field_id.clone(), field.value(&name, &said).ok()?))
        };
        self.fields.iter().filter_map(value).collect()
    }
}

impl Field {
    /// Whether there has to be a value, and Jira puts none there itself.
    fn is_wanted(&self) -> bool {
        self.required && !self.has_default_value
    }

    fn value(&self, name: &str, said: &str) -> Result<Value, String> {
        values::value(name, said, &self.schema, &self.allowed_values)
    }

    /// Whether it can be filled with what this name stands for.
    fn fits(&self, name: &str) -> Result<(), TrackerError> {
        let kind = &self.schema.kind;
        if of_draft(name).is_some() && kind != values::TEXT {
            return Err(TrackerError::Unusable(format!(
                "jira.fields: “{name}” is a text, and {} in Jira is of the type {kind}. Name a field for texts.",
                self.field_id
            )));
        }
        if values::is_beyond_us(&self.schema) && self.allowed_values.is_empty() {
            return Err(TrackerError::Unusable(format!(
                "“{name}” ({}) is of the type {kind} in Jira, and can only be filled there. Give it a default or make \
                 it optional, and take it out of jira.fields if it is named there.",
                self.field_id
            )));
        }
        Ok(())
    }
}

/// The field of every draft that is called so.
fn of_draft(name: &str) -> Option<OfDraft> {
    let texts = [OfDraft::Problem, OfDraft::ProposedSolution];
    texts.into_iter().chain(OfDraft::LISTS).find(|field| field.label().to_lowercase() == name)
}

/// What `draft` says for the field of this name.
fn said(draft: &Draft, name: &str, schema: &Schema) -> Option<String> {
    let said = match of_draft(name) {
        None => draft.more.get(name)?.clone(),
        Some(OfDraft::Problem) => draft.problem.clone(),
        Some(OfDraft::ProposedSolution) => draft.proposed_solution.clone(),
        Some(list) if schema.has_lines() => {
            let lines = (1..).zip(draft.list(list)).map(|(number, entry)| format!("  {number}. {entry}"));
            lines.collect::<Vec<_>>().join("\n")
        }
        Some(list) => draft.list(list).join("; "),
    };
    (!said.is_empty()).then_some(said)
}

/// Fields that we fill ourselves, or Jira does.
pub(super) const OURS: [&str; 7] = ["summary", "project", "issuetype", "description", "labels", PARENT, "reporter"];
/// The one that holds what a ticket is below.
const PARENT: &str = "parent";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use std::time::Duration;

    use super::*;
    use crate::tracker::jira::Account;

    #[test]
    fn what_is_always_below_another_ticket_is_refused_where_it_would_be_below_none() {
        let jira = Jira::open(Account {
            site: "https://example.atlassian.net".to_owned(),
            project: "SHOP".to_owned(),
            user: "ada@example.com".to_owned(),
            token: "token".to_owned(),
            patience: Duration::from_secs(1),
            fields: BTreeMap::new(),
            kinds: [(TicketKind::Story, "Sub-task".to_owned())].into(),
            link_type: "Relates".to_owned(),
        })
        .unwrap();
        let kind = TicketKind::Story;
        let meta = Meta { kind_id: "4".to_owned(), kind, jira: &jira, fields: Vec::new(), needs_parent: true };
        let draft = Draft { kind, title: "Invoices".to_owned(), ..Draft::default() };
        assert_eq!(meta.problems(0, Item { draft: &draft, is_below: true }).unwrap(), []);
        let told = meta.problems(0, Item { draft: &draft, is_below: false }).unwrap_err().to_string();
        assert!(told.starts_with("A Sub-task in Jira project SHOP is always below another ticket, and “Invoices”"));
        assert!(told.ends_with("say under jira.kinds in turnwise.yaml what else a story is called there."), "{told}");
    }
}
