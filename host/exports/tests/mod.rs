//! Exports are read again as catalogues, and say what their form can say.

mod generated;
mod google;

use std::collections::HashSet;
use std::sync::Arc;

use bytes::Bytes;
use proptest::prelude::*;

use self::generated::products;
use super::*;
use crate::catalogue::file::{decoded, has_markup, is_nothing, is_of_a_program};
use crate::catalogue::{
    Availability, OfferId, Product, ProductSet, Sample, Slug, Spelling, Terms, Variant, VariantOption,
    products_of,
};
use crate::document::Site;
use crate::process::compute::OffRuntime;
use crate::profile::{Currency, Money, Profile};

const ORIGIN: &str = "https://shop.example";

fn site() -> Site {
    Site::new(&ORIGIN.parse().unwrap(), Vec::new())
}

/// All parts of the products in a form.
fn parts(format: Format, products: &[Product], currency: Currency) -> Vec<Vec<u8>> {
    let products = Arc::new(ProductSet::of(products.iter(), currency));
    let about = About { profile: Arc::new(Profile::neutral(currency)), site: site() };
    let (mut writing, off) = (Writing::new(format, about, products), OffRuntime::of_own_thread());
    std::iter::from_fn(|| writing.next_part(&off).unwrap()).collect()
}

fn written(format: Format, products: &[Product], currency: Currency) -> String {
    String::from_utf8(parts(format, products, currency).concat()).unwrap()
}

fn read(text: String) -> Vec<Product> {
    products_of(Bytes::from(text), 0).unwrap().into_iter().map(|product| *product).collect()
}

/// What a reader makes of the products in a form.
fn read_again(format: Format, products: &[Product], currency: Currency) -> Vec<Product> {
    read(written(format, products, currency))
}

/// The product with absolute addresses of pictures.
fn absolute(product: &Product) -> Product {
    let mut product = product.clone();
    let site = site();
    let variants = product.variants.iter_mut().filter_map(|variant| variant.picture.as_mut());
    for picture in product.images.iter_mut().chain(&mut product.summary.thumbnail).chain(variants) {
        *picture = site.absolute(picture);
    }
    product
}

/// The categories with their names, which may differ although the slugs are equal.
fn categories(products: &[Product]) -> Vec<Option<(String, String)>> {
    let name = |slug: &Slug| (slug.as_str().to_owned(), slug.title());
    products.iter().map(|product| product.summary.category.as_ref().map(name)).collect()
}

/// A text as the reader of a table has it: runs of spaces are one where there is mark-up.
fn as_text(text: &str) -> String {
    let is_marked = has_markup(text) || text.contains("\\n");
    if is_marked { text.split_whitespace().collect::<Vec<_>>().join(" ") } else { text.to_owned() }
}

/// The product whose variants say what the product says of all, and what is left to say of the whole.
fn with_own_terms(mut product: Product) -> (Product, Terms) {
    let own = |variant: &Variant| product.terms_of(Some(variant));
    let terms: Vec<Terms> = product.variants.iter().map(own).collect();
    for (variant, terms) in product.variants.iter_mut().zip(&terms) {
        variant.terms = *terms;
    }
    let terms = match *terms {
        [] => product.terms,
        [only] => only,
        _ => Terms::default(),
    };
    (product, terms)
}

/// What a table can say of a product.
fn in_table(product: &Product) -> Product {
    let (product, terms) = with_own_terms(absolute(product));
    let Product { mut summary, mut variants, mut images, tags, .. } = product.clone();
    let name = |category: &Slug| {
        let path = Some(lines::name(category)).filter(|path| !is_nothing(path))?;
        Slug::of(path.rsplit('>').map(str::trim).find(|name| !name.is_empty())?)
    };
    summary.category = summary.category.as_ref().and_then(name);
    summary.title = as_text(&summary.title);
    summary.description = as_text(&summary.description);
    summary.brand = summary.brand.filter(|brand| !is_nothing(brand));
    // A group of one is a product without variants.
    let single = if variants.len() == 1 { variants.pop() } else { None };
    if let Some(Variant { price, list_price, availability, .. }) = &single {
        (summary.price, summary.availability) = (*price, *availability);
        // What is free has no other price.
        summary.list_price = list_price.filter(|_| *price > Money::default());
    }
    for VariantOption { name, value } in variants.iter_mut().flat_map(|variant| &mut variant.options) {
        *name = name.replace([';', ':'], ",");
        *value = value.replace(';', ",");
    }
    let is_plain = variants.is_empty();
    if !is_plain {
        // The rows say nothing of it.
        (summary.list_price, summary.availability) = (None, Availability::Unknown);
    }
    let is_reduced = summary.list_price.is_some() && single.is_none();
    summary.discount_percentage = if is_reduced { summary.discount_percentage } else { 0.0 };
    // The pictures of variants are among those of the product, and each is kept once.
    let mut seen = HashSet::new();
    images.retain(|image| seen.insert(image.clone()));
    for picture in variants.iter().chain(&single).filter_map(|variant| variant.picture.as_ref()) {
        if images.len() < 24 && seen.insert(picture.clone()) {
            images.push(picture.clone());
        }
    }
    (summary.rating, summary.thumbnail) = (None, images.first().cloned());
    let (sku, gtin) = match single {
        Some(variant) => (variant.sku, variant.gtin),
        None if is_plain => (product.sku, product.gtin),
        None => Default::default(),
    };
    let tag = |tag: &String| {
        let tag = tag.replace(',', " ").trim_end_matches('\\').trim().to_owned();
        Some(tag).filter(|tag| !is_nothing(tag) && !is_of_a_program(tag))
    };
    Product {
        summary,
        tags: tags.iter().filter_map(tag).collect(),
        sku,
        gtin,
        mpn: product.mpn,
        link: product.link,
        weight: product.weight,
        shipping: if is_nothing(&product.shipping) { String::new() } else { product.shipping },
        terms,
        energy: product.energy,
        minimum_age: product.minimum_age,
        images,
        minimum_order_quantity: 1,
        variants,
        ..Product::default()
    }
}

/// A product that was read from a table, without what [`in_table`] does not predict.
fn comparable(product: &Product, original: &Product) -> Product {
    let mut product = product.clone();
    if !product.variants.is_empty() {
        (product.summary.list_price, product.summary.availability) = (None, Availability::Unknown);
        product.summary.discount_percentage = 0.0;
    }
    if original.variants.len() == 1 {
        product.summary.discount_percentage = 0.0;
    }
    product
}

/// Takes the categories away. Returns whether they have the same name, and the first an address that this name may have: the
/// other categories decide whether it has a code.
fn take_category(read: &mut Product, expected: &mut Product) -> bool {
    match (read.summary.category.take(), expected.summary.category.take()) {
        (Some(read), Some(expected)) => {
            let without_code = Slug::without_code(lines::name(&expected), &expected.title(), Spelling::Usual);
            let may_have = read == expected || Some(&read) == without_code.as_ref();
            may_have && read.title() == expected.title()
        }
        (None, None) => true,
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn json_lines_carry_everything((products, currency) in products()) {
        let read = read_again(Format::Lines, &products, currency);
        let expected: Vec<Product> = products.iter().map(absolute).collect();
        prop_assert_eq!(&read, &expected);
        prop_assert_eq!(categories(&read), categories(&expected));
        // What was read writes the same file.
        prop_assert_eq!(written(Format::Lines, &read, currency), written(Format::Lines, &products, currency));
    }

    #[test]
    fn a_table_carries_what_its_columns_say((products, currency) in products()) {
        let read = read_again(Format::Table, &products, currency);
        prop_assert_eq!(read.len(), products.len());
        let named: Vec<Product> = products.iter().map(in_table).collect();
        // Paths that end with one name are named after what is above it.
        let has_namesakes = |category: &Option<Slug>| {
            let same = named.iter().zip(&products).filter(|(other, _)| other.summary.category == *category);
            let paths: HashSet<Option<&str>> =
                same.map(|(_, product)| product.summary.category.as_ref().map(lines::name)).collect();
            paths.len() > 1 && paths.iter().flatten().any(|path| path.contains('>'))
        };
        let unnamed: Vec<bool> = named.iter().map(|product| has_namesakes(&product.summary.category)).collect();
        for (((mut read, product), mut expected), is_unnamed) in read.into_iter().zip(&products).zip(named).zip(unnamed) {
            if is_unnamed {
                (read.summary.category, expected.summary.category) = (None, None);
            }
            let mut read = comparable(&read, product);
            prop_assert!(take_category(&mut read, &mut expected), "{:?}", product.summary.category);
            prop_assert_eq!(read, expected);
        }
    }

    #[test]
    fn no_cell_of_a_table_is_a_formula((products, currency) in products()) {
        let table = written(Format::Table, &products, currency);
        let mut rows = csv::ReaderBuilder::new().has_headers(false).from_reader(table.as_bytes());
        for row in rows.records() {
            for cell in &row.unwrap() {
                prop_assert!(!cell.trim_start().starts_with(['=', '+', '-', '@']) && !cell.starts_with(['\t', '\r']), "{cell:?}");
            }
        }
    }

    #[test]
    fn merchant_data_carry_what_google_asks_for((products, currency) in products()) {
        let is_carried = |product: &&Product| {
            let summary = &product.summary;
            let is_text = |text: &String| !has_markup(text) && !text.contains("\\n") && text.chars().count() <= 150;
            let has_place = summary.category.as_ref().is_none_or(|category| !category.title().contains('>'));
            product.variants.is_empty()
                && summary.id.to_string().len() <= 50
                && [&summary.title, &summary.description].into_iter().all(is_text)
                && has_place
                && is_in(product).is_ok()
        };
        let carried: Vec<Product> = products.iter().filter(is_carried).cloned().collect();
        if carried.is_empty() {
            return Ok(());
        }
        for (read, product) in read_again(Format::Merchant, &carried, currency).iter().zip(&carried) {
            let mut expected = in_table(product);
            let summary = &mut expected.summary;
            if summary.description.is_empty() {
                summary.description.clone_from(&summary.title);
            }
            if let Availability::InStock(_) = summary.availability {
                summary.availability = Availability::InStock(None);
            }
            summary.category = summary.category.as_ref().and_then(|category| Slug::of(&decoded(&category.title())));
            expected.link = Some(format!("{ORIGIN}/product/{}", summary.id));
            (expected.sku, expected.tags, expected.shipping) = Default::default();
            (expected.terms.lowest, expected.minimum_age) = (None, None);
            // Feeds of other shops have entities in names, so that they are decoded.
            summary.brand = summary.brand.as_deref().map(|brand| decoded(brand).into_owned());
            expected.weight = expected.weight.filter(|weight| *weight <= 2_000.0);
            let mut read = read.clone();
            prop_assert!(take_category(&mut read, &mut expected), "{:?}", product.summary.category);
            prop_assert_eq!(read, expected);
        }
    }
}

#[test]
fn categories_with_one_name_come_back_with_their_addresses() {
    let table = "id,title,price,category\n1,A,5,Men > Shoes\n2,B,5,Women > Shoes\n3,C,5,Männer > Schuhe\n4,D,5,Frau > Schuhe\n";
    let products: Vec<Product> =
        products_of(Bytes::from(table), 0).unwrap().into_iter().map(|product| *product).collect();
    let expected = categories(&products);
    assert_eq!(expected[0], Some(("men-shoes".into(), "Shoes (Men)".into())));
    assert_eq!(categories(&read_again(Format::Table, &products, Currency::default())), expected);
}

#[test]
fn the_sample_comes_back_from_json_lines() {
    let products = Sample::load().unwrap().products();
    let expected: Vec<Product> = products.iter().map(absolute).collect();
    let read = read_again(Format::Lines, &products, Currency::default());
    assert!(read.len() > 150);
    assert_eq!(read, expected);
    assert_eq!(categories(&read), categories(&expected));
    for (read, product) in read_again(Format::Table, &products, Currency::default()).iter().zip(&products) {
        assert_eq!(comparable(read, product), in_table(product));
    }
    assert_eq!(read_again(Format::Merchant, &products, Currency::default()).len(), products.len());
}

const LAMP: &str = r#"{ "id": "lamp", "title": "Oak Lamp", "description": "Warm light.", "category": "Living", "brand": "Hall",
    "price": 50, "currency": "EUR", "mpn": "M-1", "tags": ["oak"], "weight": 1.5, "link": "https://market.example/lamp",
    "images": ["/images/lamp.webp"], "variants": [
        { "options": [{ "name": "Size", "value": "S" }], "price": 39.9, "listPrice": 49.9, "stock": 3, "sku": "L-S" },
        { "options": [{ "name": "Size", "value": "M" }], "price": 59.9, "stock": 0, "gtin": "96385074" },
        { "options": [{ "name": "Size", "value": "L" }], "price": 69.9 } ] }"#;

fn lamp() -> (Vec<Product>, Currency) {
    (read(LAMP.replace('\n', " ")), Currency::parse("EUR").unwrap())
}

#[test]
fn a_table_has_a_row_for_each_variant_and_says_what_they_share_once() {
    let (lamp, euro) = lamp();
    let table = written(Format::Table, &lamp, euro);
    let ids: Vec<String> =
        lamp[0].variants.iter().map(|own| OfferId::of(&lamp[0].summary.id, &own.options).into()).collect();
    let expected = format!(
        "\u{feff}id,group,title,description,category,brand,price,list_price,stock,availability,images,image,tags,sku,gtin,mpn,link,weight,condition,unit_pricing_measure,unit_pricing_base_measure,lowest_price,energy_efficiency_class,min_energy_efficiency_class,max_energy_efficiency_class,minimum_age,delivery_time,options\n\
         {},lamp,Oak Lamp,Warm light.,Living,Hall,39.90 EUR,49.90 EUR,3,in stock,https://shop.example/images/lamp.webp,,oak,L-S,,M-1,https://market.example/lamp,1.5,,,,,,,,,,Size: S\n\
         {},lamp,Oak Lamp,,,,59.90 EUR,,0,out of stock,,,,,96385074,,,,,,,,,,,,,Size: M\n\
         {},lamp,Oak Lamp,,,,69.90 EUR,,,,,,,,,,,,,,,,,,,,,Size: L\n",
        ids[0], ids[1], ids[2]
    );
    assert_eq!(table, expected);
}

#[test]
fn an_export_is_written_in_short_parts_that_are_the_same_each_time() {
    let description = "d".repeat(900);
    let line = |id: u32| {
        format!(
            r#"{{"id":{id},"title":"Cup {id}","price":5,"stock":1,"images":["/a.webp"],"description":"{description}"}}"#
        )
    };
    let products = read((1..=2_000).map(line).collect::<Vec<_>>().join("\n"));
    for format in Format::EVERY {
        let first = parts(format, &products, Currency::default());
        assert!(first.len() > 4, "{format:?} has {} parts", first.len());
        assert!(first.iter().all(|part| part.len() < 300 << 10), "{format:?}");
        assert_eq!(first, parts(format, &products, Currency::default()));
        let text = String::from_utf8(first.concat()).unwrap();
        assert_eq!(text, text.replace('\0', ""), "a text");
        assert_eq!(read(text).len(), products.len(), "{format:?}");
    }
}

#[test]
fn a_tag_names_everything_that_decides_the_bytes() {
    let (products, euro) = lamp();
    let tag = |format, products: &[Product], currency, origin: &str| {
        let profile = Arc::new(Profile::neutral(euro));
        let about = About { profile, site: Site::new(&origin.parse().unwrap(), Vec::new()) };
        let products = Arc::new(ProductSet::of(products.iter(), currency));
        Writing::new(format, about, products).tag(&OffRuntime::of_own_thread()).unwrap()
    };
    let own = tag(Format::Lines, &products, euro, ORIGIN);
    assert_eq!(own, tag(Format::Lines, &products, euro, ORIGIN), "as in another replica");
    let mut other = products.clone();
    other[0].warranty = "2 years".into();
    for different in [
        tag(Format::Table, &products, euro, ORIGIN),
        tag(Format::Lines, &other, euro, ORIGIN),
        tag(Format::Lines, &products, Currency::default(), ORIGIN),
        tag(Format::Lines, &products, euro, "https://other.example"),
    ] {
        assert_ne!(different, own);
    }
}
