//! Tests that a saved store equals the original store, and that other bytes are refused.

use proptest::prelude::*;

use super::super::tests::{products, sold_as, store};
use super::index::{FORMER, HEAD};
use super::*;
use crate::catalogue::columns::{Column, Flag};
use crate::catalogue::model::Summary;

/// Rules that every product passes.
const ANY: Cleaning = Cleaning { card: Some, product: Some, label: |label| Some(label.to_owned()) };

/// More products than any store here has.
const MOST: u64 = 1_000;

fn saved(store: &Store) -> Vec<u8> {
    let mut bytes = Vec::new();
    store.write(&mut bytes).unwrap();
    assert_eq!(bytes.len() as u64, store.saved_length().unwrap());
    bytes
}

fn open(bytes: Vec<u8>, digest: Hash) -> Result<Store, SavedError> {
    Store::open(&Bytes::in_memory(bytes), digest, Currency::default(), MOST, ANY)
}

fn open_file(bytes: &[u8], digest: Hash) -> Store {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    Store::open(&Bytes::of_file(file).unwrap(), digest, Currency::default(), MOST, ANY).unwrap()
}

/// Everything that a store says.
fn said(store: &Store) -> impl PartialEq + std::fmt::Debug {
    let products: Vec<Option<Product>> = store.products().map(Result::ok).collect();
    let positions = || (0..).take(store.len());
    let cards: Vec<Summary> = positions().map(|at| store.summary(at)).collect();
    let columns: Vec<_> = positions()
        .map(|at| {
            (
                store.discount(at),
                store.has(Flag::InStock, at),
                store.text(at).to_vec(),
                [store.numbers(at).collect::<Vec<_>>(), store.options(at).collect()].concat(),
            )
        })
        .collect();
    let names = Column::EVERY.map(|column| {
        let titles: Vec<String> =
            (0..).take(store.names(column).len()).map(|number| store.title(column, number)).collect();
        (store.names(column).to_vec(), titles)
    });
    let found: Vec<_> = cards
        .iter()
        .map(|card| (store.position(&card.id), store.has_earlier_namesake(&card.title, &card.id)))
        .collect();
    let tags: Vec<_> = store.tags().spellings().iter().map(|tag| store.tags().number(tag)).collect();
    let for_sale: Vec<Vec<_>> = positions().map(|at| sold_as(store, at)).collect();
    (products, cards, columns, names, found, tags, for_sale, (store.has_ratings(), store.is_numbered()))
}

/// The bytes of a store with these contents and pieces, with the right hashes.
fn signed(mut contents: Contents, pieces: &[Vec<u8>]) -> (Vec<u8>, Hash) {
    let all = contents.parts.iter_mut().chain(contents.blocks.iter_mut().map(|block| &mut block.piece));
    for (piece, bytes) in all.zip(pieces) {
        *piece = Piece { length: bytes.len() as u64, hash: blake3::hash(bytes) };
    }
    let index = Index::of(&contents);
    let length = (index.bytes.len() as u32).to_le_bytes();
    ([&MAGIC[..], &length, &index.bytes, &pieces.concat()].concat(), index.digest)
}

/// The contents of a store's index, and the bytes of each piece.
fn taken_apart(store: &Store) -> (Contents, Vec<Vec<u8>>) {
    let index = store.index().unwrap();
    let contents = Contents::read(&mut &*index.bytes).unwrap();
    let bytes = saved(store);
    let mut rest = &bytes[HEAD as usize + index.bytes.len()..];
    let mut pieces = Vec::new();
    for piece in contents.parts.iter().chain(contents.blocks.iter().map(|block| &block.piece)) {
        let (bytes, after) = rest.split_at(piece.length as usize);
        pieces.push(bytes.to_vec());
        rest = after;
    }
    assert!(rest.is_empty());
    (contents, pieces)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_saved_store_says_the_same_and_has_the_same_bytes(all in products()) {
        let store = store(&all);
        let (bytes, digest) = (saved(&store), store.digest().unwrap());
        // Another store of the same products has other hashes in its lookups.
        prop_assert_eq!(super::super::tests::store(&all).digest().unwrap(), digest);
        for again in [open(bytes.clone(), digest).unwrap(), open_file(&bytes, digest)] {
            prop_assert_eq!(said(&again), said(&store));
            prop_assert_eq!(again.digest().unwrap(), digest);
            prop_assert!(saved(&again) == bytes);
        }
    }

    #[test]
    fn whatever_the_bytes_are_a_store_that_opens_can_be_used(
        all in products(),
        piece: prop::sample::Index,
        at: prop::sample::Index,
        change in prop::collection::vec(any::<u8>(), 0..9),
        cut in 0..9_usize,
        is_cut: bool,
        products in prop::option::weighted(0.1, any::<u64>()),
    ) {
        let (mut contents, mut pieces) = taken_apart(&store(&all));
        contents.products = products.unwrap_or(contents.products);
        let piece = piece.index(pieces.len());
        let changed = &mut pieces[piece];
        let at = at.index(changed.len() + 1);
        let end = (at + if is_cut { cut } else { change.len() }).min(changed.len());
        changed.splice(at..end, change);
        let (bytes, digest) = signed(contents, &pieces);
        if let Ok(store) = open(bytes, digest) {
            said(&store);
            let _ = store.word_index();
        }
    }
}

#[test]
fn every_changed_byte_is_noticed() {
    let all: Vec<Product> = (1_u64..80)
        .map(|number| Product {
            summary: Summary { id: number.into(), title: format!("Lamp {number}"), ..Summary::default() },
            sku: format!("lamp-{number}"),
            ..Product::default()
        })
        .collect();
    let store = store(&all);
    let (bytes, digest) = (saved(&store), store.digest().unwrap());
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        assert!(open(changed, digest).is_err(), "byte {at}");
        if at % 97 == 0 {
            assert!(open(bytes[..at].to_vec(), digest).is_err(), "{at} bytes");
        }
    }
    assert!(open([&bytes[..], b" "].concat(), digest).is_err());
    assert!(open(bytes.clone(), blake3::hash(b"")).is_err());
    let few = Store::open(&Bytes::in_memory(bytes), digest, Currency::default(), 78, ANY);
    assert!(matches!(few, Err(SavedError::TooMany(79))));
}

#[test]
fn details_that_change_in_the_file_are_an_error_of_their_products_alone() {
    let all: Vec<Product> = (1_u64..80)
        .map(|number| Product {
            summary: Summary { id: number.into(), title: format!("Lamp {number}"), ..Summary::default() },
            ..Product::default()
        })
        .collect();
    let store = store(&all);
    let (bytes, digest) = (saved(&store), store.digest().unwrap());
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&bytes).unwrap();
    let from_file = Store::open(
        &Bytes::of_file(file.try_clone().unwrap()).unwrap(),
        digest,
        Currency::default(),
        MOST,
        ANY,
    );
    let from_file = from_file.unwrap();
    assert!(from_file.reads_file() && !store.reads_file());
    let last = *bytes.last().unwrap();
    std::os::unix::fs::FileExt::write_all_at(&file, &[!last], bytes.len() as u64 - 1).unwrap();
    let readable: Vec<bool> = from_file.products().map(|product| product.is_ok()).collect();
    assert_eq!(readable.iter().position(|is_readable| !is_readable), Some(64));
    assert!(readable[64..].iter().all(|is_readable| !is_readable));
    assert!(from_file.write(&mut Vec::new()).is_err(), "it cannot be saved again");
}

#[test]
fn what_the_rules_do_not_allow_is_not_shown() {
    let product = |number: u64, sku: &str| Product {
        summary: Summary {
            id: number.into(),
            title: format!("Lamp {number}"),
            thumbnail: Some("javascript:alert(1)".into()),
            ..Summary::default()
        },
        tags: vec!["tall".into()],
        sku: sku.into(),
        ..Product::default()
    };
    let store = store(&[product(1, "a"), product(2, "b")]);
    let (bytes, digest) = (Bytes::in_memory(saved(&store)), store.digest().unwrap());
    let open = |rules| Store::open(&bytes, digest, Currency::default(), MOST, rules);
    let without_picture =
        open(Cleaning { card: |card| Some(Summary { thumbnail: None, ..card }), ..ANY }).unwrap();
    assert!((0..2).all(|at| without_picture.summary(at).thumbnail.is_none()));
    let digest_then = without_picture.digest().unwrap();
    assert_ne!(digest_then, digest, "it has other bytes");
    assert!(super::tests::open(saved(&without_picture), digest_then).is_ok());
    assert!(open(Cleaning { card: |card| Some(card).filter(|card| card.id != 2.into()), ..ANY }).is_err());
    assert!(open(Cleaning { label: |_| None, ..ANY }).is_err());
    let only_a =
        open(Cleaning { product: |product| Some(product).filter(|product| product.sku == "a"), ..ANY });
    let are_shown: Vec<bool> = only_a.unwrap().products().map(|product| product.is_ok()).collect();
    assert_eq!(are_shown, [true, false]);
    let (contents, mut pieces) =
        taken_apart(&super::super::tests::store(&[product(1, "a"), product(2, "b")]));
    // The key of the second product becomes that of the first.
    let cards = &mut pieces[4];
    let at = cards.windows(8).rposition(|bytes| bytes.starts_with(b"Lamp 2\x01\x02")).unwrap();
    cards[at + 7] = 1;
    let (bytes, digest) = signed(contents, &pieces);
    assert!(matches!(
        super::tests::open(bytes, digest),
        Err(SavedError::Record(RecordError::Invalid("key")))
    ));
}

#[test]
fn a_store_that_an_earlier_program_saved_is_folded_again() {
    let summary = Summary { title: "\u{30ab}\u{30e9}\u{30b9}".into(), ..Summary::default() };
    let store = store(&[Product { summary, ..Product::default() }]);
    let (contents, mut pieces) = taken_apart(&store);
    // The last part has the texts. Katakana takes as many bytes as the hiragana to which it is folded now.
    let texts = &mut pieces[PARTS.len() - 1];
    let at = memchr::memmem::find(texts, "\u{304b}\u{3089}\u{3059}".as_bytes()).unwrap();
    texts[at..at + 9].copy_from_slice("\u{30ab}\u{30e9}\u{30b9}".as_bytes());
    let (mut bytes, digest) = signed(contents, &pieces);
    bytes[..FORMER.len()].copy_from_slice(&FORMER);
    let again = open(bytes, digest).unwrap();
    assert_eq!(said(&again), said(&store));
    assert_eq!(again.digest().unwrap(), store.digest().unwrap());
}
