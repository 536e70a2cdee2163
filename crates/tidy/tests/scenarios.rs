//! The scenarios that users of other systems were burnt by: none of them may get lost. Each name is a transcript in the
//! corpus or a test somewhere in the tree; this reads the tree and says which are missing. Next: `conversations/`.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::{Path, PathBuf};

/// The areas that are built.
const SCENARIOS: [(&str, &[&str]); 6] = [
    (
        "Approvals",
        &[
            "stale_button_after_replan_refused_with_current_plan",
            "approve_with_note_is_approval",
            "approve_with_change_is_v2_not_approval",
            "feedback_only_is_never_approval",
            "reject_one_keeps_auto_approved_siblings",
            "rejected_call_never_executes_even_after_retry",
            "digression_then_bare_yes_does_not_approve_silently",
            "invisible_unicode_in_command_made_visible",
            "mode_changed_while_classifier_in_flight_discards",
            "unknown_config_key_fails_closed",
            "approve_clicked_twice_concurrently_runs_once",
            "expired_is_logged_expired_not_rejected",
            "sighup_on_prompt_is_no_answer",
            "prompt_mid_typing_does_not_take_keys",
            "non_interactive_needs_approval_exits_3_nothing_done",
        ],
    ),
    (
        "Answers and digressions",
        &[
            "answer_arrives_before_question_is_parked",
            "two_questions_answered_in_reverse_order",
            "hold_on_silences_reprompt",
            "interrupting_text_not_reused_as_answer",
            "negation_not_the_former",
            "change_of_mind_cancel_then_new_goal_one_message",
            "empty_and_very_long_message",
            "digression_is_answered_and_the_question_shown_once_more",
        ],
    ),
    (
        "While work runs",
        &[
            "message_during_run_query_answered_in_parallel",
            "message_during_run_plan_new_latest_wins_with_receipt",
            "wait_only_include_q4_replans_mid_run",
            "queue_survives_interrupt_and_restart",
            "steer_with_old_run_version_refused",
            "cancel_ack_then_no_effects",
            "cancel_while_step_sleeping_in_backoff",
            "cancel_while_awaiting_approval_clears_all_surfaces",
            "pause_waits_at_the_step_boundary_and_says_where",
        ],
    ),
    (
        "Crashes and replicas",
        &[
            "restart_with_pending_then_click_works",
            "crash_between_accept_and_first_write_not_lost",
            "crash_after_effect_before_record_reconciles",
            "twelve_tickets_latch_dry_run_then_resume_after_crash",
            "two_workers_one_conversation_single_writer",
            "every_log_prefix_recovers_to_the_same_end",
        ],
    ),
    (
        "Surfaces",
        &[
            "late_joiner_sees_pending",
            "same_pending_ids_after_reload",
            "editor_cancel_during_prompt_returns_cancelled",
            "signed_reference_tampered_refused",
        ],
    ),
    ("Knowledge", &["fact_superseded_not_used_again", "proof_export_edit_detected"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn every_scenario_is_a_test_of_its_name() {
    let mut paths = Vec::new();
    files(&root().join("conversations"), &mut paths);
    let transcripts: Vec<String> =
        paths.iter().filter_map(|path| path.file_stem()?.to_str().map(str::to_owned)).collect();
    let mut sources = Vec::new();
    files(&root().join("crates"), &mut sources);
    sources.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let code: Vec<String> = sources.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let is_there = |name: &str| {
        let function = format!("fn {name}(");
        transcripts.iter().any(|stem| stem == name) || code.iter().any(|text| text.contains(&function))
    };
    let missing: Vec<String> = SCENARIOS
        .iter()
        .flat_map(|(area, names)| names.iter().map(move |name| (area, name)))
        .filter(|(_, name)| !is_there(name))
        .map(|(area, name)| format!("{area}: {name}"))
        .collect();
    assert!(missing.is_empty(), "no transcript and no test has these names:\n{}", missing.join("\n"));
}
