//! The compressed variants of a body: each is made quickly when a client first asks for it. A smaller one may
//! replace it later, and also the uncompressed body, which has eight times as many bytes.

use std::borrow::Cow;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use headers::ETag;
use parking_lot::RwLock;
use tokio::sync::Mutex;

use super::compression::{Accepted, Effort, Encoding, compress, decompress};
use super::dictionary::{DCZ, Dictionary, DictionaryId};

/// How thoroughly a variant is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grade {
    /// Compressed quickly, while a client waited for it.
    First,
    /// Compressed in idle time or at build time, and not improved afterwards.
    Final,
}

/// Which bytes of a body are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    Identity,
    Coded(Encoding, Grade),
    /// Compressed in idle time with a dictionary that the client has.
    WithDictionary(DictionaryId),
}

impl Variant {
    /// Every variant that a body may have, but for those that need a dictionary.
    const EVERY: [Self; 7] = [
        Self::Identity,
        Self::Coded(Encoding::Zstd, Grade::First),
        Self::Coded(Encoding::Zstd, Grade::Final),
        Self::Coded(Encoding::Brotli, Grade::First),
        Self::Coded(Encoding::Brotli, Grade::Final),
        Self::Coded(Encoding::Gzip, Grade::First),
        Self::Coded(Encoding::Gzip, Grade::Final),
    ];

    /// The variant's content coding, if it has one that needs no dictionary.
    pub(crate) fn coding(self) -> Option<Encoding> {
        match self {
            Self::Identity | Self::WithDictionary(_) => None,
            Self::Coded(coding, _) => Some(coding),
        }
    }

    /// The value of `Content-Encoding`, if the variant has one.
    pub(super) fn content_encoding(self) -> Option<&'static str> {
        match self {
            Self::WithDictionary(_) => Some(DCZ),
            other => other.coding().map(Encoding::name),
        }
    }

    /// The end of its entity tag, which distinguishes it from the tags of the other variants.
    fn suffix(self) -> Cow<'static, str> {
        let suffix = match self {
            Self::WithDictionary(id) => return format!("-dcz-{}", id.name()).into(),
            Self::Identity => "",
            Self::Coded(Encoding::Zstd, Grade::First) => "-zstd0",
            Self::Coded(Encoding::Zstd, Grade::Final) => "-zstd",
            Self::Coded(Encoding::Brotli, Grade::First) => "-br0",
            Self::Coded(Encoding::Brotli, Grade::Final) => "-br",
            Self::Coded(Encoding::Gzip, Grade::First) => "-gzip0",
            Self::Coded(Encoding::Gzip, Grade::Final) => "-gzip",
        };
        suffix.into()
    }

    /// Every variant that may be sent to a client with this dictionary, now or later. `is_compressible` is whether the
    /// body has compressed variants.
    pub(super) fn sendable(
        accepted: Accepted,
        dictionary: Option<DictionaryId>,
        is_compressible: bool,
    ) -> impl Iterator<Item = Self> {
        let is_identity = !is_compressible || accepted == Accepted::default();
        let others = Self::EVERY.into_iter().filter(move |variant| match variant.coding() {
            None => is_identity,
            Some(coding) => is_compressible && accepted.has(coding),
        });
        others.chain(dictionary.map(Self::WithDictionary))
    }
}

/// The tag of a body's variant, if `tag` names the body. Each variant has a strong tag of its own, because a strong tag
/// identifies exact bytes (RFC 9110, section 8.8.3).
pub(super) fn entity_tag(tag: &str, variant: Variant) -> Option<ETag> {
    format!("\"{tag}{}\"", variant.suffix()).parse().ok()
}

/// A body with its compressed variants.
#[derive(Debug)]
pub(crate) struct Variants {
    /// The length of the uncompressed body, in bytes.
    length: usize,
    /// The uncompressed body. It is dropped when the first final variant is made, which can be decompressed. If a
    /// client asks for it after that, it stays, so that it is decompressed at most once for such clients.
    identity: RwLock<Option<Bytes>>,
    /// The compressed variants, by coding. A lock is held only to copy a reference.
    coded: [RwLock<Option<(Grade, Bytes)>>; 3],
    /// The variant for clients with the dictionary of the time when the first final variant was made.
    with_dictionary: RwLock<Option<(DictionaryId, Bytes)>>,
    /// Held while a variant is made, so that it is made once.
    making: Mutex<()>,
    /// By coding: whether the final variant was claimed, to be made once.
    claimed: [AtomicBool; 3],
}

impl Variants {
    pub(super) fn new(identity: Bytes) -> Self {
        Self {
            length: identity.len(),
            identity: RwLock::new(Some(identity)),
            coded: Default::default(),
            with_dictionary: RwLock::default(),
            making: Mutex::default(),
            claimed: Default::default(),
        }
    }

    /// A body embedded in the executable, whose variants were made at build time and are not improved.
    pub(super) fn embedded(identity: Bytes, brotli: Bytes, gzip: Bytes) -> Self {
        let variants = Self::new(identity);
        variants.set(Encoding::Brotli, Grade::Final, brotli);
        variants.set(Encoding::Gzip, Grade::Final, gzip);
        variants
    }

    fn set(&self, coding: Encoding, grade: Grade, bytes: Bytes) {
        *self.coded[coding as usize].write() = Some((grade, bytes));
    }

    /// Keeps a variant that was made while a client waited, unless the final one has been made meanwhile. Returns
    /// the one that is kept.
    fn keep_first(&self, coding: Encoding, bytes: Bytes) -> (Variant, Bytes) {
        let mut slot = self.coded[coding as usize].write();
        let (grade, bytes) = slot.get_or_insert((Grade::First, bytes));
        (Variant::Coded(coding, *grade), bytes.clone())
    }

    /// The number of the body's bytes, uncompressed.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// The bytes of a variant, if there is one of exactly this grade.
    pub(crate) fn get(&self, variant: Variant) -> Option<Bytes> {
        fn exactly<T: PartialEq>(ready: &RwLock<Option<(T, Bytes)>>, wanted: &T) -> Option<Bytes> {
            ready.read().as_ref().filter(|(has, _)| has == wanted).map(|(_, bytes)| bytes.clone())
        }
        match variant {
            Variant::Identity => self.identity.read().clone(),
            Variant::Coded(coding, grade) => exactly(&self.coded[coding as usize], &grade),
            Variant::WithDictionary(id) => exactly(&self.with_dictionary, &id),
        }
    }

    /// A variant to get the body from after it was dropped: the fastest one to decompress.
    fn compressed(&self) -> io::Result<(Encoding, Bytes)> {
        let ready = |coding: Encoding| Some((coding, self.coded[coding as usize].read().as_ref()?.1.clone()));
        let ready = Encoding::BY_TIME.into_iter().find_map(ready);
        ready.ok_or_else(|| io::Error::other("a body was dropped without a variant"))
    }

    /// The uncompressed body.
    async fn body(&self) -> io::Result<Bytes> {
        if let Some(identity) = self.get(Variant::Identity) {
            return Ok(identity);
        }
        let (coding, bytes) = self.compressed()?;
        Ok(decompress(bytes, coding, self.length).await?.into())
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
    ///
    /// # Errors
    /// Fails when the body has to be decompressed and cannot be.
    pub(super) async fn ready_or_made(
        &self,
        accepted: Accepted,
        effort: Effort,
    ) -> io::Result<(Variant, Bytes)> {
        let ready = || match accepted.first(Encoding::BY_TIME) {
            Some(_) => self.ready(accepted),
            None => self.get(Variant::Identity).map(|identity| (Variant::Identity, identity)),
        };
        if let Some(ready) = ready() {
            return Ok(ready);
        }
        let _making = self.making.lock().await;
        if let Some(ready) = ready() {
            return Ok(ready);
        }
        let body = self.body().await?;
        if let Some(coding) = accepted.first(Encoding::BY_TIME)
            && let Ok(compressed) = compress(body.clone(), coding, effort).await
        {
            return Ok(self.keep_first(coding, without_spare_capacity(compressed)));
        }
        *self.identity.write() = Some(body.clone());
        Ok((Variant::Identity, body))
    }

    /// The coding in which a client should get this body in the long run, if that variant is still to be
    /// made and nobody else has claimed it.
    pub(crate) fn claim_missing(&self, accepted: Accepted) -> Option<Encoding> {
        let coding = accepted.first(Encoding::BY_SIZE)?;
        let is_final = self.get(Variant::Coded(coding, Grade::Final)).is_some();
        (!is_final && !self.claimed[coding as usize].swap(true, Ordering::Relaxed)).then_some(coding)
    }

    /// Takes back a claim.
    pub(crate) fn release(&self, coding: Encoding) {
        self.claimed[coding as usize].store(false, Ordering::Relaxed);
    }

    /// Makes the final variant in this coding, on the calling thread. It replaces the first one, and the first final
    /// variant of any coding replaces the uncompressed body. The variant with this dictionary is made too, while the body
    /// is there. After a failure what there was stays, and so does the claim.
    ///
    /// # Errors
    /// Fails when the encoder does, or when the body has to be decompressed and cannot be.
    pub(crate) fn finish(&self, coding: Encoding, dictionary: Option<&Dictionary>) -> io::Result<()> {
        let body = match self.get(Variant::Identity) {
            Some(identity) => identity,
            None => {
                let (from, bytes) = self.compressed()?;
                from.decompress(&bytes, self.length)?.into()
            }
        };
        let bytes = without_spare_capacity(coding.compress(&body, Effort::Idle)?);
        if let Some(dictionary) = dictionary
            && self.get(Variant::WithDictionary(dictionary.id())).is_none()
            && let Some(bytes) = dictionary.compress(&body)?
        {
            *self.with_dictionary.write() = Some((dictionary.id(), bytes));
        }
        let has_final = |coding| self.get(Variant::Coded(coding, Grade::Final)).is_some();
        let is_first = !Encoding::BY_SIZE.into_iter().any(has_final);
        self.set(coding, Grade::Final, bytes);
        if is_first {
            *self.identity.write() = None;
        }
        Ok(())
    }
}

/// Drops a buffer's spare capacity, which may be as large as the body and would stay allocated as long
/// as the body. Copies, because an allocator may shrink a block in place without freeing any memory.
pub(super) fn without_spare_capacity(body: Vec<u8>) -> Bytes {
    if body.capacity() > body.len() / 8 * 9 { Bytes::copy_from_slice(&body) } else { body.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepting(list: &str) -> Accepted {
        let value = axum::http::HeaderValue::from_str(list).unwrap();
        Accepted::by(&axum::http::HeaderMap::from_iter([(axum::http::header::ACCEPT_ENCODING, value)]))
    }

    fn text() -> Bytes {
        "A shelf of mugs. ".repeat(1_000).into()
    }

    /// The variant that a client with these accepted codings gets, and its body, decompressed.
    async fn sent(variants: &Variants, list: &str) -> (Variant, Bytes) {
        let (variant, bytes) = variants.ready_or_made(accepting(list), Effort::Quick).await.unwrap();
        let body = match variant.coding() {
            Some(coding) => coding.decompress(&bytes, variants.length()).unwrap().into(),
            None => bytes,
        };
        (variant, body)
    }

    #[tokio::test]
    async fn a_final_variant_takes_the_place_of_the_body() {
        for first in Encoding::BY_SIZE {
            let variants = Variants::new(text());
            variants.finish(first, None).unwrap();
            assert_eq!(variants.get(Variant::Identity), None);
            for (accepted, expected) in [
                (first.name(), Variant::Coded(first, Grade::Final)),
                ("zstd, br, gzip", Variant::Coded(first, Grade::Final)),
                ("", Variant::Identity),
            ] {
                assert_eq!(sent(&variants, accepted).await, (expected, text()), "{first:?}: {accepted}");
            }
            for coding in Encoding::BY_SIZE {
                variants.finish(coding, None).unwrap();
                assert_eq!(variants.get(Variant::Identity), Some(text()), "it stays once it was asked for");
            }
        }
    }

    #[tokio::test]
    async fn other_variants_are_made_of_a_body_that_was_dropped() {
        for first in Encoding::BY_SIZE {
            let variants = Variants::new(text());
            variants.finish(first, None).unwrap();
            for other in Encoding::BY_SIZE.into_iter().filter(|coding| *coding != first) {
                let made = sent(&variants, other.name()).await;
                assert_eq!(made, (Variant::Coded(other, Grade::First), text()));
                assert_eq!(variants.get(Variant::Identity), None, "nobody asked for it");
                variants.finish(other, None).unwrap();
                assert_eq!(
                    sent(&variants, other.name()).await,
                    (Variant::Coded(other, Grade::Final), text())
                );
            }
        }
    }

    #[test]
    fn a_quick_variant_does_not_take_the_place_of_a_final_one() {
        let variants = Variants::new(text());
        let quick = || Bytes::from_static(b"made quickly");
        assert_eq!(
            variants.keep_first(Encoding::Brotli, quick()),
            (Variant::Coded(Encoding::Brotli, Grade::First), quick())
        );
        let variants = Variants::new(text());
        variants.finish(Encoding::Brotli, None).unwrap();
        let last = Variant::Coded(Encoding::Brotli, Grade::Final);
        let (kept, bytes) = variants.keep_first(Encoding::Brotli, quick());
        assert_eq!((kept, Some(bytes)), (last, variants.get(last)));
    }

    #[tokio::test]
    async fn a_body_that_cannot_be_had_again_is_an_error() {
        let variants = Variants::new(text());
        variants.finish(Encoding::Gzip, None).unwrap();
        variants.set(Encoding::Gzip, Grade::Final, Bytes::from_static(b"no gzip"));
        assert!(variants.ready_or_made(accepting(""), Effort::Quick).await.is_err());
        assert!(variants.finish(Encoding::Brotli, None).is_err());
    }
}
