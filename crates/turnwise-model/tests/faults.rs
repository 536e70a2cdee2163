//! What a call does when a model misbehaves: each fault a real model has, played by a script, under the guards that are
//! used in earnest. Time stands still but for what the guards wait.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use turnwise_model::{
    Answer, Blame, Budget, Finish, Guarded, Guards, Message, Model, ModelError, Price, Request, Scripted, TaskName,
    TaskVersion, Turn,
};

fn request() -> Request {
    let messages = vec![Message::system("Answer briefly."), Message::user("What is the capital of France?")];
    Request::new(TaskName::new("ask"), TaskVersion::new("1"), messages)
}

fn guarded(turns: impl IntoIterator<Item = Turn>) -> (Arc<Scripted>, Guarded) {
    let script = Arc::new(Scripted::new(turns));
    (script.clone(), Guarded::new(script, Guards::default()))
}

fn say(text: &str) -> Turn {
    Turn::Say(text.to_owned())
}

fn fail(status: u16, after_s: Option<u64>) -> Turn {
    Turn::Fail { status, after_s }
}

async fn ask(model: &Guarded) -> (Result<Answer, ModelError>, String, Duration) {
    let (begun, mut heard) = (Instant::now(), String::new());
    let answer = model.stream(&request(), &mut |part| heard.push_str(part), &CancellationToken::new()).await;
    (answer, heard, begun.elapsed())
}

#[tokio::test(start_paused = true)]
async fn a_busy_model_is_asked_again_after_growing_pauses() {
    let (script, model) = guarded([fail(503, None), Turn::Unreachable, fail(500, None), say("Paris")]);
    let (answer, heard, took) = ask(&model).await;
    let answer = answer.unwrap();
    assert_eq!((answer.text.as_str(), answer.attempts, heard.as_str()), ("Paris", 4, "Paris"));
    // Half to all of 0.5, 1 and 2 seconds.
    assert!((1750..=3510).contains(&took.as_millis()), "{took:?}");
    assert_eq!(script.asked().len(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_names_a_time_is_not_asked_sooner() {
    let (_, model) = guarded([fail(429, Some(20)), say("Paris")]);
    let (answer, _, took) = ask(&model).await;
    assert_eq!(answer.unwrap().text, "Paris");
    assert!((20_000..=22_010).contains(&took.as_millis()), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn a_time_beyond_the_call_is_told_at_once() {
    let (_, model) = guarded([fail(429, Some(3600)), say("Paris")]);
    let (answer, _, took) = ask(&model).await;
    let error = answer.unwrap_err();
    assert!(matches!(error, ModelError::Limited { after: Some(after), .. } if after.as_secs() == 3600), "{error:?}");
    assert_eq!((error.blame(), took), (Blame::Provider, Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn what_cannot_help_is_not_tried_again() {
    for (status, blame) in [(400, Blame::Us), (401, Blame::Operator), (404, Blame::Operator)] {
        let (script, model) = guarded([fail(status, None), say("Paris")]);
        let (answer, ..) = ask(&model).await;
        assert_eq!((answer.unwrap_err().blame(), script.asked().len()), (blame, 1), "HTTP {status}");
    }
}

#[tokio::test(start_paused = true)]
async fn attempts_end() {
    let (script, model) = guarded(std::iter::repeat_n(fail(502, None), 9));
    let (answer, ..) = ask(&model).await;
    assert!(matches!(answer, Err(ModelError::Failed { status: 502, .. })), "{answer:?}");
    assert_eq!(script.asked().len(), 4);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_broke_off_is_not_said_twice() {
    let (script, model) = guarded([Turn::CutOff("Par".to_owned()), say("Paris")]);
    let (answer, heard, _) = ask(&model).await;
    assert!(matches!(answer, Err(ModelError::CutOff { bytes: 3, .. })), "{answer:?}");
    assert_eq!((heard.as_str(), script.asked().len()), ("Par", 1));
    assert!(model.spent().output_tokens > 0, "words that came were paid for");
}

#[tokio::test(start_paused = true)]
async fn a_slow_or_silent_model_is_given_up_in_time() {
    let slow = Turn::Slow { text: "one two three four five".to_owned(), pause_ms: 20_000 };
    for turn in [Turn::Silent, slow] {
        let (_, model) = guarded([turn]);
        let (answer, _, took) = ask(&model).await;
        assert!(matches!(answer, Err(ModelError::TimedOut { .. })), "{answer:?}");
        assert_eq!(took, Duration::from_secs(60));
        assert!(model.spent().input_tokens > 0, "what was sent is paid for");
    }
}

#[tokio::test(start_paused = true)]
async fn an_endless_answer_is_ended() {
    let (_, model) = guarded([Turn::Endless("and on ".repeat(1000))]);
    let (answer, heard, _) = ask(&model).await;
    assert!(matches!(answer, Err(ModelError::Endless { .. })), "{answer:?}");
    assert!(heard.len() <= turnwise_model::limits::ANSWER_BYTES_MAX);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_ends_where_it_stands() {
    let (_, model) = guarded([Turn::Slow { text: "one two three".to_owned(), pause_ms: 1000 }]);
    let (cancelled, mut heard) = (CancellationToken::new(), String::new());
    let on_first = cancelled.clone();
    let mut part = |part: &str| {
        heard.push_str(part);
        on_first.cancel();
    };
    let answer = model.stream(&request(), &mut part, &cancelled).await;
    assert!(matches!(answer, Err(ModelError::Cancelled { .. })), "{answer:?}");
    assert_eq!(heard, "one ");
}

#[tokio::test(start_paused = true)]
async fn a_refusal_and_a_cut_answer_say_what_they_are() {
    let (_, model) = guarded([Turn::Refuse("I cannot help.".to_owned()), Turn::Length("The capital".to_owned())]);
    assert_eq!(ask(&model).await.0.unwrap().finish, Finish::Refused);
    assert_eq!(ask(&model).await.0.unwrap().finish, Finish::Length);
}

#[tokio::test(start_paused = true)]
async fn no_more_calls_run_side_by_side_than_there_are_places() {
    let slow = Turn::Slow { text: "Paris".to_owned(), pause_ms: 1000 };
    let script = Arc::new(Scripted::new(std::iter::repeat_n(slow, 6)));
    let model = Guarded::new(script.clone(), Guards { concurrent_max: 2, ..Guards::default() });
    let begun = Instant::now();
    let calls = (0..6).map(|_| {
        let model = model.of_conversation();
        tokio::spawn(async move { model.complete(&request(), &CancellationToken::new()).await })
    });
    for call in calls.collect::<Vec<_>>() {
        assert_eq!(call.await.unwrap().unwrap().text, "Paris");
    }
    assert_eq!(begun.elapsed(), Duration::from_secs(3), "six calls of a second, two at a time");
}

#[tokio::test(start_paused = true)]
async fn a_conversation_keeps_its_budget_and_another_has_its_own() {
    let script = Arc::new(Scripted::new(std::iter::repeat_n(say("Paris"), 9)));
    let budget = Budget { conversation_tokens_max: Some(540), ..Budget::default() };
    let model = Guarded::new(script, Guards { budget, ..Guards::default() });
    // A call may take 512 tokens and what it sends; it takes far less, and only that is booked.
    ask(&model).await.0.unwrap();
    let first = model.spent();
    ask(&model).await.0.unwrap();
    assert_eq!((first.calls, model.spent().input_tokens), (1, 2 * first.input_tokens));
    let (answer, ..) = ask(&model).await;
    let error = answer.unwrap_err();
    assert_eq!(
        error.to_string(),
        "tokens of this conversation: 524 more would pass the limit of 540 (28 used)",
        "{error:?}"
    );
    assert!(ask(&model.of_conversation()).await.0.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_conversation_keeps_its_cost() {
    let script = Arc::new(Scripted::new(std::iter::repeat_n(say("Paris"), 9)));
    let price = Some(Price { input: 3.0, output: 15.0 });
    let budget = Budget { conversation_micros_max: Some(7760), price, ..Budget::default() };
    let model = Guarded::new(script, Guards { budget, ..Guards::default() });
    ask(&model).await.0.unwrap();
    // 12 tokens at 3 and 2 at 15 millionths.
    assert_eq!(model.spent().micros, 66);
    let error = ask(&model).await.0.unwrap_err();
    assert!(matches!(error, ModelError::OverBudget { wanted: 7716, used: 66, .. }), "{error:?}");
    assert_eq!(error.blame(), Blame::Operator);
}
