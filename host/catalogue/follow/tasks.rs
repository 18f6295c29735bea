//! What a followed catalogue does for as long as it is in use.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout};

use super::shared::Role;
use super::{APART, AWAITED_FOR, Followed};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::{Section, Source};

/// Pause between attempts to open a shop without a version.
const OPEN_AGAIN: Duration = Duration::from_secs(5);

/// Reads the source each time that it is due, unless another replica does, until the catalogue is gone.
pub(super) async fn read_again<C: Source>(catalogue: &Weak<Followed<C>>, due: &Notify) {
    let Some(mut role) = catalogue.upgrade().map(|followed| followed.role.subscribe()) else { return };
    let mut failures = 0;
    loop {
        if *role.borrow() == Role::Follows {
            if role.wait_for(|role| *role != Role::Follows).await.is_err() {
                return;
            }
            let Some(followed) = catalogue.upgrade() else { return };
            let is_order_open = followed.sold.lock().is_order_open();
            let pause = match followed.current() {
                Some((_, age)) if !is_order_open => followed.pause(&Ok(age), Duration::ZERO, 0),
                _ => Duration::ZERO,
            };
            drop(followed);
            let _ = timeout(pause, due.notified()).await;
            continue;
        }
        let Some(followed) = catalogue.upgrade() else { return };
        let began = Instant::now();
        let reader = Arc::clone(&followed);
        // A task of its own, so that a panic ends only this reading.
        let reading = tokio::spawn(async move { reader.read().await });
        let outcome = reading.await.unwrap_or(Err(CatalogueError::Died));
        let pause = followed.pause(&outcome, began.elapsed(), failures);
        failures = if outcome.is_ok() { 0 } else { failures + 1 };
        if let Some(shared) = &followed.shared {
            shared.after_reading(&followed, outcome.is_ok(), pause).await;
        }
        drop(followed);
        sleep(APART.min(pause)).await;
        // It ends at once if a reading was ordered meanwhile.
        let _ = timeout(pause.saturating_sub(APART), due.notified()).await;
    }
}

/// Asks for purged products whenever there are some, until the catalogue is gone.
pub(super) async fn ask_again<C: Source>(catalogue: &Weak<Followed<C>>, wanted: &Notify) {
    loop {
        wanted.notified().await;
        let Some(followed) = catalogue.upgrade() else { return };
        followed.ask_wanted().await;
    }
}

/// Opens the shop without a version once the calls are answered that the home page needs.
pub(super) async fn open<C: Source>(catalogue: &Weak<Followed<C>>) {
    let mut pause = 2 * AWAITED_FOR;
    loop {
        sleep(pause).await;
        pause = OPEN_AGAIN;
        let Some(followed) = catalogue.upgrade() else { return };
        if followed.current().is_some() || followed.sold.lock().is_open {
            continue;
        }
        let live = followed.live();
        // Failures are logged when a page needs the answers.
        if live.categories().await.is_ok()
            && live.section(Section::First).await.is_ok_and(|products| !products.is_empty())
        {
            followed.sold.lock().is_open = true;
        }
    }
}
