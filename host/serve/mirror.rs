//! How large a catalogue may be for the memory that there is.

use crate::catalogue::file::{MOST_IN_MEMORY, Room};
use crate::process::memory_gauge::{MemoryGauge, machine_memory};
use crate::settings::{MirrorChoice, ServeSettings};

/// Largest catalogue that is read as a whole, in products.
const MOST: u64 = 2_000_000;
/// Memory for each product that `--mirror auto` mirrors, in bytes. A product with three variants takes about 0.7 kB,
/// and three times that while another version is read and brought into the service's order. The rest is for pages and
/// isolates. The JSON of a product may take half of this, see `PassLimits`.
const BYTES_EACH: u64 = 4_096;

/// The largest number of products that the settings allow.
pub(crate) fn most_copied(settings: &ServeSettings) -> u64 {
    match settings.mirror {
        MirrorChoice::UpTo(most) => most,
        MirrorChoice::Auto => most_products(settings),
    }
}

/// How many products fit in the memory that the shop may take.
pub(super) fn most_products(settings: &ServeSettings) -> u64 {
    fitting(memory_of(settings))
}

/// Where a feed is received: in the state directory, or in a quarter of the memory.
pub(crate) fn room_for_feed(settings: &ServeSettings) -> Room {
    Room { folder: settings.state_dir.clone(), memory: feed_within(memory_of(settings)) }
}

fn feed_within(memory: Option<u64>) -> u64 {
    memory.map_or(MOST_IN_MEMORY, |bytes| (bytes / 4).min(MOST_IN_MEMORY))
}

/// The memory that the shop may take, in bytes.
fn memory_of(settings: &ServeSettings) -> Option<u64> {
    let limit = MemoryGauge::find(settings.memory_limit()).map(|memory| memory.limit);
    limit.into_iter().chain(machine_memory()).min()
}

/// How many products fit in this memory, in bytes.
fn fitting(memory: Option<u64>) -> u64 {
    memory.map_or(MOST, |bytes| (bytes / BYTES_EACH).min(MOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feed_may_take_a_quarter_of_the_memory() {
        let largest = [None, Some(1 << 30), Some(1 << 40)].map(feed_within);
        assert_eq!(largest, [512 << 20, 256 << 20, 512 << 20]);
    }

    #[test]
    fn memory_decides_how_many_products_are_mirrored() {
        assert_eq!([None, Some(1 << 30), Some(1 << 40)].map(fitting), [MOST, 262_144, MOST]);
    }
}
