//! The background of a driver: leases are renewed while work runs, abandoned work is taken over, and turns of other
//! processes become visible. Next: `store` for what a lease is.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use turnwise_core::Effect;

use super::cell::Cell;
use super::lease::Lease;
use super::{DriverError, Shared, limits};
use crate::store::{Fence, Position};

/// Renews leases, takes over abandoned work and ends what was deleted until the driver closes.
pub(super) async fn beat(shared: Arc<Shared>) {
    let mut is_well = true;
    while pause(&shared, limits::HEARTBEAT_MS).await {
        let renewed = renew(&shared).await;
        let taken = take_over(&shared).await;
        let ended = end_deleted(&shared).await;
        note(&shared, &mut is_well, renewed.and(taken).and(ended));
    }
}

/// Conversations that another process deleted end here, too: whoever follows them is told.
async fn end_deleted(shared: &Shared) -> Result<(), DriverError> {
    let mut cells = shared.cells.live();
    // One that has not begun was never there.
    cells.retain(|cell| cell.latest().sequence().number() > 0);
    if cells.is_empty() {
        return Ok(());
    }
    let gone = shared.store.missing(cells.iter().map(|cell| cell.id().clone()).collect()).await?;
    for cell in cells.iter().filter(|cell| gone.contains(cell.id())) {
        shared.cells.remove(cell.id());
        cell.end();
    }
    Ok(())
}

async fn take_over(shared: &Shared) -> Result<(), DriverError> {
    for cell in shared.cells.live() {
        if cell.has_unattended().await {
            cell.take_over().await?;
        }
    }
    Ok(())
}

/// Trouble is shown while it lasts.
pub(super) fn note(shared: &Shared, is_well: &mut bool, outcome: Result<(), DriverError>) {
    let was_well = std::mem::replace(is_well, outcome.is_ok());
    match outcome {
        Ok(()) if was_well => {}
        Ok(()) => shared.clear_trouble(),
        Err(error) => shared.note_trouble(error),
    }
}

/// Renews the leases of all work; what is not ours any more is given up. What cannot be renewed ends by itself with
/// its lease.
async fn renew(shared: &Shared) -> Result<(), DriverError> {
    if shared.tasks.is_empty() {
        return Ok(());
    }
    // What is begun while the store answers is not in its answer; so what we hold is noted before we ask.
    let mut ours = Vec::new();
    for cell in shared.cells.live() {
        let claims = cell.claims().await;
        ours.push(Ours { cell, claims });
    }
    let until = shared.until();
    let held = shared.store.renew(&shared.owner, until).await?;
    for Ours { cell, mut claims } in ours {
        for held in held.iter().filter(|held| held.conversation == *cell.id()) {
            if let Some(lease) = claims.remove(&(held.effect, held.fence)) {
                lease.extend(until);
            }
        }
        if !claims.is_empty() {
            cell.give_up(&claims.into_keys().collect()).await;
        }
    }
    Ok(())
}

/// What one conversation performs in this process.
struct Ours {
    cell: Arc<Cell>,
    claims: BTreeMap<(Effect, Fence), Arc<Lease>>,
}

/// Looks for turns of other processes until the driver closes.
pub(super) async fn poll(shared: Arc<Shared>) {
    let mut seen: Option<Position> = None;
    let mut is_well = true;
    while pause(&shared, limits::POLL_MS).await {
        let looked = look(&shared, &mut seen).await;
        note(&shared, &mut is_well, looked);
    }
}

async fn look(shared: &Shared, seen: &mut Option<Position>) -> Result<(), DriverError> {
    let cells = shared.cells.live();
    if cells.is_empty() {
        // Conversations opened later are read whole then.
        *seen = None;
        return Ok(());
    }
    let Some(after) = *seen else {
        // The first look only marks the place, so what came before it is looked for in each conversation.
        *seen = Some(shared.store.position().await?);
        return catch_up(cells.iter()).await;
    };
    let changes = shared.store.changes(after).await?;
    let is_behind =
        |cell: &&Arc<Cell>| changes.grown.iter().any(|(id, last)| id == cell.id() && cell.latest().sequence() < *last);
    catch_up(cells.iter().filter(is_behind)).await?;
    *seen = Some(changes.upto);
    Ok(())
}

async fn catch_up(cells: impl Iterator<Item = &Arc<Cell>>) -> Result<(), DriverError> {
    for cell in cells {
        cell.catch_up().await?;
    }
    Ok(())
}

/// Waits; false once the driver closes.
pub(super) async fn pause(shared: &Shared, milliseconds: u64) -> bool {
    tokio::select! {
        biased;
        () = shared.closing.cancelled() => false,
        () = tokio::time::sleep(Duration::from_millis(milliseconds)) => true,
    }
}
