//! What a project requires of a kind of ticket, as Jira tells it (createmeta), held against a draft. Asked
//! before anything is created, so that a missing field is found by the dry run. Next: `mod`.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::wire::Jira;
use crate::draft::{Draft, TicketKind};
use crate::tracker::web::Method;
use crate::tracker::{Problem, TrackerError};

/// The fields of one kind of ticket.
pub(super) struct Meta {
    pub(super) kind_id: String,
    project: String,
    fields: Vec<Field>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Kinds {
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

#[derive(Debug, Default, Deserialize)]
struct Schema {
    #[serde(rename = "type", default)]
    kind: String,
}

#[derive(Debug, Deserialize)]
struct Allowed {
    id: String,
    #[serde(alias = "value", default)]
    name: String,
}

impl Meta {
    /// What the project says of tickets of this kind.
    pub(super) async fn of(jira: &Jira, kind: TicketKind) -> Result<Self, TrackerError> {
        let project = jira.project.clone();
        let base = format!("/rest/api/3/issue/createmeta/{project}/issuetypes");
        let kinds: Kinds = jira.web.call(Method::Look, &base, None).await?;
        let named = kinds.issue_types.iter().find(|known| known.name.eq_ignore_ascii_case(kind.label()));
        let Some(named) = named else {
            let known: Vec<&str> = kinds.issue_types.iter().map(|known| known.name.as_str()).collect();
            let told = format!("Jira project {project} has no “{}”; it has {}.", kind.label(), known.join(", "));
            return Err(TrackerError::Refused(told));
        };
        let fields: Fields = jira.web.call(Method::Look, &format!("{base}/{}?maxResults=200", named.id), None).await?;
        Ok(Self { kind_id: named.id.clone(), project, fields: fields.fields })
    }

    /// What is missing in `draft`, or has a value that it cannot have.
    pub(super) fn problems(&self, item: usize, draft: &Draft) -> Vec<Problem> {
        let problem = |field: &Field| {
            let name = field.name.to_lowercase();
            let told = match draft.more.get(&name) {
                None if field.required && !field.has_default_value => format!("{} requires {name}.", self.project),
                Some(said) if !field.allowed_values.is_empty() && field.allowed(said).is_none() => {
                    format!("{name} cannot be “{said}”.")
                }
                _ => return None,
            };
            let allowed = field.allowed_values.iter().map(|allowed| allowed.name.clone()).collect();
            Some(Problem { item, field: name, told, allowed })
        };
        self.fields.iter().filter(|field| !OURS.contains(&field.field_id.as_str())).filter_map(problem).collect()
    }

    /// The fields of `draft` that are the project's own.
    pub(super) fn filled(&self, draft: &Draft) -> Map<String, Value> {
        let value = |field: &Field| {
            let said = draft.more.get(&field.name.to_lowercase())?;
            let value = match (field.allowed(said), field.schema.kind.as_str()) {
                (Some(allowed), "array") => json!([{ "id": allowed.id }]),
                (Some(allowed), _) => json!({ "id": allowed.id }),
                (None, "array") => json!(said.split(',').map(str::trim).collect::<Vec<_>>()),
                (None, "number") => said.parse::<f64>().map_or_else(|_| json!(said), |number| json!(number)),
                (None, _) => json!(said),
            };
            Some((field.field_id.clone(), value))
        };
        self.fields.iter().filter(|field| !OURS.contains(&field.field_id.as_str())).filter_map(value).collect()
    }
}

impl Field {
    fn allowed(&self, said: &str) -> Option<&Allowed> {
        self.allowed_values.iter().find(|allowed| allowed.name.eq_ignore_ascii_case(said))
    }
}

/// Fields that we fill ourselves, or Jira does.
const OURS: [&str; 7] = ["summary", "project", "issuetype", "description", "labels", "parent", "reporter"];
