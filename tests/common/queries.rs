//! The calls of a service, and the parts of what a catalogue sells, by the same names.

use std::sync::Arc;

use vitrine::catalogue::{
    Catalogue, Categories, Category, CategoryPreview, Listing, Live, Preview, Product, ProductById,
    ProductSet, Result, Section, Slug, Summary,
};

/// The calls of a service.
pub(crate) trait Calls: Live {
    async fn categories(&self) -> Result<Arc<[Category]>> {
        self.ask(&Categories).await
    }

    async fn category_preview(&self, category: &Slug) -> Result<CategoryPreview> {
        self.ask(&Preview(category.clone())).await
    }

    async fn category_products(&self, category: &Slug) -> Result<Arc<ProductSet>> {
        self.ask(&Listing::Category(category.clone())).await
    }

    async fn all_products(&self) -> Result<Arc<ProductSet>> {
        self.ask(&Listing::All).await
    }

    async fn search(&self, text: &str) -> Result<Arc<ProductSet>> {
        self.ask(&Listing::Search(text.into())).await
    }

    async fn product(&self, id: u64) -> Result<Option<Arc<Product>>> {
        self.ask(&ProductById(id.into())).await
    }

    async fn section(&self, section: Section) -> Result<Arc<[Summary]>> {
        self.ask(&section).await
    }
}

impl<C: Live + ?Sized> Calls for C {}

/// What a catalogue sells.
pub(crate) trait Sold: Catalogue {
    async fn categories(&self) -> Result<Arc<[Category]>> {
        self.stock().await.categories().await
    }

    async fn category_preview(&self, category: &Slug) -> Result<CategoryPreview> {
        self.stock().await.preview(category).await
    }

    async fn category_products(&self, category: &Slug) -> Result<Arc<ProductSet>> {
        self.listed(Listing::Category(category.clone())).await
    }

    async fn all_products(&self) -> Result<Arc<ProductSet>> {
        self.listed(Listing::All).await
    }

    async fn search(&self, text: &str) -> Result<Arc<ProductSet>> {
        self.listed(Listing::Search(text.into())).await
    }

    async fn listed(&self, listing: Listing) -> Result<Arc<ProductSet>> {
        self.stock().await.list(listing).await
    }

    async fn product(&self, id: u64) -> Result<Option<Arc<Product>>> {
        self.stock().await.product(&id.into()).await
    }

    async fn section(&self, section: Section) -> Result<Arc<[Summary]>> {
        self.stock().await.section(section).await
    }
}

impl<C: Catalogue + ?Sized> Sold for C {}
