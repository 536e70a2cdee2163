//! What is said to a whole channel: decisions, once, after somebody approved them; and whether the app may do it. Next:
//! `main`.

use serde_json::json;

use super::has_buttons;
use super::peer::Slack;

#[test]
fn a_decision_is_posted_to_the_channel_with_a_link_to_its_thread() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, "post the decision: we use one queue for SHOP-7 because two get out of step");
    let preview = slack.wait("chat.postMessage", "Decision: We use one queue");
    assert_eq!(preview.call["thread_ts"], "100.1");
    assert!(preview.text().contains("Discussed in: https://team.slack.test/archives/C1/p100.1"), "{}", preview.text());
    let view = slack.opens("U2", &preview, "Edit…");
    let filled =
        view["blocks"][0]["element"]["initial_value"].as_str().unwrap().replace("one queue", "one durable queue");
    assert_eq!(slack.fills_in("U2", "V1", &view, &[&filled]), "");
    let is_second = |call: &serde_json::Value| has_buttons(call) && call.to_string().contains("one durable queue");
    let second = slack.wait_for("chat.update", is_second);
    let is_post = |call: &serde_json::Value| call.get("metadata").is_some();
    assert_eq!(slack.calls().iter().filter(|call| is_post(call)).count(), 0, "nothing is posted before a yes");
    slack.press("U2", &second, "Approve");
    slack.wait("chat.postMessage", "Posted the decision: https://team.slack.test/archives/C1/p");
    let post = slack.wait_for("chat.postMessage", is_post);
    assert_eq!((&post.call["channel"], post.call.get("thread_ts")), (&json!("C1"), None));
    let text = post.call["text"].as_str().unwrap();
    assert!(
        text.contains("Why: Two get out of step\nRelated: SHOP-7\nDiscussed in: https://team.slack.test/"),
        "{text}"
    );
    slack.press("U2", &second, "Approve");
    slack.wait("chat.postEphemeral", "This action was already processed.");
    assert_eq!(slack.calls().iter().filter(|call| is_post(call)).count(), 1);
}

#[test]
fn a_post_whose_answer_was_lost_is_found_and_not_made_twice() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, "post the decision: we use one queue");
    let preview = slack.wait("chat.postMessage", "Decision: We use one queue");
    slack.loses("chat.postMessage");
    slack.press("U1", &preview, "Approve");
    slack.wait("chat.postMessage", "Posted the decision: https://team.slack.test/");
    assert_eq!(slack.calls().iter().filter(|call| call.get("metadata").is_some()).count(), 1);
}

#[test]
fn the_doctor_says_which_scopes_the_token_lacks() {
    let slack = Slack::new();
    slack.may("chat:write,commands");
    let told = slack.doctor();
    assert!(
        told.contains("✗ slack: turnwise in The Team: the token lacks app_mentions:read, channels:history"),
        "{told}"
    );
    slack.may(
        "app_mentions:read,channels:history,channels:read,chat:write,commands,groups:history,groups:read,im:history,im:read,users:read",
    );
    let told = slack.doctor();
    assert!(told.contains("✓ slack: turnwise in The Team, all 10 scopes are there, Slack sends over HTTP"), "{told}");
}
