//! A service whose list changes while it is read, and that does not always answer.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;

use super::list::{PageOfProducts, PagedList, Range};
use crate::catalogue::error::{CatalogueError, Phase};
use crate::catalogue::key::ProductKey;
use crate::catalogue::query::Result;
use crate::catalogue::revision::{Change, Revision};
use crate::catalogue::service::wire::{Ids, Row, parse_ids, parse_page, parse_row};
use crate::profile::Currency;

/// A product: its id, and how often it was changed. Those with a multiple of 17 are invalid.
pub(super) type Item = (u64, u64);

/// Makes an item invalid, whatever its id is.
pub(super) const INVALID: u64 = 1_000_000;

/// How a service behaves. Numbers are percentages of calls.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Behaviour {
    /// Calls after which the list changes.
    pub(super) changes: u32,
    /// Calls that fail.
    pub(super) failures: u32,
    /// Pages that are empty, or those of the call before.
    pub(super) wrong_pages: u32,
    /// Answers with another total.
    pub(super) wrong_totals: u32,
    /// At this call, so many products in the middle of the list are removed.
    pub(super) removes: Option<(usize, usize)>,
    /// The id of a product that no page has.
    pub(super) hides: Option<u64>,
    pub(super) ignores_skip: bool,
    /// Whether each call replaces all products.
    pub(super) never_rests: bool,
    /// Most entries of an answer.
    pub(super) most: Option<usize>,
    /// Largest answer, in bytes.
    pub(super) largest: Option<usize>,
}

pub(super) struct World {
    pub(super) behaviour: Behaviour,
    random: fastrand::Rng,
    /// Every state of the list so far.
    pub(super) states: Vec<Vec<Item>>,
    next_id: u64,
    pub(super) calls: Vec<(bool, Range)>,
    /// How many times a product was asked for by its id.
    pub(super) asked: usize,
    /// Pages of products that were parsed.
    pub(super) parsed: usize,
    last_page: Vec<u8>,
}

#[derive(Clone)]
pub(super) struct Simulated(pub(super) Arc<Mutex<World>>);

fn text((id, changes): Item) -> String {
    if id.is_multiple_of(17) || changes == INVALID {
        return format!(r#"{{"id":{id},"title":"{changes}"}}"#);
    }
    format!(r#"{{"id":{id},"title":"{id}","price":{changes}.5,"tags":["t{}"]}}"#, id % 5)
}

fn body<'a>(entries: impl Iterator<Item = &'a Item>, of: impl Fn(Item) -> String, total: usize) -> Vec<u8> {
    let entries: Vec<String> = entries.map(|item| of(*item)).collect();
    format!(r#"{{"products":[{}],"total":{total}}}"#, entries.join(",")).into_bytes()
}

impl World {
    pub(super) fn list(&self) -> &[Item] {
        self.states.last().unwrap()
    }

    /// The whole list as one answer.
    pub(super) fn whole(&self) -> Vec<u8> {
        body(self.list().iter(), text, self.list().len())
    }

    /// A page of an earlier pass is not sent again.
    pub(super) fn forget_page(&mut self) {
        self.last_page = br#"{"products":[]}"#.to_vec();
    }

    fn happens(&mut self, percentage: u32) -> bool {
        self.random.u32(0..100) < percentage
    }

    /// Changes the list in one of the ways in which lists change.
    pub(super) fn change(&mut self) {
        let mut list = self.list().to_vec();
        let (random, count) = (&mut self.random, list.len());
        let at = |random: &mut fastrand::Rng, count: usize| random.usize(0..=count);
        let mut add = |list: &mut Vec<Item>, at: usize| {
            list.insert(at, (self.next_id, 0));
            self.next_id += 1;
        };
        match random.u32(0..8) {
            0 => add(&mut list, 0),
            1 => add(&mut list, count),
            2 => (0..random.usize(1..30)).for_each(|_| add(&mut list, at(random, count))),
            3 => drop(list.drain(..random.usize(0..=count.min(30)))),
            4 if count > 0 => random.shuffle(&mut list[..count.min(50)]),
            5 if count > 0 => list[random.usize(0..count)].1 += 1,
            // The number stays the same, and a product goes across to where it was read, or not.
            6 if count > 1 => {
                let item = list.remove(at(random, count - 1));
                list.insert(at(random, count - 1), item);
            }
            7 if count > 1 => {
                list.remove(at(random, count - 1));
                add(&mut list, at(random, count - 1));
                let item = list.remove(at(random, count - 1));
                list.insert(at(random, count - 1), item);
            }
            _ => {}
        }
        self.states.push(list);
    }

    /// What happens at the beginning of each call.
    fn change_or_fail(&mut self) -> Result<()> {
        let behaviour = self.behaviour;
        if behaviour.never_rests {
            let count = self.list().len() as u64;
            self.states.push((self.next_id..self.next_id + count).map(|id| (id, 0)).collect());
            self.next_id += count;
        }
        if self.happens(behaviour.changes) {
            self.change();
        }
        if !self.happens(behaviour.failures) {
            return Ok(());
        }
        Err(match self.random.u32(0..5) {
            0 => CatalogueError::Throttled,
            1 => CatalogueError::RateLimited { retry_after: Duration::from_secs(10) },
            2 => CatalogueError::CircuitOpen { retry_after: Duration::ZERO },
            3 => CatalogueError::TimedOut(Phase::Total),
            _ => CatalogueError::Status(503),
        })
    }

    fn answer(&mut self, is_ids: bool, range: Range) -> Result<Vec<u8>> {
        self.calls.push((is_ids, range));
        self.change_or_fail()?;
        let behaviour = self.behaviour;
        if let Some((_, count)) = behaviour.removes.filter(|(call, _)| self.calls.len() == *call) {
            let mut list = self.list().to_vec();
            list.drain(100..100 + count);
            self.states.push(list);
        }
        let mut total = self.list().len();
        if self.happens(behaviour.wrong_totals) {
            total = self.random.usize(0..2 * total + 5);
        }
        let skip = if behaviour.ignores_skip { 0 } else { range.skip as usize };
        let limit = if range.limit == 0 { usize::MAX } else { range.limit as usize };
        let limit = limit.min(behaviour.most.unwrap_or(usize::MAX));
        let mut entries: Vec<Item> = self.list().iter().skip(skip).take(limit).copied().collect();
        if is_ids {
            let answer = body(entries.iter(), |(id, _)| format!(r#"{{"id":{id}}}"#), total);
            return self.fitting(answer);
        }
        entries.retain(|(id, _)| behaviour.hides != Some(*id));
        if self.happens(behaviour.wrong_pages) {
            if self.random.bool() {
                return Ok(self.last_page.clone());
            }
            entries.clear();
        }
        self.last_page = body(entries.iter(), text, total);
        self.fitting(self.last_page.clone())
    }

    fn fitting(&self, body: Vec<u8>) -> Result<Vec<u8>> {
        let limit = self.behaviour.largest.unwrap_or(usize::MAX);
        if body.len() > limit { Err(CatalogueError::TooLarge { limit }) } else { Ok(body) }
    }
}

impl Simulated {
    pub(super) fn new(count: u64, seed: u64, behaviour: Behaviour) -> Self {
        Self::of((1..=count).map(|id| (id, 0)).collect(), seed, behaviour)
    }

    pub(super) fn of(list: Vec<Item>, seed: u64, behaviour: Behaviour) -> Self {
        let next_id = list.iter().map(|(id, _)| id + 1).max().unwrap_or(1);
        let world = World {
            behaviour,
            random: fastrand::Rng::with_seed(seed),
            states: vec![list],
            next_id,
            calls: Vec::new(),
            asked: 0,
            parsed: 0,
            last_page: br#"{"products":[]}"#.to_vec(),
        };
        Self(Arc::new(Mutex::new(world)))
    }

    async fn answer(&self, is_ids: bool, range: Range, since: Option<&Revision>) -> Result<Change<Vec<u8>>> {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let body = self.0.lock().answer(is_ids, range)?;
        let revision = Revision::new(blake3::hash(&body), None);
        if since.is_some_and(|since| since.digest() == revision.digest()) {
            return Ok(Change::Unchanged(revision));
        }
        Ok(Change::New(body, Some(revision)))
    }
}

#[async_trait]
impl PagedList for Simulated {
    fn currency(&self) -> Currency {
        Currency::default()
    }

    async fn products(&self, range: Range, since: Option<&Revision>) -> Result<Change<PageOfProducts>> {
        Ok(match self.answer(false, range, since).await? {
            Change::Unchanged(revision) => Change::Unchanged(revision),
            Change::New(body, revision) => {
                self.0.lock().parsed += 1;
                let page = parse_page(&body, self.currency())?;
                Change::New(PageOfProducts { bytes: body.len() as u64, page }, revision)
            }
        })
    }

    async fn ids(&self, range: Range, since: Option<&Revision>) -> Result<Change<Ids>> {
        Ok(match self.answer(true, range, since).await? {
            Change::Unchanged(revision) => Change::Unchanged(revision),
            Change::New(body, revision) => Change::New(parse_ids(&body)?, revision),
        })
    }

    async fn product(&self, key: &ProductKey) -> Result<Option<Row>> {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let mut world = self.0.lock();
        world.asked += 1;
        world.change_or_fail()?;
        let item = world.list().iter().find(|(id, _)| key.number() == Some(*id)).copied();
        item.map(|item| parse_row(text(item).as_bytes(), self.currency())).transpose()
    }
}
