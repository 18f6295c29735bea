//! How the memory that the shop may take is shared out: one function says what each part gets.

use std::fmt;

use super::ServeSettings;
use super::parse::{CatalogueChoice, MirrorChoice};
use crate::catalogue::file::{MOST_IN_MEMORY, Room, ShopRules};
use crate::pictures::CopyMemory;
use crate::process::memory_gauge::{FilesInMemory, MemoryGauge, machine_memory};
use crate::render::YOUNG_GENERATION;

/// Largest catalogue that is read as a whole, in products.
const MOST_PRODUCTS: u64 = 2_000_000;
/// Memory of a product while another version is read and brought into the service's order, in bytes: three times what a
/// product with three variants takes.
const BYTES_OF_PRODUCT: u64 = 2_100;
/// Memory of a product of a file or a feed in that time, in bytes. It is more, because a file is read as a whole before it
/// is stored.
const BYTES_OF_ROW: u64 = 4_000;
/// Heap of an isolate, in bytes: the most that it gets by itself, what two are preferred to, and the least.
const MOST_HEAP: u64 = 256 << 20;
const FAIR_HEAP: u64 = 48 << 20;
const LEAST_HEAP: u64 = 32 << 20;
/// Most memory that finished pages take by themselves, in bytes.
const MOST_PAGES: u64 = 64 << 20;
/// What is read of pictures at a time, in bytes.
const PICTURES: u64 = 4 << 20;

/// What each part may take, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shares {
    /// The memory that the shop may take; `None` if nothing limits it.
    pub(crate) limit: Option<u64>,
    /// The catalogue, with the version that takes its place.
    pub(crate) catalogue: u64,
    /// How many products fit in it.
    pub(crate) products: u64,
    pub(crate) isolates: u64,
    /// How many isolates there are, and the heap of each.
    pub(crate) number: u64,
    pub(crate) heap: u64,
    pub(crate) pages: u64,
    /// Pictures that are read, and their copies.
    pub(crate) pictures: u64,
    /// What copies of pictures may take of that.
    pub(crate) copies: CopyMemory,
    /// What is received of a feed.
    pub(crate) feed: u64,
}

/// What the settings say of memory.
#[derive(Clone, Copy, Debug, Default)]
struct Said {
    isolates: Option<u64>,
    heap: Option<u64>,
    pages: Option<u64>,
    /// Whether the products are read from a file or a feed.
    has_file: bool,
    /// Whether a feed is received into memory.
    has_feed: bool,
    /// Whether copies of pictures are made, and whether they are kept in memory.
    has_copies: bool,
    keeps_copies: bool,
}

impl Shares {
    /// The shares of a machine with this memory and this many cores. What the settings do not say follows from the limit;
    /// all parts together take nine tenths of it, unless what they say is too much for that.
    fn of(limit: Option<u64>, machine: Option<u64>, cores: u64, said: Said) -> Self {
        // No machine has more than it has, whatever the limit.
        let limit = limit.map(|limit| limit.min(machine.unwrap_or(limit)));
        let memory = limit.or(machine);
        let feed = memory.map_or(MOST_IN_MEMORY, |memory| (memory / 4).min(MOST_IN_MEMORY));
        let feed = if said.has_feed { feed } else { 0 };
        let part = |part: u64, most: u64| memory.map_or(most, |memory| (memory / part).min(most));
        let CopyMemory { jobs, kept } = CopyMemory::MOST;
        let copies = CopyMemory { jobs: part(4, jobs), kept: part(16, kept) };
        let of_copies = [(said.has_copies, copies.jobs), (said.keeps_copies, copies.kept)];
        let pictures = PICTURES
            + of_copies.iter().filter(|(is_taken, _)| *is_taken).map(|(_, bytes)| bytes).sum::<u64>();
        let young = YOUNG_GENERATION as u64;
        // Three tenths for isolates: as many as there are cores, if each gets a fair heap.
        let for_isolates = limit.map_or(u64::MAX, |limit| limit / 10 * 3);
        let number = said.isolates.unwrap_or_else(|| (for_isolates / (FAIR_HEAP + young)).clamp(1, cores));
        let fitting = (for_isolates / number).saturating_sub(young).clamp(LEAST_HEAP, MOST_HEAP);
        let heap = said.heap.unwrap_or(fitting);
        let isolates = number * (heap + young);
        let pages =
            said.pages.unwrap_or_else(|| limit.map_or(MOST_PAGES, |limit| (limit / 16).min(MOST_PAGES)));
        let catalogue = match limit {
            // The rest. What the settings say beyond the usual shares takes nothing from it: few shops use all of that.
            Some(limit) => {
                let others = isolates.min(for_isolates.max(LEAST_HEAP + young)) + pages.min(limit / 16);
                (limit / 10 * 9).saturating_sub(others + pictures + feed)
            }
            None => memory.map_or(u64::MAX, |memory| memory / 2),
        };
        let each = if said.has_file { BYTES_OF_ROW } else { BYTES_OF_PRODUCT };
        let products = (catalogue / each).min(MOST_PRODUCTS);
        let catalogue = products * each;
        Self { limit, catalogue, products, isolates, number, heap, pages, pictures, copies, feed }
    }

    /// Says in the log what each part may take.
    pub(crate) fn log(&self) {
        let mib = |bytes: u64| bytes >> 20;
        tracing::info!(
            limit_mib = self.limit.map(mib),
            catalogue_mib = mib(self.catalogue),
            products = self.products,
            isolates = self.number,
            isolates_mib = mib(self.isolates),
            heap_mib = mib(self.heap),
            pages_mib = mib(self.pages),
            pictures_mib = mib(self.pictures),
            feed_mib = mib(self.feed),
            "memory is shared out"
        );
    }

    /// All parts together.
    fn sum(&self) -> u64 {
        self.catalogue + self.isolates + self.pages + self.pictures + self.feed
    }

    /// Whether the parts leave a tenth of the limit for everything else.
    pub(crate) fn fit(&self) -> bool {
        self.limit.is_none_or(|limit| self.sum() <= limit / 10 * 9)
    }
}

impl fmt::Display for Shares {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = |bytes: u64| bytes >> 20;
        let isolates = if self.number == 1 { "isolate" } else { "isolates" };
        write!(
            formatter,
            "catalogue and its successor {} MiB ({} products), {} {isolates} {} MiB (heap {} MiB), pages {} MiB, \
             pictures {} MiB, feed {} MiB",
            mib(self.catalogue),
            self.products,
            self.number,
            mib(self.isolates),
            mib(self.heap),
            mib(self.pages),
            mib(self.pictures),
            mib(self.feed),
        )?;
        match self.limit {
            Some(limit) => write!(formatter, "; together {} of {} MiB", mib(self.sum()), mib(limit)),
            None => Ok(()),
        }
    }
}

impl ServeSettings {
    /// What each part of the shop may take.
    pub(crate) fn shares(&self) -> Shares {
        let is_feed = matches!(self.catalogue, CatalogueChoice::Feed(_) | CatalogueChoice::Shop(_));
        self.shares_with(is_feed && self.state_dir.is_none())
    }

    /// The same, with a feed in memory or without.
    fn shares_with(&self, has_feed: bool) -> Shares {
        let mib = |mib: u32| u64::from(mib) << 20;
        let said = Said {
            isolates: self.isolates.map(|isolates| isolates.get() as u64),
            heap: self.isolate_heap.map(mib),
            pages: self.page_memory.map(mib),
            has_file: self.catalogue.is_file_or_feed(),
            has_feed,
            has_copies: self.copies_pictures(),
            keeps_copies: self.copies_pictures() && self.state_dir.is_none(),
        };
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
        let limit =
            MemoryGauge::find(self.memory_limit(), FilesInMemory::default()).map(|memory| memory.limit);
        Shares::of(limit, machine_memory(), cores, said)
    }

    /// The largest number of products that is copied from a service.
    pub(crate) fn most_copied(&self) -> u64 {
        match self.mirror {
            MirrorChoice::UpTo(most) => most,
            MirrorChoice::Auto => self.shares().products,
        }
    }

    /// How a shop is asked for its products.
    pub(crate) fn shop_rules(&self) -> ShopRules {
        ShopRules {
            headers: self.catalogue_headers.clone(),
            accepts_limit: self.accept_loss,
            is_impatient: false,
        }
    }

    /// Where a feed is received: into memory too, where the state directory cannot be written.
    pub(crate) fn room_for_feed(&self) -> Room {
        Room { folder: self.state_dir.clone(), memory: self.shares_with(true).feed }
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, FromArgMatches as _};

    use super::*;

    const DOCUMENT: &str = include_str!("../../docs/operations.md");
    const CORES: u64 = 2;

    fn of(limit: u64, said: Said) -> Shares {
        Shares::of(Some(limit << 20), None, CORES, said)
    }

    #[test]
    fn the_parts_take_nine_tenths_of_any_limit_at_most() {
        for limit in (192..2_048).step_by(16).chain([4_096, 16_384, 262_144]) {
            for cores in [1, 2, 4, 64] {
                // Only a file has pictures of which copies are made.
                for (has_feed, has_copies) in [(false, false), (true, false), (false, true)] {
                    let said = Said { has_feed, has_copies, keeps_copies: has_copies, ..Said::default() };
                    let shares = Shares::of(Some(limit << 20), None, cores, said);
                    assert!(shares.fit() && shares.products >= 5_000, "{cores} cores: {shares}");
                    assert!((1..=cores).contains(&shares.number) && shares.heap >= LEAST_HEAP, "{shares}");
                    assert!(shares.feed <= (limit << 20) / 4 && shares.feed <= MOST_IN_MEMORY, "{shares}");
                }
            }
        }
    }

    #[test]
    fn what_the_settings_say_counts_and_takes_nothing_from_the_catalogue() {
        let said = Said { isolates: Some(4), heap: Some(256 << 20), pages: Some(1 << 30), ..Said::default() };
        let shares = of(1_024, said);
        assert_eq!((shares.number, shares.heap, shares.pages), (4, 256 << 20, 1 << 30));
        assert!(!shares.fit(), "{shares}");
        assert_eq!(shares.products, of(1_024, Said::default()).products);
        // What they leave is the catalogue's.
        let few = of(1_024, Said { pages: Some(0), ..Said::default() });
        assert!(few.products > shares.products, "{few}");
        // Half of the isolates leaves each of them twice the heap.
        let one = of(512, Said { isolates: Some(1), ..Said::default() });
        assert!(one.heap > 2 * of(512, Said::default()).heap, "{one}");
    }

    #[test]
    fn a_limit_beyond_the_machine_counts_as_the_machine() {
        let of = |limit| Shares::of(Some(limit), Some(1 << 30), CORES, Said::default());
        assert_eq!(of(1 << 40), of(1 << 30));
    }

    #[test]
    fn without_a_limit_the_machine_decides_about_the_catalogue_alone() {
        let of = |machine| Shares::of(None, machine, CORES, Said { has_feed: true, ..Said::default() });
        let [unknown, small, large] = [None, Some(1 << 30), Some(1 << 40)].map(of);
        for shares in [unknown, small, large] {
            assert_eq!((shares.number, shares.heap, shares.pages), (CORES, MOST_HEAP, MOST_PAGES));
            assert!(shares.fit());
        }
        assert_eq!([unknown, small, large].map(|shares| shares.feed >> 20), [512, 256, 512]);
        assert_eq!([unknown, large].map(|shares| shares.products), [MOST_PRODUCTS; 2]);
        assert!((250_000..260_000).contains(&small.products), "{small}");
    }

    #[test]
    fn a_feed_takes_a_share_only_without_a_state_directory_and_has_room_in_memory_with_one_too() {
        let of = |state: &[&str]| {
            let command = ServeSettings::augment_args(clap::Command::new("vitrine").no_binary_name(true));
            let flags = ["--catalogue", "feed:https://shop.example/a.xml", "--memory-limit", "256"];
            let matches = command.get_matches_from(flags.iter().chain(state));
            let settings = ServeSettings::from_arg_matches(&matches).unwrap();
            (settings.shares().feed >> 20, settings.room_for_feed().memory >> 20)
        };
        assert_eq!((of(&[]), of(&["--state-dir", "state"])), ((64, 64), (0, 64)));
    }

    #[test]
    fn the_page_of_operations_has_the_shares() {
        for limit in [256, 512, 1_024, 4_096] {
            let shares = of(limit, Said::default());
            let of_file = of(limit, Said { has_file: true, ..Said::default() });
            let with_feed = of(limit, Said { has_file: true, has_feed: true, ..Said::default() });
            let Shares { catalogue, products, isolates, number, heap, pages, pictures, .. } = shares;
            let [catalogue, isolates, heap, pages, pictures, feed] =
                [catalogue, isolates, heap, pages, pictures, with_feed.feed].map(|bytes| bytes >> 20);
            let row = format!(
                "| {limit} | {catalogue} | {products} | {} | {isolates}: {number} with a heap of {heap} | {pages} | \
                 {pictures} | {feed}, and {} products |",
                of_file.products, with_feed.products
            );
            assert!(DOCUMENT.contains(&row), "{row}");
        }
    }
}
