//! Everything of one product, with the variants that fit what was chosen.

use super::answer::{Answer, Content, Message, OptionValue};
use super::lookup::{Hit, find, shown};
use super::product::{FULL, choice, featured, told};
use super::request::{Call, ProductRequest, Selected};
use crate::catalogue::{self, Availability, Version};
use crate::exports::{About, Offer};
use crate::process::compute::OffRuntime;

/// Answers what is known of one product.
pub(super) fn product(
    off: &OffRuntime,
    about: &About,
    version: &Version,
    request: &ProductRequest,
) -> Answer {
    let mut messages = Vec::new();
    if request.filters.is_some() {
        messages.push(Message::info("filter_ignored", "A product has no filters; they are ignored."));
    }
    let Some(Hit { product, variant }) = find(off, about, version, &request.id).into_iter().next() else {
        let missing = Message::not_found(format!("There is no product called {}", shown(&request.id)));
        messages.insert(0, missing);
        return Answer::new(Call::Product, Content::Nothing {}, messages);
    };
    let variants = Variants::of(&product);
    let named = variant.and_then(|id| variants.0.iter().position(|(offer, _)| offer.id().as_str() == id));
    let selected = match named {
        Some(named) => variants.0[named].1.clone(),
        None => variants.relaxed(&request.selected, &request.preferences),
    };
    let first = named.or_else(|| variants.first(&product, &selected));
    let mut content = told(FULL, &product, variants.in_order(first, &selected), about);
    // Without a choice the first variant is the one that is meant.
    let selected = match first {
        Some(first) if selected.is_empty() => variants.0[first].1.clone(),
        _ => selected,
    };
    for option in &mut content.options {
        for value in &mut option.values {
            let (exists, available) = variants.with(&selected, &option.name, &value.label);
            (value.exists, value.available) = (Some(exists), available);
        }
    }
    content.selected = selected;
    Answer::new(Call::Product, Content::One { product: Box::new(content) }, messages)
}

/// The variants of a product with their options, in the source's order.
struct Variants<'a>(Vec<(Offer<'a>, Vec<OptionValue>)>);

impl<'a> Variants<'a> {
    fn of(product: &'a catalogue::Product) -> Self {
        Self(Offer::all_of(product).map(|offer| (offer, choice(&offer))).collect())
    }

    /// What was selected, as far as a variant has all of it. Values that no variant has are left out first, then options that
    /// are not preferred, the last one first, and then the preferred ones from the end of their list.
    fn relaxed(&self, selected: &[Selected], preferences: &[String]) -> Vec<OptionValue> {
        let mut kept: Vec<OptionValue> = Vec::new();
        for Selected { name, label } in selected {
            let known = self.0.iter().flat_map(|(_, options)| options);
            let mut known = known.filter(|option| same(&option.name, name) && same(&option.label, label));
            if let Some(known) = known.next()
                && !kept.iter().any(|other| other.name == known.name)
            {
                kept.push(known.clone());
            }
        }
        let rank = |option: &OptionValue| {
            preferences.iter().position(|name| same(name, &option.name)).unwrap_or(usize::MAX)
        };
        // A stable sort: the least wanted comes last.
        kept.sort_by_key(rank);
        while !kept.is_empty() && !self.0.iter().any(|(_, options)| has_all(options, &kept)) {
            kept.pop();
        }
        kept
    }

    /// The variant that fits what is selected: the one whose price is the product's, or else the first that can be had.
    fn first(&self, product: &catalogue::Product, selected: &[OptionValue]) -> Option<usize> {
        let fits = |at: &usize| has_all(&self.0[*at].1, selected);
        let can_be_had = |at: &usize| !self.0[*at].0.availability.is_sold_out();
        let usual = featured(product).map(|offer| offer.id());
        let usual = self.0.iter().position(|(offer, _)| Some(offer.id()) == usual).filter(fits);
        let fitting = || (0..self.0.len()).filter(fits);
        usual.or_else(|| fitting().find(can_be_had)).or_else(|| fitting().next())
    }

    /// All variants: `first`, then those that fit, then all others.
    fn in_order(&self, first: Option<usize>, selected: &[OptionValue]) -> impl Iterator<Item = Offer<'a>> {
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        order.sort_by_key(|&at| (Some(at) != first, !has_all(&self.0[at].1, selected)));
        order.into_iter().map(|at| self.0[at].0)
    }

    /// Whether a variant has this value beside what is selected of other options, and whether it can be had, if that is
    /// known.
    fn with(&self, selected: &[OptionValue], name: &str, label: &str) -> (bool, Option<bool>) {
        let mut wanted: Vec<OptionValue> =
            selected.iter().filter(|option| option.name != name).cloned().collect();
        wanted.push(OptionValue { name: name.into(), label: label.into() });
        let fitting = self.0.iter().filter(|(_, options)| has_all(options, &wanted));
        let known: Vec<Availability> = fitting.map(|(offer, _)| offer.availability).collect();
        let is_had = |known: &Availability| !known.is_sold_out() && *known != Availability::Unknown;
        let available = match &*known {
            known if known.iter().any(is_had) => Some(true),
            known if known.contains(&Availability::Unknown) => None,
            _ => Some(false),
        };
        (!known.is_empty(), available)
    }
}

fn same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

fn has_all(options: &[OptionValue], wanted: &[OptionValue]) -> bool {
    let has = |wanted: &OptionValue| {
        options.iter().any(|option| option.name == wanted.name && option.label == wanted.label)
    };
    wanted.iter().all(has)
}
