//! Statements, taken apart and put back into questions. What they come to over data is tested in `tests/analyst`.

use super::said::{Said, parse};
use super::text;

fn check(statement: &str, term: &str, means: &str) {
    let said = parse(statement).map(|said| (said.term, said.means));
    assert_eq!(said, Some((term.to_owned(), means.to_owned())), "{statement}");
}

#[test]
fn statements_say_which_word_and_what_it_means() {
    check("by revenue I mean order total without tax", "revenue", "order total without tax");
    check("By the revenue we always mean gross revenue.", "revenue", "gross revenue");
    check("active users means 30-day logins", "active users", "30-day logins");
    check("from now on EU stands for Germany, France and Italy", "EU", "Germany, France and Italy");
    check("treat EU as Germany and France", "EU", "Germany and France");
    check("define big orders as orders over 100", "big orders", "orders over 100");
    check("when I say revenue, I mean the net total", "revenue", "net total");
    check("whenever we speak of sales we mean units sold", "sales", "units sold");
    check("let GMV mean order total", "GMV", "order total");
    check("use gross revenue", "revenue", "gross revenue");
    check("use gross_revenue from now on", "revenue", "gross_revenue");
    check("please always use the net amount", "amount", "net amount");
    check("use revenue without tax", "revenue", "revenue without tax");
}

#[test]
fn a_choice_is_told_from_a_definition() {
    assert!(parse("use gross revenue").is_some_and(|said: Said| said.is_choice));
    assert!(parse("revenue means gross revenue").is_some_and(|said: Said| !said.is_choice));
}

#[test]
fn half_a_statement_is_none() {
    for statement in ["", "by revenue", "treat EU", "means gross revenue", "define as", "by I mean gross"] {
        assert_eq!(parse(statement), None, "{statement}");
    }
}

#[test]
fn words_are_replaced_whole_and_by_stem_and_not_in_quotes() {
    let replace = |said: &str| text::replace(said, &text::stems("active users"), "users with logins");
    assert_eq!(replace("How many Active users, by country?"), "How many users with logins, by country?");
    assert_eq!(replace("an active user"), "an users with logins");
    assert_eq!(replace("inactive users"), "inactive users");
    assert_eq!(replace("notes that say “active users”"), "notes that say “active users”");
    assert_eq!(replace("active users and active users"), "users with logins and users with logins");
}
