//! Opening conversations: each is loaded once, and none keeps another from being opened.

use super::crash::Dying;
use super::*;

/// A world whose conversation `slow` is loaded only when a test lets it.
fn slow_world() -> (World, Arc<Dying>) {
    let store = Arc::new(Dying::loading_slowly(Arc::new(MemoryStore::new())));
    let world = World::over(store.clone(), Arc::new(ManualClock::at(Timestamp::from_millis(1_000))));
    (world, store)
}

#[tokio::test]
async fn a_conversation_that_loads_slowly_keeps_no_other_waiting() {
    let (world, store) = slow_world();
    let slow = world.driver.open(ConversationId::new("slow"), world.peer.clone());
    let other = async {
        store.loading.notified().await;
        let session = world.driver.open(ConversationId::new("quick"), world.peer.clone()).await.unwrap();
        say(&session, "hello").await;
        let answered = when(&session, |state| !state.is_busy() && state.receipts().count() == 1).await;
        // Who looks after all that is open does not wait either.
        assert_eq!(world.driver.shared.cells.live().len(), 1);
        store.go_on.notify_one();
        answered
    };
    let (slow, answered) = tokio::join!(slow, other);
    assert_eq!(slow.unwrap().conversation().sequence().number(), 0);
    assert!(answered.sequence().number() > 0);
}

#[tokio::test]
async fn a_conversation_opened_twice_at_once_is_loaded_once() {
    let (world, store) = slow_world();
    let open = || world.driver.open(ConversationId::new("slow"), world.peer.clone());
    let let_go = async {
        store.loading.notified().await;
        store.go_on.notify_one();
    };
    let (one, other, ()) = tokio::join!(open(), open(), let_go);
    let (one, other) = (one.unwrap(), other.unwrap());
    say(&one, "hello").await;
    // Both hold the very same conversation: nobody has to notice a turn of somebody else first.
    assert_eq!(one.conversation().sequence(), other.conversation().sequence());
}

#[tokio::test]
async fn a_conversation_deleted_while_it_loads_is_not_kept_in_two_places() {
    let (world, store) = slow_world();
    let id = ConversationId::new("slow");
    let delete = async {
        store.loading.notified().await;
        world.driver.shared.cells.remove(&id);
        store.go_on.notify_one();
        store.loading.notified().await;
        store.go_on.notify_one();
    };
    let (one, ()) = tokio::join!(world.driver.open(id.clone(), world.peer.clone()), delete);
    let one = one.unwrap();
    // A third load would go on at once, and give another one.
    store.go_on.notify_one();
    let other = world.driver.open(id.clone(), world.peer.clone()).await.unwrap();
    say(&one, "hello").await;
    assert_eq!(one.conversation().sequence(), other.conversation().sequence());
}
