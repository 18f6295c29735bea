//! The compressed variants of a body: each is made when somebody first asks for it, quickly; a smaller one
//! may take its place later.

use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use parking_lot::RwLock;
use tokio::sync::Mutex;

use super::compression::{Accepted, Effort, Encoding, compress};

/// How thoroughly a variant is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grade {
    /// While somebody waited for it.
    First,
    /// In idle time, or at build time. It is not made better.
    Final,
}

/// Which bytes of a body are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    Identity,
    Coded(Encoding, Grade),
}

impl Variant {
    /// Every variant that a body may have.
    const EVERY: [Self; 7] = [
        Self::Identity,
        Self::Coded(Encoding::Zstd, Grade::First),
        Self::Coded(Encoding::Zstd, Grade::Final),
        Self::Coded(Encoding::Brotli, Grade::First),
        Self::Coded(Encoding::Brotli, Grade::Final),
        Self::Coded(Encoding::Gzip, Grade::First),
        Self::Coded(Encoding::Gzip, Grade::Final),
    ];

    /// Its content coding, if it has one.
    pub(crate) fn coding(self) -> Option<Encoding> {
        match self {
            Self::Identity => None,
            Self::Coded(coding, _) => Some(coding),
        }
    }

    /// What distinguishes its entity tag from those of the other variants.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::Identity => "",
            Self::Coded(Encoding::Zstd, Grade::First) => "-zstd0",
            Self::Coded(Encoding::Zstd, Grade::Final) => "-zstd",
            Self::Coded(Encoding::Brotli, Grade::First) => "-br0",
            Self::Coded(Encoding::Brotli, Grade::Final) => "-br",
            Self::Coded(Encoding::Gzip, Grade::First) => "-gzip0",
            Self::Coded(Encoding::Gzip, Grade::Final) => "-gzip",
        }
    }

    /// Every variant that may be sent to a client, now or later. `is_compressible` is whether the body
    /// has compressed variants.
    pub(super) fn sendable(accepted: Accepted, is_compressible: bool) -> impl Iterator<Item = Self> {
        let is_identity = !is_compressible || accepted == Accepted::default();
        Self::EVERY.into_iter().filter(move |variant| match variant.coding() {
            None => is_identity,
            Some(coding) => is_compressible && accepted.has(coding),
        })
    }
}

/// A body with its compressed variants.
#[derive(Debug)]
pub(crate) struct Variants {
    identity: Bytes,
    /// By coding. The lock is held only to copy a reference.
    coded: [RwLock<Option<(Grade, Bytes)>>; 3],
    /// Held while a variant is made, so that it is made once.
    making: Mutex<()>,
    /// By coding: whether the final variant is being made, or waits for that.
    claimed: [AtomicBool; 3],
}

impl Variants {
    pub(super) fn new(identity: Bytes) -> Self {
        Self { identity, coded: Default::default(), making: Mutex::default(), claimed: Default::default() }
    }

    /// Adds a variant that was made elsewhere, and will not be made better.
    pub(super) fn with(self, coding: Encoding, bytes: Bytes) -> Self {
        *self.coded[coding as usize].write() = Some((Grade::Final, bytes));
        self
    }

    pub(super) fn identity(&self) -> &Bytes {
        &self.identity
    }

    /// The bytes of a variant, if there is one of exactly this grade.
    pub(crate) fn get(&self, variant: Variant) -> Option<Bytes> {
        let Variant::Coded(coding, wanted) = variant else { return Some(self.identity.clone()) };
        let ready = self.coded[coding as usize].read();
        ready.as_ref().filter(|(grade, _)| *grade == wanted).map(|(_, bytes)| bytes.clone())
    }

    /// The best variant that is ready for a client: the final one with the fewest bytes, or else one that
    /// was made quickly.
    fn ready(&self, accepted: Accepted) -> Option<(Variant, Bytes)> {
        let graded = |wanted| {
            Encoding::BY_SIZE.into_iter().filter(|coding| accepted.has(*coding)).find_map(move |coding| {
                let variant = Variant::Coded(coding, wanted);
                Some((variant, self.get(variant)?))
            })
        };
        graded(Grade::Final).or_else(|| graded(Grade::First))
    }

    /// The variant for a client, made now if none is ready; the uncompressed body when compression fails or
    /// the client accepts no coding.
    pub(super) async fn ready_or_made(&self, accepted: Accepted, effort: Effort) -> (Variant, Bytes) {
        let identity = || (Variant::Identity, self.identity.clone());
        let Some(coding) = accepted.first(Encoding::BY_TIME) else { return identity() };
        if let Some(ready) = self.ready(accepted) {
            return ready;
        }
        let _making = self.making.lock().await;
        if let Some(ready) = self.ready(accepted) {
            return ready;
        }
        match compress(self.identity.clone(), coding, effort).await {
            Ok(compressed) => {
                let bytes = without_spare_capacity(compressed);
                *self.coded[coding as usize].write() = Some((Grade::First, bytes.clone()));
                (Variant::Coded(coding, Grade::First), bytes)
            }
            Err(_) => identity(),
        }
    }

    /// The coding in which a client should get this body in the long run, if that variant is still to be
    /// made and nobody else has claimed to do so.
    pub(crate) fn claim_missing(&self, accepted: Accepted) -> Option<Encoding> {
        let coding = accepted.first(Encoding::BY_SIZE)?;
        let is_final = self.get(Variant::Coded(coding, Grade::Final)).is_some();
        (!is_final && !self.claimed[coding as usize].swap(true, Ordering::Relaxed)).then_some(coding)
    }

    /// Takes back a claim.
    pub(crate) fn release(&self, coding: Encoding) {
        self.claimed[coding as usize].store(false, Ordering::Relaxed);
    }

    /// Makes the final variant in this coding, on the calling thread. It takes the place of the first one.
    /// After a failure the first one stays, and there is no other try.
    pub(crate) fn finish(&self, coding: Encoding) {
        if let Ok(compressed) = coding.compress(&self.identity, Effort::Idle) {
            let bytes = without_spare_capacity(compressed);
            *self.coded[coding as usize].write() = Some((Grade::Final, bytes));
        }
    }
}

/// Drops a buffer's spare capacity, which may be as large as the body and would stay allocated as long
/// as the body. Copies, because an allocator may shrink a block in place without freeing any memory.
pub(super) fn without_spare_capacity(body: Vec<u8>) -> Bytes {
    if body.capacity() > body.len() / 8 * 9 { Bytes::copy_from_slice(&body) } else { body.into() }
}
