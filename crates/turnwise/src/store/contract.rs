//! The contract of every store, checked for each through `contract_tests!`. A check gets two handles on one store, as
//! two processes have them. Next: `memory` for the plainest store that keeps it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use turnwise_core::{
    AssistantName, Conversation, ConversationId, Effect, Event, InputKey, MessageId, Mode, Outcome, PersonId, PlanKind,
    PlanningEvent, Receipt, RequestId, Sequence, Surroundings, Timestamp,
};

use super::{
    Abandoned, Claim, Claimed, Committed, Deleted, Delivery, Fence, Listing, Over, Owner, Position, Questions,
    Recorded, Reported, Store, TakenUp, Turn, TurnResult, limits,
};

/// Two handles on one empty store, and what must live as long as they do.
pub(super) struct Pair {
    pub(super) one: Arc<dyn Store>,
    pub(super) other: Arc<dyn Store>,
    pub(super) _keep: Option<tempfile::TempDir>,
}

/// Makes one test per check, in the module it is used in.
macro_rules! contract_tests {
    ($open:path) => {
        contract_tests!($open:
            a_turn_is_read_back_whole,
            an_empty_store_knows_nothing,
            a_second_delivery_gets_the_first_result,
            a_content_key_is_a_key_too,
            keys_of_one_conversation_mean_nothing_in_another,
            a_turn_decided_on_an_old_state_is_refused,
            of_two_writers_exactly_one_wins,
            many_conversations_at_once_all_get_stored,
            a_snapshot_spares_the_events_before_it,
            events_are_read_in_pages,
            conversations_are_listed_latest_first,
            quiet_conversations_are_listed_longest_ago_first,
            turns_of_another_handle_are_noticed,
            work_is_held_until_its_lease_runs_out,
            work_given_back_can_be_claimed_at_once,
            a_renewed_lease_holds_on,
            a_claim_on_an_old_state_grants_nothing,
            a_report_under_a_lost_claim_is_refused,
            finished_work_cannot_be_claimed_again_as_held,
            a_driver_may_claim_its_own_work_again,
            a_list_names_who_takes_part,
            a_deleted_conversation_leaves_nothing_behind,
            a_conversation_at_work_is_not_deleted,
            all_handles_of_a_store_have_its_key,
            a_person_finds_their_one_conversation_among_many_others,
            a_list_is_read_in_pages,
            a_list_holds_only_what_is_wanted,
            conversations_that_ask_something_are_found,
            ids_are_read_in_their_own_order,
            work_that_nobody_holds_is_found,
            what_was_delivered_is_kept_until_it_is_taken_in,
        );
    };
    ($open:path: $($check:ident),* $(,)?) => {
        $(#[tokio::test]
        async fn $check() {
            crate::store::contract::$check($open()).await;
        })*
    };
}
pub(super) use contract_tests;

const LEASE: i64 = 1_000;

fn owner(name: &str) -> Owner {
    Owner::new(name)
}

fn start(number: u64) -> Effect {
    Effect::DraftPlan { request: RequestId::new(number) }
}

/// A conversation as one driver sees it, to make turns from.
struct Talk {
    id: ConversationId,
    state: Conversation,
    owner: Owner,
    now: i64,
}

impl Talk {
    fn new(id: &str) -> Self {
        let state = Conversation::new(AssistantName::new("analyst"));
        Self { id: ConversationId::new(id), state, owner: owner("driver-1"), now: 10 }
    }

    /// A turn on the state at hand that says `text` under `key`.
    fn says(&self, key: &str, text: &str) -> Turn {
        let number = self.state.sequence().number();
        let assistant = AssistantName::new("analyst");
        let opened = Event::ConversationOpened { assistant, sources: Vec::new(), at: Timestamp::default() };
        let message = MessageId::new(number + 1);
        let said = Event::MessageReceived {
            message,
            person: PersonId::new("ada"),
            text: text.to_owned(),
            surface: None,
            around: Surroundings::default(),
            at: Timestamp::from_millis(self.now),
        };
        let receipt = Receipt { message, outcome: Outcome::Answered, detail: format!("heard {text}"), by: None };
        let given = Event::ReceiptGiven { receipt: receipt.clone() };
        let events = if number == 0 { vec![opened, said, given] } else { vec![said, given] };
        self.turn(key, events, Some(receipt))
    }

    fn turn(&self, key: &str, events: Vec<Event>, receipt: Option<Receipt>) -> Turn {
        let mut state = self.state.clone();
        for event in &events {
            state.apply(event).unwrap();
        }
        let expected = self.state.sequence();
        Turn {
            conversation: self.id.clone(),
            expected,
            keys: vec![InputKey::new(key)],
            result: TurnResult {
                receipt,
                first: Sequence::new(expected.number() + 1),
                last: state.sequence(),
                digest: None,
                duplicate: false,
            },
            events,
            state: Arc::new(state),
            snapshot: false,
            reported: None,
            finished: Vec::new(),
            started: Vec::new(),
            owner: self.owner.clone(),
            until: Timestamp::from_millis(self.now + LEASE),
            at: Timestamp::from_millis(self.now),
        }
    }

    /// Stores `turn` and goes on from it.
    async fn store(&mut self, store: &Arc<dyn Store>, turn: Turn) {
        let state = Conversation::clone(&turn.state);
        assert_eq!(store.commit(turn).await.unwrap(), Committed::Stored);
        self.state = state;
    }

    async fn say(&mut self, store: &Arc<dyn Store>, text: &str) {
        let key = format!("key-{}", self.state.sequence().number());
        let turn = self.says(&key, text);
        self.store(store, turn).await;
    }

    /// A stored conversation that waits for draft 1, held by `driver-1` until `now + LEASE`.
    async fn drafting(store: &Arc<dyn Store>) -> Self {
        let mut talk = Self::new("c");
        let mut turn = talk.says("k1", "top customers");
        let started = PlanningEvent::TaskStarted {
            request: RequestId::new(1),
            problem: "top customers".to_owned(),
            kind: PlanKind::Plain,
            message: None,
        };
        turn.events.push(Event::Planning(started));
        turn = talk.turn("k1", turn.events, None);
        turn.started = vec![start(1)];
        talk.store(store, turn).await;
        talk
    }

    fn claim(&self, owner: &Owner, now: i64) -> Claim {
        Claim {
            conversation: self.id.clone(),
            expected: self.state.sequence(),
            effects: vec![start(1)],
            owner: owner.clone(),
            until: Timestamp::from_millis(now + LEASE),
            now: Timestamp::from_millis(now),
        }
    }
}

fn granted(fence: u64) -> Claimed {
    Claimed::Granted(vec![Reported { effect: start(1), fence: Fence::new(fence) }])
}

fn nothing() -> Claimed {
    Claimed::Granted(Vec::new())
}

async fn reload(store: &Arc<dyn Store>, id: &ConversationId) -> Conversation {
    let loaded = store.load(id).await.unwrap().expect("it was stored");
    loaded.fold(id, &AssistantName::new("analyst")).unwrap()
}

pub(super) async fn a_turn_is_read_back_whole(pair: Pair) {
    let mut talk = Talk::new("c");
    talk.say(&pair.one, "how many customers?").await;
    talk.say(&pair.one, "and in Q4 — “größer als 0.1”?\u{0}\n").await;
    assert_eq!(reload(&pair.other, &talk.id).await, talk.state);
    let events = pair.other.events_after(&talk.id, Sequence::new(3)).await.unwrap();
    assert_eq!(events.first().map(|recorded| recorded.sequence), Some(Sequence::new(4)));
    assert!(matches!(&events[0].event, Event::MessageReceived { text, .. } if text.ends_with("0.1”?\u{0}\n")));
}

pub(super) async fn an_empty_store_knows_nothing(pair: Pair) {
    let id = ConversationId::new("nobody");
    assert!(pair.one.load(&id).await.unwrap().is_none());
    assert_eq!(pair.one.events_after(&id, Sequence::new(0)).await.unwrap(), Vec::<Recorded>::new());
    assert_eq!(pair.one.conversations(&Listing::default()).await.unwrap(), Vec::new());
    assert_eq!(pair.one.position().await.unwrap(), Position::new(0));
    assert_eq!(pair.one.claim(Talk::new("nobody").claim(&owner("a"), 0)).await.unwrap(), Claimed::Conflict);
}

pub(super) async fn a_second_delivery_gets_the_first_result(pair: Pair) {
    let mut talk = Talk::new("c");
    let first = talk.says("k1", "hello");
    let again = first.clone();
    let result = first.result.clone();
    talk.store(&pair.one, first).await;
    talk.say(&pair.one, "something else").await;
    let position = pair.one.position().await.unwrap();
    // Even though its version is long past, it is a duplicate and no conflict.
    let answer = pair.other.commit(again).await.unwrap();
    assert_eq!(answer, Committed::Duplicate(result.repeated()));
    assert_eq!(pair.one.position().await.unwrap(), position);
    assert_eq!(reload(&pair.one, &talk.id).await, talk.state);
}

pub(super) async fn a_content_key_is_a_key_too(pair: Pair) {
    let mut talk = Talk::new("c");
    let mut turn = talk.says("transport-1", "hello");
    turn.keys.push(InputKey::new("content"));
    let result = turn.result.clone();
    talk.store(&pair.one, turn).await;
    let mut again = talk.says("transport-2", "hello");
    again.keys.push(InputKey::new("content"));
    assert_eq!(pair.one.commit(again).await.unwrap(), Committed::Duplicate(result.repeated()));
    // The refused delivery left its own transport key free.
    assert_eq!(pair.one.commit(talk.says("transport-2", "new")).await.unwrap(), Committed::Stored);
}

pub(super) async fn keys_of_one_conversation_mean_nothing_in_another(pair: Pair) {
    Talk::new("a").say(&pair.one, "hello").await;
    Talk::new("b").say(&pair.one, "hello").await;
    assert_eq!(pair.one.conversations(&Listing::default()).await.unwrap().len(), 2);
}

pub(super) async fn a_turn_decided_on_an_old_state_is_refused(pair: Pair) {
    let mut talk = Talk::new("c");
    let late = talk.says("late", "too late");
    talk.say(&pair.one, "first").await;
    assert_eq!(pair.other.commit(late).await.unwrap(), Committed::Conflict);
    assert_eq!(reload(&pair.other, &talk.id).await, talk.state);
    // A state that was never stored is refused as well.
    let mut ahead = Talk::new("unknown");
    ahead.state = talk.state.clone();
    assert_eq!(pair.other.commit(ahead.says("k", "x")).await.unwrap(), Committed::Conflict);
}

pub(super) async fn of_two_writers_exactly_one_wins(pair: Pair) {
    for round in 0..20 {
        let talk = Talk::new(&format!("c{round}"));
        let start_line = Arc::new(tokio::sync::Barrier::new(2));
        let write = |store: &Arc<dyn Store>, key: &str| {
            let (store, turn, line) = (Arc::clone(store), talk.says(key, key), Arc::clone(&start_line));
            tokio::spawn(async move {
                line.wait().await;
                store.commit(turn).await.unwrap()
            })
        };
        let (one, other) = (write(&pair.one, "k1"), write(&pair.other, "k2"));
        let mut ends = [one.await.unwrap(), other.await.unwrap()];
        ends.sort_by_key(|end| *end == Committed::Conflict);
        assert_eq!(ends, [Committed::Stored, Committed::Conflict]);
        assert_eq!(pair.one.events_after(&talk.id, Sequence::new(0)).await.unwrap().len(), 3);
    }
}

pub(super) async fn many_conversations_at_once_all_get_stored(pair: Pair) {
    let mut writers = tokio::task::JoinSet::new();
    for number in 0..100 {
        let store = if number % 2 == 0 { &pair.one } else { &pair.other };
        let (store, talk) = (Arc::clone(store), Talk::new(&format!("c{number}")));
        writers.spawn(async move { store.commit(talk.says("k", "hello")).await.unwrap() });
    }
    let ends = writers.join_all().await;
    assert!(ends.iter().all(|end| *end == Committed::Stored));
    assert_eq!(pair.one.conversations(&Listing::default()).await.unwrap().len(), 100);
    assert_eq!(pair.one.position().await.unwrap(), Position::new(300));
}

pub(super) async fn a_snapshot_spares_the_events_before_it(pair: Pair) {
    let mut talk = Talk::new("c");
    talk.say(&pair.one, "one").await;
    let mut turn = talk.says("k2", "two");
    turn.snapshot = true;
    talk.store(&pair.one, turn).await;
    talk.say(&pair.one, "three").await;
    let loaded = pair.other.load(&talk.id).await.unwrap().unwrap();
    assert_eq!(loaded.snapshot.as_ref().map(Conversation::sequence), Some(Sequence::new(5)));
    assert_eq!(loaded.events.len(), 2);
    assert_eq!(loaded.fold(&talk.id, &AssistantName::new("analyst")).unwrap(), talk.state);
    assert_eq!(pair.other.events_after(&talk.id, Sequence::new(0)).await.unwrap().len(), 7);
}

pub(super) async fn events_are_read_in_pages(pair: Pair) {
    let mut talk = Talk::new("c");
    talk.say(&pair.one, "start").await;
    let switches = vec![Event::ModeSwitched { mode: Mode::Proof, explicit: true }; limits::EVENTS_PAGE];
    let turn = talk.turn("many", switches, None);
    talk.store(&pair.one, turn).await;
    let first = pair.other.events_after(&talk.id, Sequence::new(0)).await.unwrap();
    assert_eq!(first.len(), limits::EVENTS_PAGE);
    let rest = pair.other.events_after(&talk.id, first.last().unwrap().sequence).await.unwrap();
    assert_eq!(rest.len(), 3);
    assert_eq!(rest.last().unwrap().sequence, talk.state.sequence());
}

pub(super) async fn conversations_are_listed_latest_first(pair: Pair) {
    let (mut old, mut new) = (Talk::new("old"), Talk::new("new"));
    old.say(&pair.one, "revenue by region\nwith a second line").await;
    new.now = 20;
    new.say(&pair.one, "top customers").await;
    let titles = |list: &[super::Summary]| list.iter().map(|one| one.title.clone().unwrap()).collect::<Vec<_>>();
    let listed = pair.other.conversations(&Listing::default()).await.unwrap();
    assert_eq!(titles(&listed), ["top customers", "revenue by region"]);
    // The title stays that of the first message; the order follows activity.
    old.now = 30;
    old.say(&pair.one, "and by month").await;
    let listed = pair.other.conversations(&Listing::default()).await.unwrap();
    assert_eq!(titles(&listed), ["revenue by region", "top customers"]);
    assert_eq!(listed[0].active_at, Timestamp::from_millis(30));
    assert_eq!((&listed[0].id, &listed[0].assistant), (&old.id, &AssistantName::new("analyst")));
}

pub(super) async fn quiet_conversations_are_listed_longest_ago_first(pair: Pair) {
    for (name, at) in [("newer", 20), ("old", 10), ("new", 30)] {
        let mut talk = Talk::new(name);
        talk.now = at;
        talk.say(&pair.one, name).await;
    }
    let before = |at: i64| pair.other.quiet_since(Timestamp::from_millis(at));
    let titles = |list: Vec<super::Summary>| list.into_iter().map(|one| one.title.unwrap()).collect::<Vec<_>>();
    assert_eq!(titles(before(30).await.unwrap()), ["old", "newer"]);
    assert_eq!(titles(before(10).await.unwrap()), Vec::<String>::new());
}

pub(super) async fn turns_of_another_handle_are_noticed(pair: Pair) {
    let mut talk = Talk::new("c");
    talk.say(&pair.one, "one").await;
    let before = pair.other.position().await.unwrap();
    assert_eq!(pair.other.changes(before).await.unwrap().grown, Vec::new());
    talk.say(&pair.one, "two").await;
    let changes = pair.other.changes(before).await.unwrap();
    assert_eq!(changes.grown, [(talk.id.clone(), talk.state.sequence())]);
    assert_eq!(pair.other.changes(changes.upto).await.unwrap().grown, Vec::new());
}

pub(super) async fn work_is_held_until_its_lease_runs_out(pair: Pair) {
    let talk = Talk::drafting(&pair.one).await;
    let second = owner("driver-2");
    assert_eq!(pair.other.claim(talk.claim(&second, talk.now + LEASE - 1)).await.unwrap(), nothing());
    assert_eq!(pair.other.claim(talk.claim(&second, talk.now + LEASE)).await.unwrap(), granted(2));
    assert_eq!(pair.one.claim(talk.claim(&talk.owner, talk.now + LEASE + 1)).await.unwrap(), nothing());
    assert_eq!(pair.one.renew(&talk.owner, Timestamp::from_millis(9_999)).await.unwrap(), Vec::new());
}

pub(super) async fn work_given_back_can_be_claimed_at_once(pair: Pair) {
    let talk = Talk::drafting(&pair.one).await;
    pair.one.release(&owner("driver-9")).await.unwrap();
    assert_eq!(pair.other.claim(talk.claim(&owner("driver-2"), talk.now)).await.unwrap(), nothing());
    pair.one.release(&talk.owner).await.unwrap();
    assert_eq!(pair.other.claim(talk.claim(&owner("driver-2"), talk.now)).await.unwrap(), granted(2));
}

pub(super) async fn a_renewed_lease_holds_on(pair: Pair) {
    let talk = Talk::drafting(&pair.one).await;
    let later = talk.now + 5 * LEASE;
    let held = pair.one.renew(&talk.owner, Timestamp::from_millis(later)).await.unwrap();
    let own = super::Held { conversation: talk.id.clone(), effect: start(1), fence: Fence::FIRST };
    assert_eq!(held, [own]);
    assert_eq!(pair.other.claim(talk.claim(&owner("driver-2"), later - 1)).await.unwrap(), nothing());
}

pub(super) async fn a_claim_on_an_old_state_grants_nothing(pair: Pair) {
    let mut talk = Talk::drafting(&pair.one).await;
    let stale = talk.claim(&owner("driver-2"), talk.now + LEASE);
    let mut turn = talk.says("k2", "stop");
    turn.finished = vec![start(1)];
    talk.store(&pair.one, turn).await;
    assert_eq!(pair.other.claim(stale).await.unwrap(), Claimed::Conflict);
}

pub(super) async fn a_report_under_a_lost_claim_is_refused(pair: Pair) {
    let mut talk = Talk::drafting(&pair.one).await;
    let taken = pair.other.claim(talk.claim(&owner("driver-2"), talk.now + LEASE)).await.unwrap();
    assert_eq!(taken, granted(2));
    let mut late = talk.says("report:draft", "from the first");
    late.reported = Some(Reported { effect: start(1), fence: Fence::FIRST });
    assert_eq!(pair.one.commit(late).await.unwrap(), Committed::Fenced);
    // Nothing of it was kept, so the report of the second holder goes through under the same key.
    talk.owner = owner("driver-2");
    let mut report = talk.says("report:draft", "from the second");
    report.reported = Some(Reported { effect: start(1), fence: Fence::new(2) });
    report.finished = vec![start(1)];
    talk.store(&pair.other, report).await;
}

pub(super) async fn finished_work_cannot_be_claimed_again_as_held(pair: Pair) {
    let mut talk = Talk::drafting(&pair.one).await;
    let mut turn = talk.says("k2", "done");
    turn.finished = vec![start(1)];
    talk.store(&pair.one, turn).await;
    assert_eq!(pair.one.renew(&talk.owner, Timestamp::from_millis(9_999)).await.unwrap(), Vec::new());
}

pub(super) async fn a_driver_may_claim_its_own_work_again(pair: Pair) {
    let talk = Talk::drafting(&pair.one).await;
    assert_eq!(pair.one.claim(talk.claim(&talk.owner, talk.now)).await.unwrap(), granted(2));
}

pub(super) async fn a_list_names_who_takes_part(pair: Pair) {
    let mut talk = Talk::new("shared");
    let turn = talk.says("k1", "hello");
    talk.store(&pair.one, turn).await;
    let members = |listed: &[super::Summary]| listed[0].members.iter().map(PersonId::to_string).collect::<Vec<_>>();
    let before = members(&pair.other.conversations(&Listing::default()).await.unwrap());
    let joined = Event::MemberJoined { person: PersonId::new("zoe") };
    let turn = talk.turn("k2", vec![joined], None);
    talk.store(&pair.one, turn).await;
    let after = members(&pair.other.conversations(&Listing::default()).await.unwrap());
    assert_eq!((before.len(), after.len()), (1, 2), "whoever speaks takes part, and so does who joined");
    assert_eq!(after.last().unwrap(), "zoe");
    let zoes = || Listing { member: Some(PersonId::new("zoe")), ..Listing::default() };
    assert_eq!(pair.other.conversations(&zoes()).await.unwrap().len(), 1);
    let left = Event::MemberLeft { person: PersonId::new("zoe") };
    let turn = talk.turn("k3", vec![left], None);
    talk.store(&pair.one, turn).await;
    assert_eq!(pair.other.conversations(&zoes()).await.unwrap(), Vec::new(), "who left finds it no more");
}

pub(super) async fn a_deleted_conversation_leaves_nothing_behind(pair: Pair) {
    let mut talk = Talk::new("short-lived");
    let turn = talk.says("k1", "hello");
    talk.store(&pair.one, turn).await;
    let now = Timestamp::from_millis(talk.now);
    let missing = || pair.one.missing(vec![talk.id.clone()]);
    assert_eq!(missing().await.unwrap(), Vec::new());
    assert_eq!(pair.other.delete(&talk.id, now).await.unwrap(), Deleted::Gone);
    assert_eq!(missing().await.unwrap(), std::slice::from_ref(&talk.id));
    assert_eq!(pair.one.delete(&talk.id, now).await.unwrap(), Deleted::NotThere);
    assert!(pair.one.load(&talk.id).await.unwrap().is_none());
    assert_eq!(pair.one.conversations(&Listing::default()).await.unwrap(), Vec::new());
    assert_eq!(pair.one.events_after(&talk.id, Sequence::new(0)).await.unwrap(), Vec::new());
    // Its keys are gone with it: the same key begins a conversation of that name anew.
    let mut again = Talk::new("short-lived");
    let turn = again.says("k1", "hello again");
    again.store(&pair.one, turn).await;
}

pub(super) async fn a_conversation_at_work_is_not_deleted(pair: Pair) {
    let talk = Talk::drafting(&pair.one).await;
    assert_eq!(pair.other.delete(&talk.id, Timestamp::from_millis(talk.now)).await.unwrap(), Deleted::Busy);
    let later = Timestamp::from_millis(talk.now + LEASE);
    assert_eq!(pair.other.delete(&talk.id, later).await.unwrap(), Deleted::Gone);
}

pub(super) async fn all_handles_of_a_store_have_its_key(pair: Pair) {
    let key = pair.one.signing_key().await.unwrap();
    assert!(pair.other.signing_key().await.unwrap() == key);
    assert!(pair.one.signing_key().await.unwrap() == key);
}

/// Stores one conversation for each of `ids` at `at`, in which ada speaks.
async fn store_many(pair: &Pair, ids: impl Iterator<Item = String>, at: i64) {
    let mut writers = tokio::task::JoinSet::new();
    for id in ids {
        let (store, mut talk) = (Arc::clone(&pair.one), Talk::new(&id));
        talk.now = at;
        writers.spawn(async move { store.commit(talk.says("k", "hello")).await.unwrap() });
    }
    assert!(writers.join_all().await.iter().all(|end| *end == Committed::Stored));
}

pub(super) async fn a_person_finds_their_one_conversation_among_many_others(pair: Pair) {
    let mut lone = Talk::new("lone");
    lone.now = 1;
    let turn = lone.says("k", "hello");
    let joined = Event::MemberJoined { person: PersonId::new("ben") };
    let turn = lone.turn("k", turn.events.into_iter().chain([joined]).collect(), None);
    lone.store(&pair.one, turn).await;
    store_many(&pair, (0..limits::LISTED_MAX + 50).map(|number| format!("other-{number}")), 20).await;
    let of = |person: &str| Listing { member: Some(PersonId::new(person)), ..Listing::default() };
    let found = pair.other.conversations(&of("ben")).await.unwrap();
    assert_eq!(found.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["lone"]);
    assert_eq!(pair.other.conversations(&of("ada")).await.unwrap().len(), limits::LISTED_MAX);
    assert_eq!(pair.other.conversations(&of("be")).await.unwrap(), Vec::new());
}

pub(super) async fn a_list_is_read_in_pages(pair: Pair) {
    // Many of the same moment: the place between them is told by their ids.
    let half = limits::LISTED_MAX * 3 / 4;
    store_many(&pair, (0..half).map(|number| format!("old-{number}")), 10).await;
    store_many(&pair, (0..half).map(|number| format!("new-{number}")), 20).await;
    let (mut listed, mut wanted) = (Vec::new(), Listing::default());
    loop {
        let page = pair.other.conversations(&wanted).await.unwrap();
        assert!(page.len() <= limits::LISTED_MAX);
        let Some(last) = page.last() else { break };
        wanted.after = Some(last.place());
        listed.extend(page.into_iter().map(|one| one.id.to_string()));
    }
    let (mut once, all) = (listed.clone(), listed.len());
    once.sort();
    once.dedup();
    assert_eq!((once.len(), all), (2 * half, 2 * half), "each is listed once");
    assert!(listed[..half].iter().all(|id| id.starts_with("new-")), "latest activity first over all pages");
}

pub(super) async fn a_list_holds_only_what_is_wanted(pair: Pair) {
    store_many(&pair, ["a-1-here", "a-2-there", "b-1-here"].map(str::to_owned).into_iter(), 10).await;
    let over =
        |assistant: &str, ending: &str| Over { assistant: AssistantName::new(assistant), ending: ending.to_owned() };
    let beginning = |beginning: &str| Listing { beginning: Some(beginning.to_owned()), ..Listing::default() };
    let over_all = |over: &[Over]| Listing { over: over.to_vec(), ..Listing::default() };
    for (wanted, expected) in [
        (Listing::of(ConversationId::new("a-1-here")), &["a-1-here"][..]),
        (Listing::of(ConversationId::new("a-1")), &[]),
        (beginning("a-"), &["a-2-there", "a-1-here"]),
        (beginning("%"), &[]),
        (over_all(&[over("analyst", "-here")]), &["b-1-here", "a-1-here"]),
        (over_all(&[over("analyst", "-there"), over("nobody", "-here")]), &["a-2-there"]),
        (Listing { over: vec![over("analyst", "-here")], ..beginning("b") }, &["b-1-here"]),
    ] {
        let found = pair.other.conversations(&wanted).await.unwrap();
        assert_eq!(found.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), expected, "{wanted:?}");
    }
}

pub(super) async fn conversations_that_ask_something_are_found(pair: Pair) {
    let asking = || async {
        let wanted = Listing { questions: Questions::Open, ..Listing::default() };
        let found = pair.other.conversations(&wanted).await.unwrap();
        found.into_iter().map(|one| one.id.to_string()).collect::<Vec<_>>()
    };
    Talk::new("quiet").say(&pair.one, "hello").await;
    let mut talk = Talk::new("asking");
    talk.say(&pair.one, "forget everything").await;
    assert_eq!(asking().await, Vec::<String>::new());
    let pending = turnwise_core::Pending {
        id: turnwise_core::PendingId::new(1),
        ui_version: 1,
        opened: talk.state.sequence(),
        quiet: false,
        digressed: false,
        since: None,
        approvers: Vec::new(),
        expires: None,
        checkpoints: None,
        is_fixable: false,
        kind: turnwise_core::PendingKind::ConfirmExit,
    };
    let turn = talk.turn("k2", vec![Event::PendingOpened { pending }], None);
    talk.store(&pair.one, turn).await;
    assert_eq!(asking().await, ["asking"]);
    let resolution = turnwise_core::Resolution::Rejected;
    let closed = Event::PendingClosed { pending: turnwise_core::PendingId::new(1), resolution, by: None };
    let turn = talk.turn("k3", vec![closed], None);
    talk.store(&pair.one, turn).await;
    assert_eq!(asking().await, Vec::<String>::new());
}

pub(super) async fn ids_are_read_in_their_own_order(pair: Pair) {
    store_many(&pair, (0..limits::IDS_PAGE + 5).map(|number| format!("c-{number:04}")), 10).await;
    let first = pair.other.ids(None).await.unwrap();
    assert_eq!((first.len(), first[0].as_str(), first[1].as_str()), (limits::IDS_PAGE, "c-0000", "c-0001"));
    let rest = pair.other.ids(first.last()).await.unwrap();
    assert_eq!(rest.iter().map(ConversationId::as_str).collect::<Vec<_>>().len(), 5);
    assert_eq!(pair.other.ids(rest.last()).await.unwrap(), Vec::new());
}

pub(super) async fn work_that_nobody_holds_is_found(pair: Pair) {
    let mut talk = Talk::drafting(&pair.one).await;
    let at = async |now: i64| pair.other.abandoned(Timestamp::from_millis(now), None).await.unwrap();
    assert_eq!(at(talk.now + LEASE - 1).await, Vec::new());
    let left = |fence: u64| Abandoned { conversation: talk.id.clone(), effect: start(1), fence: Fence::new(fence) };
    let (first, second) = (left(1), left(2));
    assert_eq!(at(talk.now + LEASE).await, [first]);
    for (after, pieces) in [("b", 1), ("c", 0)] {
        let found = pair.other.abandoned(Timestamp::from_millis(9_999), Some(&ConversationId::new(after))).await;
        assert_eq!(found.unwrap().len(), pieces, "after {after}");
    }
    // Claimed by another it is held again, and given back it is free at once.
    let claim = talk.claim(&owner("driver-2"), talk.now + LEASE);
    assert_eq!(pair.other.claim(claim).await.unwrap(), granted(2));
    assert_eq!(at(talk.now + LEASE).await, Vec::new());
    pair.other.release(&owner("driver-2")).await.unwrap();
    assert_eq!(at(talk.now + LEASE).await, [second]);
    let mut turn = talk.says("k2", "done");
    turn.finished = vec![start(1)];
    talk.store(&pair.one, turn).await;
    assert_eq!(at(9_999).await, Vec::new(), "what is over is nobody's work");
}

pub(super) async fn what_was_delivered_is_kept_until_it_is_taken_in(pair: Pair) {
    let delivery = |channel: &str, key: &str, content: &str| Delivery {
        channel: channel.to_owned(),
        key: InputKey::new(key),
        content: content.to_owned(),
    };
    for (channel, key, content) in
        [("slack", "k2", "first"), ("slack", "k1", "second"), ("post", "k2", "elsewhere"), ("slack", "k2", "again")]
    {
        pair.one.keep(delivery(channel, key, content)).await.unwrap();
    }
    let kept = [delivery("slack", "k2", "first"), delivery("slack", "k1", "second")];
    assert_eq!(pair.other.take_up("slack").await.unwrap(), TakenUp { deliveries: kept.to_vec(), given_up: Vec::new() });
    pair.other.forget_delivery("slack", &InputKey::new("k2")).await.unwrap();
    for _ in 1..limits::TAKEN_UP_MAX {
        assert_eq!(pair.one.take_up("slack").await.unwrap().deliveries, kept[1..]);
    }
    let given_up = TakenUp { deliveries: Vec::new(), given_up: kept[1..].to_vec() };
    assert_eq!(pair.one.take_up("slack").await.unwrap(), given_up, "what may end a process is not tried for ever");
    assert_eq!(pair.one.take_up("post").await.unwrap().deliveries, [delivery("post", "k2", "elsewhere")]);
}
