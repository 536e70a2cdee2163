//! Replies that no grammar lists: what people say when they confirm, and what only sounds like it.
//!
//! What only sounds like a yes here is in no lesson. What is close to one may be asked back; what is none may never be
//! consent.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use std::collections::BTreeSet;
use std::sync::LazyLock;

use turnwise_core::{Phase, ReadContext, Reader, Reply};
use turnwise_intent::IntentReader;
use turnwise_intent::reply::{Meaning, ReplyHead, lessons};

fn read(text: &str) -> Reply {
    static READER: LazyLock<IntentReader> = LazyLock::new(|| IntentReader::builtin("coder").unwrap());
    let context = ReadContext { phase: Phase::AwaitingApproval, has_plan: true, ..ReadContext::default() };
    READER.reply(text, &context)
}

fn is_consent(reply: &Reply) -> bool {
    matches!(reply, Reply::Approve | Reply::ApproveWithNote { .. })
}

/// Plain confirmations as people type them.
const PLAIN: [&str; 44] = [
    "Yes, please do that",
    "That sounds good",
    "Correct",
    "Yes everything you have is correct",
    "Okay to proceed",
    "You got it right",
    "yes, you may proceed",
    "Yes, that is all correct.",
    "yep thats all right",
    "That sounds perfect, thank you!",
    "Yes that would be perfect",
    "yes, go ahead and apply it",
    "Sure, please go ahead with that.",
    "Yes that works for me, thanks",
    "that is correct, please continue",
    "Everything is correct",
    "everything looks great, go ahead",
    "Yes, all the details are correct.",
    "Perfect, that's exactly what I wanted",
    "I confirm",
    "Yes I confirm that everything is right",
    "you have everything right",
    "Yes, you got everything right.",
    "ok that's good, please proceed",
    "Yeah that'll work",
    "That will be great thanks",
    "yes i would like to proceed",
    "I'd like to go ahead with it",
    "Great, let's do it",
    "yes this is right",
    "Yup, looks right to me",
    "That is exactly right",
    "you can go ahead and submit it",
    "all of that is right",
    "yes those are correct",
    "Fine with me, go on",
    "I am happy with this, please proceed",
    "Alright, that sounds fine",
    "please proceed with the booking",
    "yes please book it",
    "Yes. That is right. Thank you.",
    "okay, sounds great",
    "that's right, thanks a lot",
    "I agree, go ahead",
];

/// What only sounds like one.
const NOT_CONSENT: [&str; 74] = [
    "yes if the numbers add up",
    "that sounds good if it is quick",
    "sounds good in theory",
    "sounds good on paper",
    "that would be correct if it were 2019",
    "okay, but leave out the refunds",
    "everything is correct except the spelling of my name",
    "you got it right this time, but change the date",
    "yes, you may proceed once Carla has signed",
    "you may proceed tomorrow",
    "he said you may proceed",
    "my manager says it is all correct",
    "Tom told me everything you have is correct",
    "was that correct?",
    "is everything you have correct",
    "is it okay to proceed?",
    "are you okay to proceed",
    "you got it wrong",
    "not everything you have is correct",
    "nothing you have is correct",
    "that isn't right",
    "not okay to proceed",
    "do not proceed",
    "please don't do that",
    "no problem at all, I was just looking",
    "ok but",
    "not yet, I am afraid",
    "yes, not yet though",
    "almost correct",
    "mostly right",
    "that looks about right, I think",
    "I think that is right",
    "I guess you can go ahead",
    "maybe go ahead",
    "probably fine",
    "it should be fine",
    "I hope that is correct",
    "make sure that is correct",
    "check that everything is correct",
    "please correct the second line",
    "correct the address",
    "confirm the date with Mia first",
    "go ahead and delete the other one",
    "go ahead and explain it",
    "go ahead without me",
    "proceed to step 4",
    "please proceed to the next question",
    "yes, and also send it to Ben",
    "yes, for 2021",
    "yes, only Berlin",
    "yes, 4 people instead",
    "yes, make it 7 pm",
    "sure, whatever",
    "oh great, another plan",
    "wow, perfect, just what I needed",
    "great idea",
    "nice work",
    "good job on the plan",
    "I love this tool",
    "thank you for the plan",
    "that is interesting",
    "that was correct last year",
    "the first part is correct",
    "half of it is right",
    "half right",
    "\"yes, please do that\" is what I would say to a waiter",
    "she wrote: yes, go ahead",
    "if you say yes it runs",
    "type yes to proceed",
    "I would say yes if I could see the query",
    "let me see if that is correct",
    "let me confirm with the team",
    "yes to the discount, no to the refund",
    "Everyone agrees that the old plan was great",
];

#[test]
fn people_who_confirm_plainly_need_not_say_it_again() {
    let asked: Vec<(&str, Reply)> =
        PLAIN.iter().map(|text| (*text, read(text))).filter(|(_, reply)| !is_consent(reply)).collect();
    assert!(asked.len() * 10 <= PLAIN.len(), "{} of {}: {asked:#?}", asked.len(), PLAIN.len());
    let lost: Vec<&(&str, Reply)> = asked.iter().filter(|(_, reply)| *reply != Reply::Likely).collect();
    assert!(lost.is_empty(), "neither taken nor asked back: {lost:#?}");
}

#[test]
fn what_only_sounds_like_a_yes_is_never_consent() {
    let taken: Vec<&&str> = NOT_CONSENT.iter().filter(|text| is_consent(&read(text))).collect();
    assert!(taken.is_empty(), "{taken:#?}");
}

/// A held-out sentence must be nobody's lesson, or the test above measures memory.
#[test]
fn these_sentences_are_in_no_lesson() {
    let plain = |text: &str| text.to_lowercase().replace(|letter: char| !letter.is_alphanumeric(), "");
    let taught: BTreeSet<String> = lessons().iter().map(|lesson| plain(&lesson.text)).collect();
    let known: Vec<&&str> = NOT_CONSENT.iter().filter(|text| taught.contains(&plain(text))).collect();
    assert!(known.is_empty(), "{known:#?}");
}

/// The grammar and the vetoes stand before the head: no lesson that means something else becomes consent.
#[test]
fn no_lesson_that_means_something_else_is_consent() {
    let wrong: Vec<String> = lessons()
        .into_iter()
        .filter(|lesson| lesson.meaning != Meaning::Yes && lesson.frame % 5 == 0)
        .filter(|lesson| is_consent(&read(&lesson.text)))
        .map(|lesson| format!("{:?}: {}", lesson.meaning, lesson.text))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_head_belongs_to_its_frames_and_its_thresholds_are_in_order() {
    let bytes = include_bytes!("../assets/replies.fitted");
    let head = ReplyHead::from_bytes(bytes).unwrap();
    assert_eq!(head.head.classes, Meaning::ALL.map(|meaning| meaning.name().to_owned()));
    assert!(head.close < head.consent && head.consent < 1.0, "{} {}", head.close, head.consent);
    assert_eq!(head.to_bytes(), bytes);
    assert!(ReplyHead::from_bytes(&bytes[1..]).is_err());
}
