//! Questions about results and about the data itself: answered from facts, from the catalogue, or said to be unknown.

use std::sync::Arc;

use turnwise_core::{
    AnswerOutcome, Cell, Fact, FactId, FactName, FactValue, NewFact, PlanId, QueryKind, Question, Sequence, SourceKind,
    SourceStamp, Table, Timestamp,
};

use crate::ask::{self, Asked};
use crate::chinook::analyst;

fn fact(name: &str, rows: &[(&str, f64)], from: &[&str]) -> Arc<Fact> {
    let rows = rows.iter().map(|(name, value)| vec![Cell::Text((*name).to_owned()), Cell::Real(*value)]).collect();
    let derived = !from.is_empty();
    Arc::new(Fact {
        id: FactId::new(1),
        plan: PlanId::new(1),
        resolved_at: Timestamp::from_millis(0),
        recorded: Sequence::new(1),
        said_in: None,
        approved: None,
        body: NewFact {
            derived_from: from.iter().map(|name| FactName::new(*name)).collect(),
            query: Some(if derived { "take the first of revenue_by_country" } else { "SELECT 1" }.to_owned()),
            stamps: vec![SourceStamp { name: "shop.sqlite".to_owned(), fingerprint: "sha256:abc".to_owned() }],
            ..NewFact::new(
                FactName::new(name),
                FactValue::Table(Table::whole(vec!["country".to_owned(), "revenue".to_owned()], rows)),
                if derived { SourceKind::Derived } else { SourceKind::Data },
            )
        },
    })
}

fn asked(text: &str, kind: QueryKind, facts: Vec<Arc<Fact>>) -> Option<AnswerOutcome> {
    let question = Question {
        text: text.to_owned(),
        kind,
        target: None,
        plan: None,
        facts,
        heard: turnwise_core::Heard::default(),
    };
    Some(analyst()?.answer(&question))
}

fn found() -> Vec<Arc<Fact>> {
    vec![
        fact("revenue_by_country", &[("USA", 523.06), ("Canada", 303.96)], &[]),
        fact("top_1_of_revenue_by_country", &[("USA", 523.06)], &["revenue_by_country"]),
    ]
}

#[test]
fn provenance_goes_down_to_the_query_and_the_source() {
    let Some(outcome) = asked("how did you get that?", QueryKind::Provenance, found()) else { return };
    let AnswerOutcome::Known { answer } = outcome else { panic!("{outcome:?}") };
    for part in ["top_1_of_revenue_by_country", "  revenue_by_country", "| SELECT 1", "shop.sqlite (sha256:abc)"] {
        assert!(answer.text.contains(part), "{part} is missing from\n{}", answer.text);
    }
}

#[test]
fn a_row_of_a_result_is_looked_up_without_work() {
    let Some(outcome) = asked("what was the revenue of Canada again?", QueryKind::Lookup, found()) else { return };
    let AnswerOutcome::Known { answer } = outcome else { panic!("{outcome:?}") };
    assert!(answer.text.contains("303.96") && answer.text.contains("revenue by country"), "{}", answer.text);
}

#[test]
fn what_only_the_data_knows_needs_a_plan_and_the_rest_is_unknown() {
    let Some(outcome) = asked("how many customers are from Brazil?", QueryKind::Plain, Vec::new()) else { return };
    assert_eq!(outcome, AnswerOutcome::NeedsPlan);
    for (text, kind) in [
        ("how did you get that?", QueryKind::Provenance),
        ("sum it up", QueryKind::Summary),
        ("what is the meaning of life?", QueryKind::Plain),
    ] {
        let outcome = asked(text, kind, Vec::new());
        assert!(matches!(outcome, Some(AnswerOutcome::Unknown { .. })), "{text}: {outcome:?}");
    }
}

#[test]
fn the_data_itself_can_be_asked_about() {
    let Some(outcome) = asked("which columns does invoice have?", QueryKind::Plain, Vec::new()) else { return };
    let AnswerOutcome::Known { answer } = outcome else { panic!("{outcome:?}") };
    assert!(answer.text.contains("BillingCountry"), "{}", answer.text);
}

#[test]
fn every_example_offered_works() {
    let Some(analyst) = analyst() else { return };
    let examples = analyst.overview().examples;
    assert!(examples.len() >= 3, "{examples:?}");
    for example in examples {
        let outcome = ask::run(&analyst, &ask::task(&example));
        assert!(matches!(outcome, Asked::Answered { .. }), "{example}: {outcome:?}");
    }
}

#[test]
fn words_of_the_data_are_recognised_and_others_are_not() {
    let Some(analyst) = analyst() else { return };
    assert_eq!(analyst.recognise("revenue of AC/DC in Germany, please"), ["revenue", "AC DC", "Germany"]);
    assert!(analyst.recognise("thanks, see you later").is_empty());
}
