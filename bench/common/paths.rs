//! What visitors ask for.

/// A path: mostly a popular one, sometimes any, sometimes one that does not exist.
pub(crate) fn any(random: &mut fastrand::Rng) -> String {
    const POPULAR: [&str; 8] =
        ["/", "/categories", "/brands", "/products", "/sale", "/deals", "/best-sellers", "/new-arrivals"];
    match random.u32(0..100) {
        0..30 => POPULAR[random.usize(..POPULAR.len())].into(),
        30..55 => format!("/product/{}", random.u32(1..20)),
        55..65 => format!("/product/{}", random.u32(1..200)),
        65..72 => format!("/products?sort=price-asc&page={}", random.u32(1..5)),
        72..78 => format!("/products?max={}&rating={}", random.u32(1..900), random.u32(1..6)),
        78..84 => format!("/search/{}", random.alphabetic()),
        84..87 => format!("/search/random%20{}", random.u64(..)),
        87..90 => format!("/_data/product/{}", random.u32(1..200)),
        90..93 => format!("/missing/{}", random.u32(..)),
        93..95 => "/sitemap.xml".into(),
        95..97 => "/category/beauty?stock=1".into(),
        97..99 => format!("/product/{}?utm_source={}", random.u32(1..20), random.u32(..)),
        _ => "/products?q=%ff%00&max=-1&sort=nothing&page=99999999999".into(),
    }
}
