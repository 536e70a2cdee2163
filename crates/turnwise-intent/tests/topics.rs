//! A profile of many intents is about topics: their names are learned from, and what is like none of them is asked
//! about however the probabilities share it out.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use turnwise_core::{MessageReading, ReadContext, Reader};
use turnwise_intent::limits::TOPICS_MIN;
use turnwise_intent::{IntentReader, Profile};

const THINGS: &str = "invoice password parcel refund mortgage salary passport flight hotel recipe weather alarm music \
    calendar insurance vaccine dentist gym football museum library garden plumber internet phone laptop \
    printer camera bicycle car train taxi pizza coffee wine birthday wedding school exam translation \
    currency stocks taxes pension visa luggage pharmacy cat dog news";

fn things() -> impl Iterator<Item = &'static str> {
    THINGS.split_whitespace()
}

/// One intent for each of the first `count` things.
fn profile(count: usize) -> Profile {
    let intents: Vec<String> = things()
        .take(count)
        .map(|thing| format!("  about_{thing}: {{act: query, behaviour: answer, offer: About {thing}}}\n"))
        .collect();
    let exemplars: Vec<String> = things()
        .take(count)
        .map(|thing| {
            let said = [format!("tell me about my {thing}"), format!("there is a problem with the {thing}")];
            format!("about_{thing}:\n  - {}\n  - {}\n  - {thing} help please\n", said[0], said[1])
        })
        .collect();
    let assistant =
        format!("name: desk\ngreeting: Hello\nthresholds: {{primary: 0.5, sub: 0.5}}\nintents:\n{}", intents.concat());
    Profile::parse(&assistant, &exemplars.concat()).unwrap()
}

#[test]
fn what_is_like_no_topic_is_asked_about() {
    assert_eq!(things().count(), TOPICS_MIN);
    let reader = IntentReader::new(profile(TOPICS_MIN));
    assert!(reader.fitted().unwrap().primary.familiarity_floor.is_finite());
    let read = |text: &str| reader.read(text, &ReadContext::default());
    for (said, meant) in [("my parcel has a problem", "about_parcel"), ("passport trouble", "about_passport")] {
        let MessageReading::Understood { requests, .. } = read(said) else { panic!("{said} was not understood") };
        assert_eq!(requests[0].intent, meant, "{}", requests[0].reason);
    }
    let MessageReading::Unsure { options } = read("seventeen jealous sopranos argued under water") else {
        panic!("it is like none of them")
    };
    assert!(options[0].reason.contains("unlike all exemplars"), "{}", options[0].reason);
}

#[test]
fn with_few_intents_probabilities_alone_decide() {
    let reader = IntentReader::new(profile(5));
    assert!(reader.fitted().unwrap().primary.familiarity_floor.is_infinite());
}
