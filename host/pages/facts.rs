//! What is known of a product beside its text.

use crate::catalogue::{Condition, Product};
use crate::contract::{Fact, FactIcon};
use crate::profile::{NumberFormat, Profile};
use crate::texts::Key;

/// What is known of condition, age, energy, shipping, returns, warranty, dimensions and weight.
pub(super) fn facts(profile: &Profile, product: &Product, condition: Option<Condition>) -> Vec<Fact> {
    let texts = &profile.texts;
    let condition = condition.map(|condition| match condition {
        Condition::New => Key::ConditionNew,
        Condition::Refurbished => Key::ConditionRefurbished,
        Condition::Used => Key::ConditionUsed,
    });
    let energy = product.energy.map(|energy| {
        let [class, best, worst] = energy.names();
        texts.with(Key::EnergyClassOf, &[&class, &best, &worst])
    });
    let age = product.minimum_age.map(|age| texts.count(Key::FromAge, age.into(), &[]));
    let [size, weight] = size_and_weight(&profile.numbers, product);
    let facts = [
        (
            Key::Condition,
            FactIcon::PackageOpen,
            condition.map(|key| texts.text(key).into()).unwrap_or_default(),
        ),
        (Key::MinimumAge, FactIcon::UserRound, age.unwrap_or_default()),
        (Key::EnergyClass, FactIcon::Sun, energy.unwrap_or_default()),
        (Key::Shipping, FactIcon::Truck, product.shipping.clone()),
        (Key::Returns, FactIcon::PackageOpen, product.returns.clone()),
        (Key::Warranty, FactIcon::ShieldCheck, product.warranty.clone()),
        (Key::Dimensions, FactIcon::Ruler, size.unwrap_or_default()),
        (Key::Weight, FactIcon::Weight, weight.unwrap_or_default()),
    ];
    let known = facts.into_iter().filter(|(_, _, text)| !text.is_empty());
    let fact = |(name, icon, text)| Fact { name: profile.texts.text(name).into(), text, icon };
    known.map(fact).collect()
}

/// Dimensions and weight in one line, if one of them is known.
pub(super) fn measures(numbers: &NumberFormat, product: &Product) -> Option<String> {
    let known: Vec<String> = size_and_weight(numbers, product).into_iter().flatten().collect();
    (!known.is_empty()).then(|| known.join(", "))
}

fn size_and_weight(numbers: &NumberFormat, product: &Product) -> [Option<String>; 2] {
    let size = product.dimensions.map(|size| numbers.dimensions(size.width, size.height, size.depth));
    [size, product.weight.map(|weight| numbers.weight(weight))]
}
