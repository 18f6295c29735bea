//! Searches of tantivy as a shop would set them up to find what is meant: stems of English words, weights of the fields,
//! one typing mistake in a word, and "or" between words.

use anyhow::{Context as _, Result};
use tantivy::collector::TopDocs;
use tantivy::query::QueryParser;
use tantivy::schema::{
    Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions, Value as _,
};
use tantivy::{Index, IndexReader, TantivyDocument};
use vitrine::catalogue::Product;

/// Memory for building, in bytes.
const BUILDING: usize = 1 << 25;

pub(crate) struct Ranked {
    reader: IndexReader,
    parser: QueryParser,
    id: Field,
}

impl Ranked {
    pub(crate) fn new(products: &[Product]) -> Result<Self> {
        let stems = TextFieldIndexing::default()
            .set_tokenizer("en_stem")
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        let text = TextOptions::default().set_indexing_options(stems);
        let mut schema = Schema::builder();
        let names = ["title", "brand", "category", "tags", "description"];
        let fields = names.map(|name| schema.add_text_field(name, text.clone()));
        let id = schema.add_text_field("id", STRING | STORED);
        let index = Index::create_in_ram(schema.build());
        let mut writer = index.writer::<TantivyDocument>(BUILDING)?;
        for Product { summary, tags, .. } in products {
            let category = summary.category.as_ref().map(|slug| slug.title()).unwrap_or_default();
            let brand = summary.brand.as_deref().unwrap_or_default();
            let texts = [&summary.title, brand, &category, &tags.join(" "), &summary.description];
            let mut document = TantivyDocument::new();
            for (field, text) in fields.iter().zip(texts) {
                document.add_text(*field, text);
            }
            document.add_text(id, summary.id.to_string());
            writer.add_document(document)?;
        }
        writer.commit()?;
        let mut parser = QueryParser::for_index(&index, fields.into());
        for (field, weight) in fields.into_iter().zip([8.0, 4.0, 4.0, 2.0, 1.0]) {
            parser.set_field_boost(field, weight);
            parser.set_field_fuzzy(field, false, 1, true);
        }
        Ok(Self { reader: index.reader()?, parser, id })
    }

    /// The ids of the best products, at most `most`.
    pub(crate) fn best(&self, text: &str, most: usize) -> Result<Vec<String>> {
        // Signs would be syntax of the parser.
        let words: String = text.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
        let (query, _) = self.parser.parse_query_lenient(&words);
        let searcher = self.reader.searcher();
        let found = searcher.search(&query, &TopDocs::with_limit(most).order_by_score())?;
        let id = |(_, address)| {
            let document: TantivyDocument = searcher.doc(address)?;
            let id =
                document.get_first(self.id).and_then(|id| id.as_str()).context("a document has no id")?;
            Ok(id.to_owned())
        };
        found.into_iter().map(id).collect()
    }
}
