//! Titles of the requests, as the pages of the API list them: a noun phrase each, by the id of the request. What is
//! written beside a request in the code is a sentence and too long for a list, so it becomes the description. Next:
//! `routes::docs`.

use utoipa::openapi::OpenApi;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::path::Operation;

/// `api` with a title for each request, and what was its summary at the beginning of its description.
pub(super) fn titled(mut api: OpenApi) -> OpenApi {
    for item in api.paths.paths.values_mut() {
        let all = [&mut item.get, &mut item.put, &mut item.post, &mut item.delete, &mut item.patch];
        for operation in all.into_iter().flatten() {
            title(operation);
        }
    }
    for tag in api.tags.iter_mut().flatten() {
        let shown = group(&tag.name);
        tag.extensions = Some(Extensions::builder().add("x-displayName", shown).build());
    }
    api
}

/// What a group of requests is called on the page.
fn group(name: &str) -> String {
    let mut letters = name.chars();
    match (name, letters.next()) {
        ("agui", _) => "AG-UI".to_owned(),
        (_, Some(first)) => first.to_uppercase().chain(letters).collect(),
        (_, None) => String::new(),
    }
}

fn title(operation: &mut Operation) {
    let id = operation.operation_id.as_deref().unwrap_or_default();
    let Some((_, title)) = TITLES.iter().find(|(of, _)| *of == id) else { return };
    let said = operation.summary.replace((*title).to_owned());
    let told: Vec<String> =
        said.into_iter().chain(operation.description.take()).filter(|told| !told.is_empty()).collect();
    operation.description = Some(told.join("\n\n"));
}

const TITLES: [(&str, &str); 73] = [
    ("run_agent", "AG-UI run"),
    ("run_agent_named", "AG-UI run by assistant"),
    ("converse", "Message and whole reply"),
    ("list_assistants", "Assistant list"),
    ("list_data", "Data of an assistant"),
    ("classify", "Reading of a text"),
    ("list_conversations", "Conversation list"),
    ("begin_conversation", "New conversation"),
    ("get_conversation", "Conversation state"),
    ("delete_conversation", "Conversation deletion"),
    ("list_artefacts", "Files of a conversation"),
    ("get_artefact", "File of a conversation"),
    ("get_conversation_data", "Data of a conversation"),
    ("decide", "Decision"),
    ("follow", "Event page"),
    ("export_conversation", "Conversation export"),
    ("list_facts", "Fact list"),
    ("get_fact", "Fact"),
    ("draw_fact", "Chart of a fact"),
    ("take_rows", "Fact rows as CSV"),
    ("fork_conversation", "Conversation fork"),
    ("read_log", "Event log"),
    ("admit_member", "New member"),
    ("leave", "Leaving a conversation"),
    ("say", "New message"),
    ("set_mode", "Mode"),
    ("pause", "Pause"),
    ("list_pending", "Open questions"),
    ("set_plan_approval", "Plan approval"),
    ("set_flow", "Flow of a conversation"),
    ("get_plan_text", "Plan as text"),
    ("prove", "Proof"),
    ("get_queue", "Queue"),
    ("edit_queue", "Queued task"),
    ("drop_queue", "Queue removal"),
    ("resume", "Resumption"),
    ("stop", "Stop"),
    ("stream", "Event stream"),
    ("rename_conversation", "Conversation title"),
    ("why", "Reason of a reading"),
    ("get_own_model", "Own model"),
    ("set_own_model", "Own model and key"),
    ("forget_own_model", "Own model removal"),
    ("list_projects", "Project list"),
    ("begin_project", "New project"),
    ("unpack_project", "Project import"),
    ("get_project", "Project"),
    ("rename_project", "Project name"),
    ("pack_project", "Project archive"),
    ("get_project_artefact", "Artefact file"),
    ("upload_artefact", "Artefact upload"),
    ("decline_invitation", "Refusal of an invitation"),
    ("finalize_project", "End of the setup"),
    ("change_group", "Group of notes"),
    ("drop_group", "Group removal"),
    ("invite_person", "Invitation"),
    ("withdraw_invitation", "Withdrawal of an invitation"),
    ("begin_job", "New job"),
    ("change_job", "Job progress"),
    ("join_project", "Joining a project"),
    ("leave_project", "Leaving a project"),
    ("list_notes", "Note list"),
    ("tell_note", "New note"),
    ("change_note", "Note change"),
    ("answer_seed", "Setup answer"),
    ("get_specification", "Specification"),
    ("write_specification", "Specification text"),
    ("drop_specification", "Specification removal"),
    ("list_turns", "Talk about a project"),
    ("ungroup_notes", "Notes without a group"),
    ("search", "Search"),
    ("get_server", "Server and person"),
    ("bring_file", "File upload"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::TITLES;
    use crate::channel::http::description;

    /// Words of a title.
    const WORDS_MAX: usize = 5;

    #[test]
    fn each_request_has_a_title_of_its_own_which_is_no_sentence() {
        let api = serde_json::to_value(description()).unwrap_or_default();
        let mut ids = BTreeSet::new();
        let mut titles = BTreeSet::new();
        for item in api["paths"].as_object().into_iter().flat_map(|paths| paths.values()) {
            for operation in item.as_object().into_iter().flat_map(|item| item.values()) {
                let Some(id) = operation["operationId"].as_str() else { continue };
                let title = operation["summary"].as_str().unwrap_or_default();
                assert!(TITLES.contains(&(id, title)), "{id} has no title: {title}");
                let is_phrase = !title.ends_with('.') && title.split_whitespace().count() <= WORDS_MAX;
                assert!(is_phrase, "{title} is a sentence");
                let told = operation["description"].as_str().unwrap_or_default();
                assert!(told.contains('.'), "{id} is not described: {told}");
                ids.insert(id.to_owned());
                assert!(titles.insert(title.to_owned()), "{title} is there twice");
            }
        }
        for tag in api["tags"].as_array().into_iter().flatten() {
            let shown = tag["x-displayName"].as_str().unwrap_or_default();
            assert!(shown.starts_with(char::is_uppercase), "{tag}");
        }
        let of_none: Vec<&str> = TITLES.iter().map(|(id, _)| *id).filter(|id| !ids.contains(*id)).collect();
        assert_eq!(of_none, Vec::<&str>::new(), "titles of no request");
    }
}
