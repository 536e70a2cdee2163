//! What words mean, by talking: a definition changes what is calculated, the plan says so, and what was superseded is
//! never used again.

use crate::Desk;

const ORDERS: &str = "order_id,order_date,country,total,tax,gross_revenue,quantity,unit_price\n\
                      1,2024-01-05,Canada,10,1,12,2,5\n2,2024-02-06,Canada,20,2,24,1,20\n\
                      3,2024-02-07,Germany,7,,8,7,1\n4,2024-03-08,France,1,0.5,2,1,1\n5,2024-03-09,Spain,4,1,5,2,2\n";

fn shop() -> Desk {
    let desk = Desk::new();
    desk.data("orders.csv", ORDERS);
    desk
}

#[test]
fn a_word_defined_as_a_difference_is_calculated_and_the_plan_says_so() {
    let desk = shop();
    let said = desk.chat(&["by revenue I mean order total without tax", "total revenue by country", "y"]).ended(0);
    // Germany has no tax: a missing one counts as nothing.
    said.says("From now on: revenue = orders.total − orders.tax.")
        .says("revenue = orders.total − orders.tax (you said so on message 1)")
        .says("27")
        .says("Germany");
    let proof = desk.run(&["proof", "export", "--format", "json"], "").ended(0);
    let proof: serde_json::Value = serde_json::from_str(&proof.out).unwrap();
    let facts: Vec<&serde_json::Value> = proof["chain"].as_array().unwrap().iter().map(|link| &link["fact"]).collect();
    let stated =
        facts.iter().find(|fact| fact["name"] == "meaning_of_revenue").expect("the definition is in the proof");
    assert_eq!((&stated["kind"], &stated["said_in_message"]), (&"constraint".into(), &1.into()));
    let rows = facts.last().unwrap()["value"]["table"]["rows"].as_array().unwrap();
    let of = |country: &str| rows.iter().find(|row| row[0] == country).map(|row| row[1].as_f64().unwrap());
    assert_eq!((of("Canada"), of("Germany"), of("France")), (Some(27.0), Some(7.0), Some(0.5)));
}

#[test]
fn fact_superseded_not_used_again() {
    let desk = shop();
    let said = desk
        .chat(&["revenue means gross revenue", "total revenue", "y", "no, revenue means total", "y", "/redo", "y"])
        .ended(0);
    said.says("revenue = orders.gross_revenue (you said so on message 1)")
        .says("51")
        .says("It replaces “gross revenue” from message 1, which is not used any more.")
        .says("revenue = orders.total (you said so on message 4)")
        .says("42");
    let proof = desk.run(&["proof", "export", "--format", "json"], "").ended(0);
    assert!(!proof.out.contains("gross_revenue"), "the last conclusion rests on the new meaning alone");
    // Somebody who comes back the next day finds it so as well.
    let again = desk.run(&["chat", "--data", "data", "--resume"], "total revenue by country\ny\n").ended(0);
    again.says("revenue = orders.total (you said so on message 4)").never_says("gross_revenue");
}

#[test]
fn use_gross_revenue_changes_the_plan_that_waits() {
    let desk = shop();
    let said = desk.chat(&["total revenue by country", "use gross revenue", "y"]).ended(0);
    said.says("revenue = orders.gross_revenue (you said so on message 2)").says("36");
}

#[test]
fn values_can_be_given_a_name() {
    let desk = shop();
    let said = desk.chat(&["treat EU as Germany, France and Spain", "sum of total in EU", "y"]).ended(0);
    said.says("EU = Germany, France and Spain (you said so on message 1)").says("12");
}

#[test]
fn a_word_the_reader_does_not_know_can_be_a_number() {
    let desk = shop();
    let said = desk.chat(&["GMV means unit price times quantity", "GMV by country", "y"]).ended(0);
    said.says("GMV = orders.unit_price × orders.quantity (you said so on message 1)").says("Canada").says("30");
}

#[test]
fn active_users_are_counted_as_they_were_defined() {
    let desk = Desk::new();
    let mut logins = "login_id,user_id,login_date\n".to_owned();
    for (id, (user, date)) in
        [(1, "2024-01-02"), (2, "2024-06-20"), (2, "2024-06-25"), (3, "2024-06-28")].iter().enumerate()
    {
        logins.push_str(&format!("{id},{user},{date}\n"));
    }
    desk.data("users.csv", "user_id,user_name\n1,Ann\n2,Bob\n3,Cleo\n4,Dan\n").data("logins.csv", &logins);
    let said = desk.chat(&["active users means 30-day logins", "how many active users are there?", "y"]).ended(0);
    said.says("active users = users with logins in the last 30 days").says("(you said so on message 1)").says("2");
}

#[test]
fn what_is_no_definition_is_said_and_asked() {
    let desk = shop();
    let said = desk.chat(&["by revenue I mean the blue thing"]);
    said.says("“blue”").says("nothing was learned").says("“revenue” means orders.gross_revenue");
    let other = shop();
    let said = other.chat(&["by revenue I mean the blue thing", "1", "total revenue", "y"]).ended(0);
    said.says("(you said so on message 2)");
}

#[test]
fn a_definition_is_listed_kept_and_taken_back_by_talking() {
    let desk = shop();
    let said = desk
        .chat(&[
            "revenue means gross revenue",
            "what do you know?",
            "what does revenue mean?",
            "/facts pin meaning_of_revenue",
            "total revenue",
            "y",
            "how did you get that?",
            "what did that assume?",
            "show me the query",
            "forget the revenue definition",
            "yes",
            "/facts",
        ])
        .ended(3);
    // Without the definition the plan means something else: it is drafted anew, and waits.
    said.says("meaning_of_revenue = gross revenue")
        .says("revenue = orders.gross_revenue (you said so on message 1).")
        .says("is pinned")
        .says("told by you in message 1")
        .says("SUM(")
        .says("would go with it")
        .says("Forgotten: meaning_of_revenue")
        .says("No facts yet");
}

#[test]
fn data_that_lost_the_column_says_so_instead_of_guessing() {
    let desk = shop();
    desk.chat(&["revenue means gross revenue", "total revenue", "y"]).ended(0);
    desk.data("orders.csv", "order_id,country,total\n1,Canada,10\n");
    let said = desk.run(&["chat", "--data", "data", "--resume"], "total revenue by country\n");
    said.says("“gross”").says("you said so on message 1").says("/facts forget meaning_of_revenue");
}

#[test]
fn the_date_that_rows_were_said_to_be_dated_by_is_in_the_proof() {
    let (desk, other) = (Desk::new(), Desk::new());
    let rows = "1,done,2024-07-01,2024-07-01\n2,cancelled,2024-07-02,\n3,done,2024-07-31,2024-08-01\n";
    for desk in [&desk, &other] {
        desk.data("appointments.csv", &format!("id,status,scheduled_at,seen_at\n{rows}"));
    }
    let read = other.chat(&["how many appointments in July 2024?", "y", "use seen_at", "/why"]);
    read.says("It names another date of the rows, and says nothing else.");
    let said = desk.chat(&["how many appointments in July 2024?", "use seen_at", "y", "how was that found?"]).ended(0);
    said.says("Number of appointments: 1.").says("time_of_appointments = seen_at (told by you in message 2");
    let proof = desk.run(&["proof", "export", "--format", "json"], "").ended(0);
    let read: serde_json::Value = serde_json::from_str(&proof.out).unwrap();
    let facts: Vec<&serde_json::Value> = read["chain"].as_array().unwrap().iter().map(|link| &link["fact"]).collect();
    let stated = facts.iter().find(|fact| fact["name"] == "time_of_appointments").expect("the date is in the proof");
    assert_eq!((&stated["kind"], &stated["said_in_message"]), (&"decision".into(), &2.into()));
    desk.run(&["proof", "export", "--output", "proof.json"], "").ended(0);
    desk.run(&["verify", "proof.json", "--data", "data"], "").ended(0).says("found again, the same");
    // Data that lost the date says so, and does not take another one as if nothing had been said.
    desk.data("appointments.csv", "id,status,scheduled_at\n1,done,2024-07-01\n");
    let said = desk.run(&["chat", "--data", "data", "--resume"], "how many appointments in July 2024\n");
    said.says("“seen_at”, by which appointments were to be dated (you said on message 2), is no date of theirs");
}
