//! Whatever words come in whatever order: a plan whose steps run, a question with choices, or an explanation; never a
//! panic and never a query the engine refuses.

use proptest::prelude::*;
use turnwise_analyst::Analyst;

use crate::ask::{self, Asked};
use crate::warehouse;

const WORDS: &[&str] = &[
    "how many",
    "total",
    "average",
    "top 5",
    "the 3 longest",
    "which",
    "by",
    "per",
    "in",
    "over 20",
    "between 1 and 9",
    "and",
    "not",
    "without",
    "compare",
    "share of",
    "trend",
    "forecast",
    "growth",
    "most",
    "fewest",
    "highest",
    "last year",
    "Q3 2024",
    "2023",
    "since March",
    "monthly",
    "weekday",
    "revenue",
    "units sold",
    "customers",
    "orders",
    "products",
    "suppliers",
    "category",
    "country",
    "city",
    "Rome",
    "Germany",
    "Lighting",
    "web",
    "price",
    "weight",
    "ship date",
    "more than 5 orders",
    "median",
    "95th percentile",
    "only",
    "also",
    "distinct",
    "who",
    "date",
    "next 3 months",
    "active",
    "of",
    "channel",
    "qty",
    "unicorn",
    "0",
    "-1",
    "\"",
    "'; --",
    "99999999999999999999",
    "name",
    "region",
    "is",
];

fn analyst() -> &'static Analyst {
    static ANALYST: std::sync::LazyLock<(tempfile::TempDir, Analyst)> = std::sync::LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        let analyst = warehouse::analyst(folder.path());
        (folder, analyst)
    });
    &ANALYST.1
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_words_give_a_plan_or_an_explanation(words in prop::collection::vec(prop::sample::select(WORDS), 1..9)) {
        let text = words.join(" ");
        for asked in ask::run_any(analyst(), &text) {
            match asked {
                Asked::Answered { answer, .. } => prop_assert!(!answer.text.is_empty(), "{text}"),
                // Only what a word means is asked for in words.
                Asked::Unclear { topic, choices } => {
                    let is_open = topic.starts_with("meaning: ") && choices.is_empty();
                    prop_assert!(is_open || choices.len() > 1, "“{text}” asks with {choices:?}");
                }
                Asked::Refused { explanation } => prop_assert!(!explanation.is_empty(), "{text}"),
                // A calculation may find nothing to calculate with; a query must always be one the engine takes.
                Asked::Failed { error } => prop_assert!(error.contains("Nothing to show"), "“{text}”: {error}"),
            }
        }
    }
}
