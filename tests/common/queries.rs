//! The catalogue's queries by name, for tests that ask many of them.

use std::sync::Arc;

use vitrine::catalogue::{
    Catalogue, Categories, Category, CategoryPreview, Listing, Preview, Product, ProductById, ProductSet,
    Result, Slug, Window, Windowed,
};

pub(crate) trait Queries: Catalogue {
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

    async fn window(&self, window: Window) -> Result<Arc<Windowed>> {
        self.ask(&window).await
    }
}

impl<C: Catalogue + ?Sized> Queries for C {}
