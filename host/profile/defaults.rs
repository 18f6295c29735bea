//! The profile of the sample shop.

use super::{Banner, Currency, Figure, Newsletter, Profile, PromiseIcon, ShopPromise, Story};

impl Default for Profile {
    fn default() -> Self {
        Self {
            name: "Vitrine".into(),
            promises: vec![
                promise(PromiseIcon::Truck, ["Free shipping", " on orders", " over $50"]),
                promise(PromiseIcon::Headset, ["24/7 support", "", ""]),
                promise(PromiseIcon::Undo2, ["30-day returns", "", ""]),
            ],
            notes: vec![
                "Free shipping on orders over $50".into(),
                "Returns within 30 days".into(),
                "Support day and night, 24/7".into(),
            ],
            newsletter: Some(Newsletter {
                title: "First look at what is new".into(),
                invitation: "Join 50,000+ subscribers. Enter your email address:".into(),
                href: None,
            }),
            closing: "A sample shop. Nothing here can be bought.".into(),
            sale: "Summer Sale".into(),
            banner: Some(Banner {
                occasion: "Summer Sale".into(),
                title: "Up to 50% off".into(),
                text: "Sunny days, lighter prices. Fill your bag with favourites for the beach, the garden and the \
                       long evenings."
                    .into(),
                tag: Some(["50%".into(), "OFF".into()]),
                links: None,
                picture_name: None,
                picture: None,
            }),
            figures: vec![
                figure("1M+", "Happy customers"),
                figure("50K+", "Products"),
                figure("24/7", "Support"),
            ],
            story: Some(Story {
                title: "Only looking? Please do.".into(),
                text: "A vitrine is what the French call a shop window. So that is what this shop is made of: good \
                       things on the sill, the price on the tag, and the light left on in the evening."
                    .into(),
                link: "Stroll past every window".into(),
            }),
            description: "Browse the whole shop: beauty, fashion, electronics, furniture and more. Free shipping on \
                          orders over $50, 24/7 support and 30-day returns."
                .into(),
            cart: true,
            ..Self::neutral(Currency::default())
        }
    }
}

fn promise(icon: PromiseIcon, [text, detail, end]: [&str; 3]) -> ShopPromise {
    ShopPromise { icon, text: text.into(), detail: detail.into(), end: end.into() }
}

fn figure(figure: &str, meaning: &str) -> Figure {
    Figure { figure: figure.into(), meaning: meaning.into() }
}
