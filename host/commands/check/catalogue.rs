//! The catalogue: whether it answers, what it has, and whether browsers will show its images.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use tokio::task::spawn_blocking;

use super::report::{Report, counted};
use crate::catalogue::file::{
    self, Feed, FeedAddress, FeedError, Findings, Named, Place, Reading, ShopRules, System, expiry,
    read_headers,
};
use crate::catalogue::{
    Ask as _, Catalogue, CatalogueError, Followed, Listing, ProductSet, Service, Size, Source as _, Spelling,
    Wanted,
};
use crate::document::Site;
use crate::observe::ErrorChain;
use crate::profile::ShopFile;
use crate::serve::{Own, currency_of, followed, load_sample, read_catalogue, service, spelling_of};
use crate::settings::{CatalogueChoice, ServeSettings};

const ABOUT: &str = "catalogue";
/// The largest number of hosts of blocked images that are named. The catalogue may have any number of them.
const MOST_HOSTS: usize = 8;
/// With fewer days until its end a signature expires soon.
const EXPIRES_SOON: i64 = 14;

/// A catalogue that answers, with its products.
pub(super) struct Reached {
    pub(super) catalogue: Arc<dyn Catalogue>,
    pub(super) products: Arc<ProductSet>,
}

/// Asks the catalogue for its products. Rows of a file or feed that are left out are written to the file `rejected`.
/// Prices are in the currency of the shop's `file` where the catalogue has none of its own.
pub(super) async fn check_catalogue(
    settings: &ServeSettings,
    file: Option<&ShopFile>,
    rejected: Option<&Path>,
    report: &mut Report,
) -> Option<Reached> {
    let (opened, name) = open(settings, file, rejected, report).await;
    let (catalogue, service) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            report.error(ABOUT, format!("{error:#}"));
            return None;
        }
    };
    let products = match &service {
        Some(service) => match read_service(service, &name, report).await {
            Ok(products) => products,
            Err(error) => {
                report_failure(&error, &name, report);
                check_system(settings, report).await;
                return None;
            }
        },
        None => catalogue.version().map(|version| Arc::clone(version.products())).unwrap_or_default(),
    };
    match (products.len(), catalogue.version()) {
        (0, _) => {
            report.error(ABOUT, format!("{name} has no products"));
            check_system(settings, report).await;
        }
        // What is asked for each page was reported.
        (_, None) => {}
        (count, Some(_)) => report.ok(ABOUT, format!("{name} has {count} products")),
    }
    if let CatalogueChoice::Service(base) = &settings.catalogue
        && base.scheme() == "http"
        && base.host_str().is_some_and(|host| host.contains('.') && !host.starts_with("127."))
    {
        report.warn(ABOUT, format!("{base} is not https: whoever is on the way can change prices and texts"));
    }
    Some(Reached { catalogue, products })
}

/// Says why there are no products.
fn report_failure(error: &CatalogueError, name: &str, report: &mut Report) {
    let finding = match error {
        CatalogueError::TooLarge { limit } => format!(
            "{name} has a part of its list that is larger than the {} that are read, so that it cannot be copied: \
             brands and the sitemap have no products, and listings only what the service answers",
            Size(*limit)
        ),
        CatalogueError::TooMany { most } => format!(
            "{name} has more than the {most} products that --mirror copies, and their list is too large for one \
             answer: brands and the sitemap have no products. With enough memory a larger number for \
             --mirror copies them"
        ),
        CatalogueError::TooMuch { .. }
        | CatalogueError::Unsettled { .. }
        | CatalogueError::Senseless
        | CatalogueError::TooLong { .. } => format!("{name} answers, but {}", ErrorChain(error)),
        CatalogueError::NoCertificates(_) => format!("{name} cannot be called: {}", ErrorChain(error)),
        _ => format!("{name} does not answer: {}; is --catalogue its base address?", ErrorChain(error)),
    };
    report.error(ABOUT, finding);
}

/// Reads all products as the shop does. If there are more than may be copied, asks for them in one answer.
///
/// # Errors
/// When the shop could not list them.
async fn read_service(
    service: &Followed<Service>,
    name: &str,
    report: &mut Report,
) -> Result<Arc<ProductSet>, CatalogueError> {
    let error = match service.read().await {
        Ok(_) => {
            return Ok(service.version().map(|version| Arc::clone(version.products())).unwrap_or_default());
        }
        Err(error) => error,
    };
    let CatalogueError::TooMany { most } = error else { return Err(error) };
    let products = service.source().ask(&Listing::All).await.map_err(|_| error)?;
    let count = products.len();
    // As the shop would read it with the advised number.
    let all = count as u64;
    let wanted = Wanted { since: None, count: Some(all), most: all.max(most) };
    let advice = match service.source().changes(wanted).await {
        Ok(_) => format!("If they fit in memory: --mirror {count}"),
        Err(error) => format!("A copy is not possible: {}", ErrorChain(&error)),
    };
    report.warn(
        ABOUT,
        format!(
            "{name} has {count} products, more than the {most} that --mirror copies: it is asked for each page. {advice}"
        ),
    );
    Ok(products)
}

/// The catalogue and, if it is a service, the same catalogue as what follows it.
type Opened = (Arc<dyn Catalogue>, Option<Arc<Followed<Service>>>);

/// Opens the catalogue of the settings, with prices in the currency of the shop's `file` where it has none of its own. The
/// returned text names it.
async fn open(
    settings: &ServeSettings,
    file: Option<&ShopFile>,
    rejected: Option<&Path>,
    report: &mut Report,
) -> (anyhow::Result<Opened>, String) {
    if rejected.is_some() && !settings.catalogue.is_file_or_feed() {
        report.warn(ABOUT, "--rejected has no effect: the catalogue is no file and no feed");
    }
    let (currency, spelling) = (currency_of(settings, file), spelling_of(file));
    match &settings.catalogue {
        CatalogueChoice::Sample => {
            let sample = load_sample(currency).map(|sample| (Arc::new(sample) as Arc<dyn Catalogue>, None));
            (sample, "the embedded sample".into())
        }
        CatalogueChoice::Service(base) => {
            let opened = service(base, currency).map(|service| Arc::new(followed(service, settings)));
            (opened.map(|opened| (Arc::clone(&opened) as Arc<dyn Catalogue>, Some(opened))), base.to_string())
        }
        CatalogueChoice::File(path) => {
            let opened = open_read(Place::File(path.clone()), (settings, spelling), rejected, report).await;
            (opened, path.display().to_string())
        }
        CatalogueChoice::Feed(address) | CatalogueChoice::Shop(address) => {
            let feed = match &settings.catalogue {
                CatalogueChoice::Shop(_) => {
                    check_headers(settings, report);
                    of_shop(address.clone(), settings)
                }
                _ => Feed::new(address.clone(), settings.room_for_feed()),
            };
            let opened = match feed {
                Ok(feed) => {
                    open_read(Place::Feed(Arc::new(feed)), (settings, spelling), rejected, report).await
                }
                Err(error) => Err(error.into()),
            };
            (opened, address.to_string())
        }
    }
}

/// A shop that the check asks for its products. It waits for no pause.
fn of_shop(address: FeedAddress, settings: &ServeSettings) -> Result<Feed, FeedError> {
    let rules = ShopRules { is_impatient: true, ..settings.shop_rules() };
    Feed::of_shop(address, settings.room_for_feed(), rules)
}

/// Says whether a signature in the file of headers ends soon.
fn check_headers(settings: &ServeSettings, report: &mut Report) {
    const ABOUT: &str = "catalogue-headers";
    let Some(path) = &settings.catalogue_headers else { return };
    match read_headers(path).map(|headers| (headers.len(), expiry(&headers))) {
        Err(error) => report.error(ABOUT, format!("{}: {}", path.display(), ErrorChain(&error))),
        Ok((count, None)) => report.ok(ABOUT, counted(count, "header", "headers")),
        Ok((count, Some(end))) => {
            let (count, days) = (counted(count, "header", "headers"), (end - file::now()) / (24 * 60 * 60));
            match end - file::now() {
                ..=0 => report.warn(ABOUT, "the signature has expired: sign the calls anew"),
                _ if days < EXPIRES_SOON => {
                    report.warn(ABOUT, format!("the signature expires in {days} days: sign the calls anew"));
                }
                _ => report.ok(ABOUT, format!("{count}; the signature expires in {days} days")),
            }
        }
    }
}

/// Says which system an address is of that was taken for a service's.
async fn check_system(settings: &ServeSettings, report: &mut Report) {
    let CatalogueChoice::Service(base) = &settings.catalogue else { return };
    let Ok(feed) = of_shop(FeedAddress::of_shop(base), settings) else { return };
    let system = match feed.system().await {
        Some(System::Shopify) => "Shopify",
        Some(System::WooCommerce) => "WooCommerce",
        None => return,
    };
    let address = base.as_str().trim_end_matches('/');
    report.error(ABOUT, format!("this is a {system} shop: use --catalogue shop:{address}"));
}

/// Opens a catalogue that is read as a whole.
async fn open_read(
    place: Place,
    (settings, spelling): (&ServeSettings, Spelling),
    rejected: Option<&Path>,
    report: &mut Report,
) -> anyhow::Result<Opened> {
    let own = read_catalogue(place, settings, spelling, rejected.map(Path::to_owned)).await?;
    let Own { reading, catalogue, .. } = own;
    check_reading(&reading, report);
    if let (Some(path), Some(rows)) = (rejected, reading.report.written) {
        let rows = counted(rows, "row", "rows");
        report.ok(ABOUT, format!("{rows} of those that are left out written to {}", path.display()));
    }
    Ok((Arc::new(catalogue), None))
}

/// Says what was read from a file or feed, and what was left out.
fn check_reading(reading: &Reading, report: &mut Report) {
    let file::Report { dialect, rows, products, variants, .. } = &reading.report;
    let (rows, products) = (counted(*rows, "row", "rows"), counted(*products, "product", "products"));
    let variants = counted(*variants, "variant", "variants");
    report.ok(ABOUT, format!("{dialect}: {rows}, {products}, {variants}"));
    if let Some(text) = reading.report.read_as() {
        report.ok(ABOUT, text);
    }
    if let (Some(currency), Some(by)) = (reading.currency, reading.report.currency_by) {
        report.ok(ABOUT, format!("prices are in {}, as {by} says", currency.code()));
    }
    if reading.report.ids_from_titles {
        report.ok(ABOUT, "products without an id are named by their titles: a new title is a new address");
    }
    if reading.report.has_net_prices {
        report.warn(ABOUT, "prices are without tax: a column with prices that include it counts instead");
    }
    if let Some(sign) = reading.report.decimal_sign() {
        match reading.report.guesses_decimals() {
            true => report.warn(ABOUT, sign),
            false => report.ok(ABOUT, sign),
        }
    }
    for (reason, text) in reading.report.reasons() {
        match reason {
            reason if reason.is_note() => report.warn(ABOUT, format!("sold in part: {text}")),
            reason if reason.is_fault() => report.error(ABOUT, format!("left out: {text}")),
            _ => report.ok(ABOUT, format!("left out: {text}")),
        }
    }
    if !reading.report.unused.is_empty() {
        let what = if reading.report.is_table() { "columns" } else { "fields" };
        report.warn(ABOUT, format!("{what} that are not read: {}", reading.report.unused.join(", ")));
    }
    if let Some(mixed) = reading.report.mixed_encodings() {
        report.warn(ABOUT, mixed);
    }
    if let Some(pictures) = reading.report.missing_pictures.line() {
        report.warn(ABOUT, pictures);
    }
    check_findings(&reading.findings(), report);
    if reading.currency.is_none() {
        report.warn(
            ABOUT,
            "the file names no currency: prices are in US dollars unless --currency or the shop's file says another",
        );
    }
}

/// Says what is notable about the products of a file or feed.
fn check_findings(findings: &Findings, report: &mut Report) {
    let Findings { categories, brands, longest_titles, hosts, .. } = findings;
    let categories = counted(*categories, "category", "categories");
    report.ok(ABOUT, format!("{categories}, {}", counted(*brands, "brand", "brands")));
    for (named, what) in [
        (&findings.without_category, "without a category"),
        (&findings.without_picture, "without a picture"),
        (&findings.plain_http, "with a picture by plain http, which pages with https do not show"),
        (
            &findings.on_this_host,
            "with a picture without a host, of which the shop has no file: `image_base` in the file's options names one",
        ),
        (&findings.odd_prices, "with a price 50 times as high or as low as is usual in their category"),
    ] {
        let Named { count, titles } = named;
        if *count > 0 {
            let more = if *count > titles.len() as u64 { ", …" } else { "" };
            report.warn(ABOUT, format!("products {what} ({count}): {}{more}", titles.join(", ")));
        }
    }
    let titles: Vec<String> =
        longest_titles.iter().map(|(length, title)| format!("{title} ({length})")).collect();
    report.ok(ABOUT, format!("longest titles, in characters: {}", titles.join(", ")));
    if !hosts.is_empty() {
        let hosts: Vec<String> = hosts.iter().map(|(host, count)| format!("{host} ({count})")).collect();
        report.ok(ABOUT, format!("hosts of pictures: {}", hosts.join(", ")));
    }
}

/// Reports what is left out of the catalogue's answers.
pub(super) fn check_left_out(catalogue: &dyn Catalogue, report: &mut Report) {
    for line in catalogue.status().left_out {
        report.warn(ABOUT, format!("left out: {line}"));
    }
}

/// Names the hosts of images that the content security policy blocks.
pub(super) async fn check_images(
    reached: &Reached,
    site: &Site,
    settings: &ServeSettings,
    report: &mut Report,
) {
    const ABOUT: &str = "image-host";
    // The shop itself allows the hosts of a file or feed.
    if settings.catalogue.is_file_or_feed() {
        return;
    }
    let (products, site) = (Arc::clone(&reached.products), site.clone());
    // Every address is parsed, which takes a while with many products.
    let blocked = spawn_blocking(move || {
        let images = products.products().filter_map(|product| product.thumbnail);
        let mut blocked = BTreeMap::<String, usize>::new();
        for host in images.filter_map(|image| site.blocked_host(&image)) {
            *blocked.entry(host).or_default() += 1;
        }
        blocked
    });
    let Ok(blocked) = blocked.await else {
        report.error(ABOUT, "the catalogue's images could not be looked at");
        return;
    };
    if blocked.is_empty() {
        report.ok(ABOUT, "the content security policy allows every product's picture");
    }
    for (host, count) in blocked.iter().take(MOST_HOSTS) {
        let host = crate::observe::Bounded(host);
        report.warn(
            ABOUT,
            format!("browsers block {count} products' pictures: --image-host {host} allows them"),
        );
    }
    if blocked.len() > MOST_HOSTS {
        report.warn(ABOUT, format!("pictures of {} further hosts are blocked", blocked.len() - MOST_HOSTS));
    }
}
