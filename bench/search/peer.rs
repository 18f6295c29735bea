//! The same search with tantivy, in memory.

use anyhow::{Context as _, Result};
use tantivy::aggregation::AggregationCollector;
use tantivy::aggregation::agg_req::Aggregations;
use tantivy::collector::{Count, TopDocs};
use tantivy::directory::RamDirectory;
use tantivy::query::{BooleanQuery, BoostQuery, Occur, Query, TermQuery};
use tantivy::schema::{FAST, Field, IndexRecordOption, STRING, Schema, TEXT};
use tantivy::{Index, IndexReader, Order, TantivyDocument, Term};
use vitrine::catalogue::Product;

use crate::PAGE;

/// Memory for building, in bytes.
const BUILDING: usize = 1 << 29;

pub(crate) struct Peer {
    reader: IndexReader,
    directory: RamDirectory,
    /// The searched fields, each with the weight of a word in it.
    searched: [(Field, f32); 4],
    sku: Field,
}

impl Peer {
    pub(crate) fn new(products: impl Iterator<Item = Product>) -> Result<Self> {
        let mut schema = Schema::builder();
        let [title, brand, category, description] =
            ["title", "brand", "category", "description"].map(|name| schema.add_text_field(name, TEXT));
        let (brand_name, category_name) = (
            schema.add_text_field("brand_name", STRING | FAST),
            schema.add_text_field("category_name", STRING | FAST),
        );
        let sku = schema.add_text_field("sku", STRING);
        let price = schema.add_u64_field("price", FAST);
        let rating = schema.add_f64_field("rating", FAST);
        let directory = RamDirectory::create();
        let index = Index::create(directory.clone(), schema.build(), tantivy::IndexSettings::default())?;
        let mut writer = index.writer::<TantivyDocument>(BUILDING)?;
        for product in products {
            let summary = product.summary;
            let mut document = TantivyDocument::new();
            let (own_brand, own_category) = (
                summary.brand.unwrap_or_default(),
                summary.category.map(|slug| slug.to_string()).unwrap_or_default(),
            );
            document.add_text(title, &summary.title);
            document.add_text(description, &summary.description);
            document.add_text(brand, &own_brand);
            document.add_text(brand_name, &own_brand);
            document.add_text(category, &own_category);
            document.add_text(category_name, &own_category);
            document.add_text(sku, product.sku.to_lowercase().replace('-', " "));
            document.add_u64(price, summary.price.minor());
            document.add_f64(rating, summary.rating.unwrap_or_default());
            writer.add_document(document)?;
        }
        writer.commit()?;
        writer.wait_merging_threads()?;
        let searched = [(title, 8.0), (brand, 4.0), (category, 2.0), (description, 1.0)];
        Ok(Self { reader: index.reader()?, directory, searched, sku })
    }

    /// The size of the index, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.directory.total_mem_usage()
    }

    /// How many products have every word somewhere, or this article number.
    pub(crate) fn search(&self, text: &str, is_sorted: bool) -> Result<usize> {
        let term = |field, word: &str| -> Box<dyn Query> {
            Box::new(TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::WithFreqs))
        };
        let word = |word: &str| -> (Occur, Box<dyn Query>) {
            let fields = self.searched.map(|(field, boost)| -> (Occur, Box<dyn Query>) {
                (Occur::Should, Box::new(BoostQuery::new(term(field, word), boost)))
            });
            (Occur::Must, Box::new(BooleanQuery::new(fields.into())))
        };
        let every: Vec<_> = text
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|part| !part.is_empty())
            .map(word)
            .collect();
        let either: Vec<(Occur, Box<dyn Query>)> =
            vec![(Occur::Should, Box::new(BooleanQuery::new(every))), (Occur::Should, term(self.sku, text))];
        let query = BooleanQuery::new(either);
        let names: Aggregations = serde_json::from_str(
            r#"{"brands":{"terms":{"field":"brand_name","size":500}},"categories":{"terms":{"field":"category_name","size":50}}}"#,
        )?;
        let facets = AggregationCollector::from_aggs(names, Default::default());
        let searcher = self.reader.searcher();
        let best = TopDocs::with_limit(PAGE);
        let found = if is_sorted {
            let by_price = best.order_by_fast_field::<u64>("price", Order::Asc);
            searcher.search(&query, &(Count, by_price, facets)).map(|(found, page, _)| (found, page.len()))
        } else {
            searcher
                .search(&query, &(Count, best.order_by_score(), facets))
                .map(|(found, page, _)| (found, page.len()))
        };
        found.map(|(found, _)| found).context("tantivy did not search")
    }
}
