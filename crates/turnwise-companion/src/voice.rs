//! The companion's own words: texts as data, in one place, varied only by what fills their braces. An unknown or a
//! missing text is an error where they are read, so nothing falls silent. Next: `talk`.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::store::SeedField;

/// A text with places in braces.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct Text(String);

impl Text {
    /// With these values in its places.
    #[must_use]
    pub fn with(&self, values: &[(&str, &str)]) -> String {
        // Pieces rather than replacing over and over: a value may hold braces of its own.
        let mut said = String::new();
        let mut rest = self.0.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            said.push_str(before);
            let Some((name, after)) = after.split_once('}') else {
                said.push('{');
                rest = after;
                continue;
            };
            match values.iter().find(|(of, _)| *of == name) {
                Some((_, value)) => said.push_str(value),
                None => said.push_str(&format!("{{{name}}}")),
            }
            rest = after;
        }
        said.push_str(rest);
        said.trim_end().to_owned()
    }

    /// As it stands.
    #[must_use]
    pub fn plain(&self) -> String {
        self.with(&[])
    }
}

macro_rules! texts {
    ($($name:ident),* $(,)?) => {
        /// Every text, under the name it has in the file.
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[expect(missing_docs, reason = "the file says what each is for")]
        pub struct Voice { $(pub $name: Text,)* }

        impl Voice {
            /// Every text as it is written, for whoever looks over their words.
            #[must_use]
            pub fn written(&self) -> Vec<(&'static str, &str)> {
                vec![$((stringify!($name), self.$name.0.as_str()),)*]
            }
        }
    };
}

texts!(
    ask_work,
    ask_work_named,
    ask_audience,
    ask_voice,
    ask_constraints,
    ask_success,
    ask_additional,
    label_work,
    label_audience,
    label_voice,
    label_constraints,
    label_success,
    label_additional,
    setup_named,
    setup_skipped,
    setup_taken,
    setup_ready,
    setup_changed,
    setup_missing,
    setup_work_needed,
    setup_nothing,
    setup_done,
    setup_done_before,
    question_again,
    still_open,
    note_added,
    note_until,
    personal_added,
    personal_again,
    personal_back,
    note_empty,
    note_unwanted,
    correction_unfit,
    note_line_of,
    note_told_by,
    note_told_by_you,
    notes_saved,
    notes_waiting,
    notes_none_waiting,
    notes_none_own_waiting,
    notes_not_waiting,
    notes_back,
    notes_back_which,
    notes_back_unfound,
    notes_none_back,
    notes_wait_again,
    notes_not_there,
    notes_all,
    notes_found,
    notes_near,
    known_near,
    notes_not_found,
    notes_counted,
    notes_by_number,
    notes_elsewhere,
    notes_nowhere,
    notes_none,
    note_line,
    note_line_waiting,
    personal_all,
    personal_none,
    personal_unknown,
    no_reminder,
    cannot_pin,
    cannot_merge,
    cannot_translate,
    cannot_archive,
    cannot_rename_group,
    cannot_delete_document,
    changed_later,
    wrong_how,
    how_to_order,
    progress,
    progress_active,
    progress_attention,
    progress_finished,
    progress_setup,
    progress_review,
    progress_waiting,
    progress_quiet,
    download,
    download_which,
    download_none,
    download_empty,
    which_project,
    several_asks,
    several_unclear,
    no_project,
    no_project_to_tell,
    not_found,
    projects,
    projects_none,
    turned_to,
    exported,
    imported,
    hello,
    thanks,
    file_how,
    file_page,
    file_page_here,
    thinking,
    noted,
    farewell,
    opinion,
    how_to,
    about_self,
    general,
    standing_none,
    standing_one,
    standing_several,
    request_draft,
    approve_draft,
    request_revision,
    request_redirect,
    draft_material,
    draft_no_material,
    failed,
    setup_named_second,
    setup_open,
    setup_left,
    setup_so_far,
    setup_empty,
    setup_is,
    setup_no_step_back,
    left_alone,
    put_off,
    notes_left_out_unclear,
    notes_of_others,
    notes_saved_before,
    asked_changed,
    project_unknown,
    undo_how,
    undo_one_by_one,
    undone_finalized,
    setup_dropped,
    note_edited,
    note_same,
    note_edit_empty,
    note_edit_unfound,
    notes_again,
    notes_grouped,
    notes_ungrouped,
    notes_in_no_group,
    notes_of_group,
    group_holds_nothing,
    group_made,
    group_none,
    group_dropped,
    group_empty,
    ungroup_empty,
    groups,
    groups_none,
    group_line,
    group_empty_line,
    undo_nothing,
    undo_never_began,
    undo_never_brought,
    undo_never_deleted,
    undo_never_left,
    undo_never_invited,
    undo_never_withdrew,
    undo_never_joined,
    undo_never_declined,
    undo_never_wrote,
    undo_further,
    undo_over,
    undo_changed_since,
    undone_group_again,
    undone_groups_own,
    thing_group,
    thing_seed,
    thing_name,
    thing_specification,
    somebody,
    undone_groups,
    undone_setup,
    undone_name,
    undone_specification,
    undone_artefact,
    specification_written,
    specification_empty,
    documents,
    documents_none,
    document_line,
    renamed,
    rename_empty,
    invited,
    asked_begin,
    asked_invite,
    asked_leave,
    asked_delete,
    asked_export,
    invited_before,
    invite_empty,
    withdrawn,
    not_invited,
    joined,
    declined,
    invitation,
    invitations_none,
    invitations_several,
    members,
    members_you,
    members_invited,
    left,
    left_last,
    left_not,
    notes_some,
    notes_open,
    found_elsewhere,
    found_in_setup,
    found_in_specification,
    found_in_artefact,
    download_part,
    download_file,
    download_place,
    download_export,
    download_no_version,
    export_packed,
    export_elsewhere,
    import_elsewhere,
);

impl Voice {
    /// The question about a field.
    #[must_use]
    pub fn ask(&self, field: SeedField) -> String {
        let text = match field {
            SeedField::Work => &self.ask_work,
            SeedField::Audience => &self.ask_audience,
            SeedField::Voice => &self.ask_voice,
            SeedField::Constraints => &self.ask_constraints,
            SeedField::Success => &self.ask_success,
            SeedField::Additional => &self.ask_additional,
        };
        text.plain()
    }

    /// What a field is called.
    #[must_use]
    pub fn label(&self, field: SeedField) -> String {
        let text = match field {
            SeedField::Work => &self.label_work,
            SeedField::Audience => &self.label_audience,
            SeedField::Voice => &self.label_voice,
            SeedField::Constraints => &self.label_constraints,
            SeedField::Success => &self.label_success,
            SeedField::Additional => &self.label_additional,
        };
        text.plain()
    }
}

/// The texts.
#[expect(clippy::expect_used, reason = "compiled in, and a test reads it")]
pub static VOICE: LazyLock<Voice> = LazyLock::new(|| {
    let file = include_str!("../../../assistants/companion/voice.yaml");
    serde_saphyr::from_str(file).expect("BUG: the embedded voice cannot be read")
});

#[cfg(test)]
mod tests {
    use turnwise_intent::behaviour::companion::forbidden;

    use super::VOICE;

    #[test]
    fn no_text_says_a_word_behind_the_wall() {
        for (name, text) in VOICE.written() {
            assert!(forbidden(text).is_empty(), "{name}: {:?}", forbidden(text));
        }
    }

    #[test]
    fn what_fills_a_place_is_not_filled_again() {
        let said = VOICE.note_line.with(&[("number", "3"), ("text", "{number} {project}")]);
        assert_eq!(said, "#3: {number} {project}");
    }
}
