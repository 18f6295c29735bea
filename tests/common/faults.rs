//! What a failing catalogue service sends.

use std::io::{self, Write as _};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

/// A way to fail.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// The API as it should be.
    None,
    /// No fault either: the API, with this text after the title of every product.
    Retitled(String),
    /// This answer, whatever is asked for.
    Fixed { status: u16, content_type: &'static str, body: Arc<[u8]> },
    /// Requests wait until another fault is set, and are answered with that.
    Held,
    /// Connections are refused.
    RefuseConnections,
    /// A connection is neither accepted nor refused.
    IgnoreConnections,
    /// Requests are read and never answered.
    Silence,
    /// Half of the body, then nothing more.
    StallMidBody,
    /// The headers at once, then the body byte by byte.
    Drip { every: Duration },
    /// The whole answer, late.
    Latency(Duration),
    /// Half of the body, then the connection is reset.
    ResetMidBody,
    /// Half of the body that the length promises, then the connection is closed properly.
    CutShort,
    /// The first request of a connection is answered, on the second it is closed.
    CloseKeptAlive,
    /// A status with an error as the API words it.
    Status(u16),
    /// 503 to every other request.
    EveryOther,
    /// 429 with this further line in its head.
    TooManyRequests(&'static str),
    /// 302 to this location.
    Redirect(String),
    /// No products, no categories.
    EmptyList,
    /// The second half of each list is missing.
    HalfTheProducts,
    /// Each list twice over, with other titles the second time.
    DuplicateIds,
    /// A few kilobytes that unpack to 32 MiB.
    GzipBomb,
    /// Less than a kilobyte that unpacks to 32 MiB.
    BrotliBomb,
    /// 200 MB, without a `content-length`.
    Huge,
    /// 200 MB, with a `content-length` that says so.
    HugeAndHonest,
    /// Like [`Self::HugeAndHonest`], but only for lists with all details, or pages of them. Other calls are answered.
    HugeDetails,
    /// Arrays 10,000 deep, in a field that the shop does not read.
    Deep,
    /// The title of the second product is a lone surrogate.
    PoisonedProducts,
}

impl Fault {
    /// A fixed body that says it is JSON.
    pub(crate) fn json(body: impl AsRef<[u8]>) -> Self {
        Self::Fixed { status: 200, content_type: JSON, body: body.as_ref().into() }
    }
}

/// Far more than any limit of a test, and packed in a moment.
const UNPACKED: usize = 32 << 20;
const HUGE: usize = 200_000_000;
const MEGABYTE: usize = 1_000_000;
const DEPTH: usize = 10_000;

/// Sends an answer of the API to request number `number`, with the fault; false when the connection ends.
pub(crate) async fn send(
    stream: &mut TcpStream,
    fault: &Fault,
    (status, body): (u16, Vec<u8>),
    number: usize,
) -> io::Result<bool> {
    let whole = message(status, JSON, "", &body);
    let half = whole.len() - body.len() / 2;
    let bytes = match fault {
        // Held requests are sent nothing before they have another fault.
        Fault::Silence | Fault::Held => std::future::pending().await,
        Fault::StallMidBody => {
            stream.write_all(&whole[..half]).await?;
            std::future::pending().await
        }
        Fault::ResetMidBody | Fault::CutShort => {
            stream.write_all(&whole[..half]).await?;
            match fault {
                Fault::ResetMidBody => stream.set_zero_linger()?,
                _ => stream.shutdown().await?,
            }
            return Ok(false);
        }
        Fault::Drip { every } => {
            let (head, body) = whole.split_at(whole.len() - body.len());
            stream.write_all(head).await?;
            for byte in body {
                stream.write_u8(*byte).await?;
                tokio::time::sleep(*every).await;
            }
            return Ok(true);
        }
        Fault::Huge | Fault::HugeAndHonest => {
            let length = match fault {
                Fault::HugeAndHonest => format!("content-length: {HUGE}\r\n"),
                _ => String::new(),
            };
            let head = format!("HTTP/1.1 200 X\r\ncontent-type: {JSON}\r\n{length}connection: close\r\n\r\n");
            stream.write_all(head.as_bytes()).await?;
            for _ in 0..HUGE / MEGABYTE {
                stream.write_all(&vec![b' '; MEGABYTE]).await?;
            }
            return Ok(false);
        }
        Fault::Latency(latency) => {
            tokio::time::sleep(*latency).await;
            whole
        }
        Fault::Fixed { content_type, .. } => message(status, content_type, "", &body),
        Fault::Status(status) => refusal(*status, ""),
        Fault::EveryOther if number.is_multiple_of(2) => refusal(503, ""),
        Fault::TooManyRequests(line) => refusal(429, line),
        Fault::Redirect(location) => refusal(302, &format!("location: {location}\r\n")),
        Fault::GzipBomb => message(200, JSON, "content-encoding: gzip\r\n", &GZIP_BOMB),
        Fault::BrotliBomb => message(200, JSON, "content-encoding: br\r\n", &BROTLI_BOMB),
        Fault::Deep => {
            let body = format!(r#"{{"products":[],"x":{}{}}}"#, "[".repeat(DEPTH), "]".repeat(DEPTH));
            message(200, JSON, "", body.as_bytes())
        }
        Fault::Retitled(_)
        | Fault::EmptyList
        | Fault::HalfTheProducts
        | Fault::DuplicateIds
        | Fault::PoisonedProducts
            if status == 200 =>
        {
            message(200, JSON, "", changed(fault, &body).as_bytes())
        }
        _ => whole,
    };
    stream.write_all(&bytes).await?;
    Ok(true)
}

const JSON: &str = "application/json";

fn message(status: u16, content_type: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let (kind, length) = (format!("content-type: {content_type}"), body.len());
    let head = format!("HTTP/1.1 {status} X\r\n{kind}\r\ncontent-length: {length}\r\n{headers}\r\n");
    [head.as_bytes(), body].concat()
}

fn refusal(status: u16, headers: &str) -> Vec<u8> {
    message(status, JSON, headers, br#"{"message":"not now"}"#)
}

static GZIP_BOMB: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(&vec![b' '; UNPACKED]).unwrap();
    packer.finish().unwrap()
});

static BROTLI_BOMB: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut packer = brotli::CompressorWriter::new(Vec::new(), 1 << 16, 1, 22);
    packer.write_all(&vec![b' '; UNPACKED]).unwrap();
    packer.into_inner()
});

/// The API's answer with other contents.
fn changed(fault: &Fault, body: &[u8]) -> String {
    let mut value: Value = serde_json::from_slice(body).unwrap();
    let list = if value.is_array() { Some(&mut value) } else { value.get_mut("products") };
    match (fault, list.and_then(Value::as_array_mut)) {
        // Lists may be parts of longer ones, and keep their total.
        (Fault::Retitled(suffix), list) => {
            match list {
                Some(list) => list.iter_mut().for_each(|product| retitle(product, suffix)),
                None => retitle(&mut value, suffix),
            }
            return value.to_string();
        }
        (Fault::EmptyList, Some(list)) => list.clear(),
        (Fault::HalfTheProducts, Some(list)) => list.truncate(list.len() / 2),
        (Fault::DuplicateIds, Some(list)) => {
            let mut again = list.clone();
            again.iter_mut().for_each(|product| product["title"] = json!("Twice"));
            list.append(&mut again);
        }
        (Fault::PoisonedProducts, Some(list)) => list.iter_mut().take(2).for_each(poison),
        (Fault::PoisonedProducts, None) => poison(&mut value),
        _ => {}
    }
    if let Some(number) = value["products"].as_array().map(Vec::len) {
        value["total"] = json!(number);
    }
    value.to_string().replace(SURROGATE, "\\ud800")
}

fn retitle(product: &mut Value, suffix: &str) {
    if let Some(Value::String(title)) = product.get_mut("title") {
        title.push_str(suffix);
    }
}

/// A placeholder for a lone surrogate, which no JSON value of Rust can hold.
const SURROGATE: &str = "LONE-SURROGATE";

/// Every other product loses its title.
fn poison(product: &mut Value) {
    if product["id"].as_u64().is_some_and(|id| id.is_multiple_of(2)) {
        product["title"] = json!(SURROGATE);
    }
}
