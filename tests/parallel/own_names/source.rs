//! A source of given products and categories, as a file would be.

use std::sync::Arc;

use async_trait::async_trait;
use vitrine::catalogue::{
    Ask, Catalogue, Categories, Category, CategoryPreview, Listing, Preview, Product, ProductById,
    ProductSet, Result, Summary, Window, Windowed,
};
use vitrine::profile::Currency;

pub(super) struct Source {
    pub(super) categories: Vec<Category>,
    pub(super) products: Vec<Product>,
}

impl Source {
    fn set(&self, is_wanted: impl Fn(&Summary) -> bool) -> ProductSet {
        let summaries = self.products.iter().map(|product| &product.summary);
        let wanted = summaries.filter(|summary| is_wanted(summary));
        ProductSet::new(wanted.cloned().collect(), Currency::default())
    }
}

#[async_trait]
impl Ask<Categories> for Source {
    async fn ask(&self, _: &Categories) -> Result<Arc<[Category]>> {
        Ok(self.categories.clone().into())
    }
}

#[async_trait]
impl Ask<Preview> for Source {
    async fn ask(&self, Preview(slug): &Preview) -> Result<CategoryPreview> {
        let count = self.set(|product| product.category.as_ref() == Some(slug)).len();
        Ok(CategoryPreview { thumbnail: None, count: u32::try_from(count).ok() })
    }
}

#[async_trait]
impl Ask<Listing> for Source {
    async fn ask(&self, query: &Listing) -> Result<Arc<ProductSet>> {
        Ok(Arc::new(match query {
            Listing::All => self.set(|_| true),
            Listing::Category(slug) => self.set(|product| product.category.as_ref() == Some(slug)),
            Listing::Search(text) => self.set(|_| true).containing(text),
        }))
    }
}

#[async_trait]
impl Ask<ProductById> for Source {
    async fn ask(&self, ProductById(id): &ProductById) -> Result<Option<Arc<Product>>> {
        Ok(self.products.iter().find(|product| product.summary.id == *id).cloned().map(Arc::new))
    }
}

#[async_trait]
impl Ask<Window> for Source {
    async fn ask(&self, window: &Window) -> Result<Arc<Windowed>> {
        let products = self.products.iter().map(|product| product.summary.clone());
        Ok(Arc::new(Windowed {
            products: products.take(window.limit as usize).collect(),
            total: Some(self.products.len() as u64),
            entries: window.limit,
        }))
    }
}

impl Catalogue for Source {
    fn knows_ratings(&self) -> bool {
        false
    }
}
