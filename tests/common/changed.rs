//! The sample as a source whose products a test has changed.

use std::sync::Arc;

use async_trait::async_trait;
use vitrine::catalogue::{
    Ask, Catalogue, Categories, Category, CategoryPreview, CategorySizes, Listing, Preview, Product,
    ProductById, ProductSet, Result, Sample, Summary, Window, Windowed,
};

use super::sample;

/// The sample's products, each changed by `change`.
pub(crate) struct Changed<F> {
    sample: Arc<Sample>,
    change: F,
    knows_ratings: bool,
}

impl<F: Fn(&mut Product) + Send + Sync> Changed<F> {
    pub(crate) fn new(change: F) -> Self {
        Self { sample: sample(), change, knows_ratings: true }
    }

    /// A source that knows no ratings.
    pub(crate) fn without_ratings(self) -> Self {
        Self { knows_ratings: false, ..self }
    }

    fn changed(&self, product: &Product) -> Product {
        let mut product = product.clone();
        (self.change)(&mut product);
        product
    }

    /// The changed summary of a product, as lists have it.
    fn listed(&self, listed: Summary, mut product: Product) -> Summary {
        product.summary = Summary { description: product.summary.description, ..listed };
        (self.change)(&mut product);
        product.summary
    }
}

#[async_trait]
impl<F: Fn(&mut Product) + Send + Sync + 'static> Ask<Categories> for Changed<F> {
    async fn ask(&self, query: &Categories) -> Result<Arc<[Category]>> {
        self.sample.ask(query).await
    }
}

#[async_trait]
impl<F: Fn(&mut Product) + Send + Sync + 'static> Ask<Preview> for Changed<F> {
    async fn ask(&self, query: &Preview) -> Result<CategoryPreview> {
        self.sample.ask(query).await
    }
}

#[async_trait]
impl<F: Fn(&mut Product) + Send + Sync + 'static> Ask<Listing> for Changed<F> {
    async fn ask(&self, query: &Listing) -> Result<Arc<ProductSet>> {
        let all = self.sample.ask(query).await?;
        let whole = all.whole().map(|product| product.unwrap());
        let products = all.products().zip(whole).map(|(listed, whole)| self.listed(listed, whole)).collect();
        Ok(Arc::new(ProductSet::new(products, all.currency())))
    }
}

#[async_trait]
impl<F: Fn(&mut Product) + Send + Sync + 'static> Ask<ProductById> for Changed<F> {
    async fn ask(&self, query: &ProductById) -> Result<Option<Arc<Product>>> {
        let product = self.sample.ask(query).await?;
        Ok(product.map(|product| Arc::new(self.changed(&product))))
    }
}

#[async_trait]
impl<F: Fn(&mut Product) + Send + Sync + 'static> Ask<Window> for Changed<F> {
    async fn ask(&self, query: &Window) -> Result<Arc<Windowed>> {
        let window = self.sample.ask(query).await?;
        let all = self.sample.products();
        let whole =
            |listed: &Summary| all.iter().find(|whole| whole.summary.id == listed.id).unwrap().clone();
        let products = window.products.iter().map(|listed| self.listed(listed.clone(), whole(listed)));
        Ok(Arc::new(Windowed { products: products.collect(), ..(*window).clone() }))
    }
}

impl<F: Fn(&mut Product) + Send + Sync + 'static> Catalogue for Changed<F> {
    fn category_sizes(&self) -> Option<Arc<CategorySizes>> {
        self.sample.category_sizes()
    }

    fn knows_ratings(&self) -> bool {
        self.knows_ratings
    }
}
