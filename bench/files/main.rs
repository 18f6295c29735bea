//! How fast files of products are read: from their bytes to cleaned products, on one core, without building the store.
//!
//! Each file has 100,000 rows. The memory is that of a process which reads one file: the highest at any time, less what it
//! had before and what the products take. Finally, a file is replaced while visitors ask for pages.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark prints its figures, and ends with a panic when the program does not start"
)]

#[path = "../common/mod.rs"]
mod common;
mod replaced;

use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use vitrine::catalogue::products_of;
use vitrine::process::choose_cryptography;

const ROWS: usize = 100_000;
/// How often each file is read; the median counts.
const RUNS: usize = 5;
/// Makes a process read the form with this name, and print its memory.
const ONE: &str = "VITRINE_BENCH_FILE";

/// A form of files: its name, the text before and after its rows, and a row.
struct Form {
    name: &'static str,
    header: &'static str,
    row: fn(usize, &str) -> String,
    footer: &'static str,
}

const FORMS: [Form; 5] = [
    Form { name: "JSON Lines", header: "", row: json, footer: "" },
    Form {
        name: "Google XML",
        header: "<?xml version=\"1.0\"?>\n<rss version=\"2.0\" xmlns:g=\"http://base.google.com/ns/1.0\">\n<channel>\n",
        row: xml,
        footer: "</channel></rss>\n",
    },
    Form {
        name: "Shopify CSV with HTML",
        header: "Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price,Variant Compare At Price,Variant Barcode,Image Src,Status\n",
        row: shopify,
        footer: "",
    },
    Form {
        name: "Shopify JSON with HTML",
        header: "{\"shop\":\"https://shop.example\",\"system\":\"shopify\",\"currency\":\"USD\"}\n",
        row: shopify_json,
        footer: "",
    },
    OWN,
];

const OWN: Form = Form {
    name: "own CSV without HTML",
    header: "id,title,description,category,brand,price,list_price,stock,images,tags,sku\n",
    row: own,
    footer: "",
};

fn main() -> Result<()> {
    choose_cryptography();
    if let Ok(name) = std::env::var(ONE) {
        return memory(FORMS.iter().find(|form| form.name == name).context("no such form")?);
    }
    println!("{ROWS} rows each, median of {RUNS} readings on one core");
    for form in &FORMS {
        let text = text(form);
        let size = text.len() as f64 / 1e6;
        let bytes = bytes::Bytes::from(text);
        let mut times = Vec::new();
        for _ in 0..RUNS {
            let began = Instant::now();
            let products = products_of(bytes.clone(), 0)?;
            times.push(began.elapsed().as_secs_f64());
            ensure!(products.len() == ROWS, "{} products", products.len());
        }
        times.sort_by(f64::total_cmp);
        let seconds = times[RUNS / 2];
        let own = Command::new(std::env::current_exe()?).env(ONE, form.name).output()?;
        println!(
            "{:<24} {size:>6.1} MB {:>7.1} MB/s {:>8.0} rows/s   {}",
            form.name,
            size / seconds,
            ROWS as f64 / seconds,
            String::from_utf8_lossy(&own.stdout).trim(),
        );
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(replaced::measure())
}

/// Prints how much memory the products of a file take, and how much more a reading takes at most. The file's bytes are in
/// memory already.
fn memory(form: &Form) -> Result<()> {
    let bytes = bytes::Bytes::from(text(form));
    let before = status("VmRSS:")?;
    fs::write("/proc/self/clear_refs", "5").context("the highest memory cannot be reset")?;
    let products = products_of(bytes, 0)?;
    let taken = status("VmHWM:")?.saturating_sub(before) >> 10;
    ensure!(products.len() == ROWS, "{} products", products.len());
    let own = products.iter().map(|product| product.size()).sum::<usize>() >> 20;
    println!("{own} MiB of products, {} MiB more while they are read", taken.saturating_sub(own as u64));
    Ok(())
}

/// A line of the process's status, in KiB.
fn status(name: &str) -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(name)).context("no such line")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

fn text(form: &Form) -> String {
    let prose =
        "A lamp of solid oak with a shade of linen, which gives warm light to every corner of a room. ";
    let mut text = form.header.to_owned();
    for number in 1..=ROWS {
        let description = &prose[number % 40..];
        let _ = write!(text, "{}", (form.row)(number, description));
    }
    text + form.footer
}

fn json(number: usize, prose: &str) -> String {
    format!(
        "{{\"id\":{number},\"title\":\"Tall oak lamp {number}\",\"description\":\"{prose}{prose}{prose}\",\"category\":\"lamps-{}\",\"brand\":\"Hall {}\",\"price\":{}.99,\"listPrice\":999,\"rating\":4.4,\"stock\":{},\"tags\":[\"oak\",\"linen\"],\"sku\":\"LAMP-{number}\",\"weight\":3,\"dimensions\":{{\"width\":24,\"height\":60,\"depth\":24}},\"images\":[\"https://cdn.example/lamps/{number}-1.webp\",\"https://cdn.example/lamps/{number}-2.webp\"],\"thumbnail\":\"https://cdn.example/lamps/{number}.webp\"}}\n",
        number % 50,
        number % 300,
        number % 500 + 1,
        number % 90,
    )
}

fn xml(number: usize, prose: &str) -> String {
    format!(
        "<item>\n<g:id>{number}</g:id>\n<title>Tall oak lamp {number}</title>\n<description><![CDATA[{prose}{prose}{prose}]]></description>\n<link>https://shop.example/lamps/{number}</link>\n<g:image_link>https://cdn.example/lamps/{number}-1.webp</g:image_link>\n<g:additional_image_link>https://cdn.example/lamps/{number}-2.webp</g:additional_image_link>\n<g:availability>in_stock</g:availability>\n<g:price>{}.99 USD</g:price>\n<g:brand>Hall &amp; {}</g:brand>\n<g:mpn>LAMP-{number}</g:mpn>\n<g:condition>new</g:condition>\n<g:product_type>Home &gt; Lamps {}</g:product_type>\n<g:shipping><g:country>US</g:country><g:price>5.00 USD</g:price></g:shipping>\n</item>\n",
        number % 500 + 1,
        number % 300,
        number % 50,
    )
}

fn shopify(number: usize, prose: &str) -> String {
    format!(
        "lamp-{number},Tall oak lamp {number},\"<p>{prose}</p>\n<ul><li>{prose}</li><li>Oak &amp; <b>linen</b></li></ul>\n<p class=\"\"note\"\">{prose}</p>\",Hall {},Lamps {},\"oak, linen\",true,Title,Default Title,LAMP-{number},3000,shopify,{},deny,{}.99,999.00,,https://cdn.example/lamps/{number}.webp,active\n",
        number % 300,
        number % 50,
        number % 90,
        number % 500 + 1,
    )
}

/// The same product as Shopify shows it.
fn shopify_json(number: usize, prose: &str) -> String {
    format!(
        "{{\"id\":{number},\"title\":\"Tall oak lamp {number}\",\"handle\":\"lamp-{number}\",\"body_html\":\"<p>{prose}</p>\\n<ul><li>{prose}</li><li>Oak &amp; <b>linen</b></li></ul>\\n<p class=\\\"note\\\">{prose}</p>\",\"published_at\":\"2026-03-01T10:00:00+01:00\",\"created_at\":\"2026-03-01T10:00:00+01:00\",\"updated_at\":\"2026-03-01T10:00:00+01:00\",\"vendor\":\"Hall {}\",\"product_type\":\"Lamps {}\",\"tags\":[\"oak\",\"linen\"],\"variants\":[{{\"id\":{number},\"title\":\"Default Title\",\"option1\":\"Default Title\",\"option2\":null,\"option3\":null,\"sku\":\"LAMP-{number}\",\"requires_shipping\":true,\"taxable\":true,\"featured_image\":null,\"available\":true,\"price\":\"{}.99\",\"grams\":3000,\"compare_at_price\":\"999.00\",\"position\":1,\"product_id\":{number},\"created_at\":\"2026-03-01T10:00:00+01:00\",\"updated_at\":\"2026-03-01T10:00:00+01:00\"}}],\"images\":[{{\"id\":{number},\"created_at\":\"2026-03-01T10:00:00+01:00\",\"position\":1,\"updated_at\":\"2026-03-01T10:00:00+01:00\",\"product_id\":{number},\"variant_ids\":[],\"src\":\"https://cdn.example/lamps/{number}.webp\",\"width\":800,\"height\":800}}],\"options\":[{{\"name\":\"Title\",\"position\":1,\"values\":[\"Default Title\"]}}]}}\n",
        number % 300,
        number % 50,
        number % 500 + 1,
    )
}

fn own(number: usize, prose: &str) -> String {
    format!(
        "{number},Tall oak lamp {number},\"{prose}{prose}{prose}\",Home > Lamps {},Hall {},{}.99,999,{},https://cdn.example/lamps/{number}-1.webp https://cdn.example/lamps/{number}-2.webp,\"oak, linen\",LAMP-{number}\n",
        number % 50,
        number % 300,
        number % 500 + 1,
        number % 90,
    )
}
