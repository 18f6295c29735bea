//! Converts the catalogue's products and categories to the contract's types.

use std::borrow::Borrow;
use std::cmp::Reverse;

use super::availability;
use super::prices;
use super::shortened::{NAME, TITLE, shortened};
use super::tint;
use crate::catalogue::{Category, CategorySizes, Summary};
use crate::contract::{self, Price, ProductCard};
use crate::profile::{NamedCategory, OriginalPrice, Profile};

fn product_card(profile: &Profile, product: &Summary) -> ProductCard {
    let numbers = &profile.numbers;
    ProductCard {
        id: product.id.to_string(),
        title: shortened(&product.title, TITLE),
        brand: product.brand.as_ref().map(|brand| shortened(brand, NAME)),
        thumbnail: product.thumbnail.clone(),
        tint: tint::of_product(product),
        second: product.second.clone(),
        price: Price {
            from: product.is_from,
            unit: prices::unit(profile, product),
            ..prices::of(numbers, product, OriginalPrice::Rounded)
        },
        rating: product.rating.map(|rating| prices::rating(numbers, rating)),
        availability: availability::on_card(profile, product.availability),
        no_cart: !profile.cart,
        number: None,
        facts: None,
        no_heart: profile.is_own && !profile.saved,
        colours: match &*product.colours {
            [] | [_] => Vec::new(),
            several => several.iter().map(ToString::to_string).collect(),
        },
    }
}

pub(super) fn product_cards(
    profile: &Profile,
    products: impl IntoIterator<Item: Borrow<Summary>>,
) -> Vec<ProductCard> {
    products.into_iter().map(|product| product_card(profile, product.borrow())).collect()
}

/// The category as links name it.
pub(super) fn category(category: &Category) -> contract::Category {
    contract::Category { slug: category.slug.to_string(), name: shortened(&category.name, NAME) }
}

/// Most categories in the header's menu, which is part of every page.
const MENU_SIZE: usize = 100;

/// The header's menu.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Menu {
    pub(crate) categories: Vec<contract::Category>,
    /// How many categories there are, if the menu does not have them all.
    pub(crate) total: Option<u32>,
}

/// The menu of these categories, in their order: of many, those with the most products, or the first ones where
/// the numbers of products are not known. The categories that the operator `named`, by their slugs, come first.
pub(crate) fn menu(categories: &[Category], sizes: Option<&CategorySizes>, named: &[NamedCategory]) -> Menu {
    let mut menu = largest(categories, sizes, named);
    let place =
        |category: &contract::Category| named.iter().position(|named| named.category == category.slug);
    for category in &mut menu.categories {
        if let Some(name) = place(category).and_then(|place| named[place].name.clone()) {
            category.name = name;
        }
    }
    menu.categories.sort_by_key(|category| place(category).unwrap_or(usize::MAX));
    menu
}

/// The menu in the catalogue's order.
fn largest(categories: &[Category], sizes: Option<&CategorySizes>, named: &[NamedCategory]) -> Menu {
    if categories.len() <= MENU_SIZE {
        return Menu { categories: categories.iter().map(self::category).collect(), total: None };
    }
    let is_named = |category: &Category| named.iter().any(|named| named.category == category.slug.as_str());
    let size = |category: &Category| sizes.and_then(|sizes| sizes.get(&category.slug));
    let mut ranks: Vec<_> = categories
        .iter()
        .enumerate()
        .map(|(position, category)| (Reverse((is_named(category), size(category))), position))
        .collect();
    // Linear, unlike sorting them all.
    ranks.select_nth_unstable(MENU_SIZE);
    ranks.truncate(MENU_SIZE);
    ranks.sort_unstable_by_key(|&(_, position)| position);
    Menu {
        categories: ranks.into_iter().map(|(_, position)| self::category(&categories[position])).collect(),
        total: u32::try_from(categories.len()).ok(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::catalogue::Slug;

    pub(crate) fn categories(count: usize) -> Vec<Category> {
        let slug = |number| Slug::parse(&format!("c{number}")).unwrap();
        (0..count).map(|number| Category { slug: slug(number), name: format!("C {number}") }).collect()
    }

    fn numbers(menu: &Menu) -> Vec<u32> {
        menu.categories.iter().map(|category| category.slug[1..].parse().unwrap()).collect()
    }

    #[test]
    fn a_menu_of_few_categories_has_them_all() {
        let few = menu(&categories(MENU_SIZE), None, &[]);
        assert_eq!((few.categories.len(), few.total), (MENU_SIZE, None));
    }

    #[test]
    fn a_menu_of_many_categories_has_the_largest_in_their_order() {
        // The number of products goes up and down, so that the largest are in the middle.
        let many = categories(200);
        let size = |number: u32| 100 - number.abs_diff(100);
        let sizes =
            many.iter().zip(0..).map(|(category, number)| (category.slug.clone(), size(number))).collect();
        let largest = menu(&many, Some(&sizes), &[]);
        assert_eq!((numbers(&largest), largest.total), ((50..150).collect(), Some(200)));
        assert_eq!(numbers(&menu(&categories(5_000), None, &[])), (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn the_operator_s_categories_come_first_with_their_names() {
        let named = |slug: &str, name: Option<&str>| NamedCategory {
            category: slug.into(),
            name: name.map(Into::into),
        };
        let named = [named("c4000", Some("Best")), named("c2", None), named("missing", None)];
        let menu = menu(&categories(5_000), None, &named);
        assert_eq!(numbers(&menu)[..4], [4_000, 2, 0, 1]);
        assert_eq!(menu.categories[0].name, "Best");
        assert_eq!(menu.categories.len(), MENU_SIZE);
    }
}
