//! What a failing catalogue service sends.

use std::io;
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
    /// The whole answer in small pieces.
    TinySlices,
    /// The first request of a connection is answered, on the second it is closed.
    CloseKeptAlive,
    /// A status with an error as the API words it.
    Status(u16),
    /// A status on every `nth` request, the others are answered.
    EveryNth { nth: usize, status: u16 },
    /// 429 with this `Retry-After`, if any.
    TooManyRequests { retry_after: Option<String> },
    /// 302 to this location.
    Redirect(String),
    /// 200 with a page.
    Html,
    /// Half of the JSON, as if that were all.
    BrokenJson,
    /// Texts are numbers, and numbers are null.
    WrongTypes,
    /// No products, no categories.
    EmptyList,
    /// The second half of each list is missing.
    HalfTheProducts,
    /// Each list twice over, with other titles the second time.
    DuplicateIds,
    /// A few hundred kilobytes that unpack to 256 MiB.
    GzipBomb,
    /// Less than a kilobyte that unpacks to 256 MiB.
    BrotliBomb,
    /// 200 MB, without a `content-length`.
    Huge,
    /// 200 MB, with a `content-length` that says so.
    HugeAndHonest,
    /// Like [`Self::HugeAndHonest`], but only for lists with all details, or pages of them. Other calls are answered.
    HugeDetails,
    /// Arrays 10,000 deep, in a field that the shop does not read.
    Deep,
    /// The first two products carry script in every text. The title of the one is a megabyte long, that of
    /// the other a lone surrogate.
    PoisonedProducts,
}

impl Fault {
    /// A fixed body that says it is JSON.
    pub(crate) fn json(body: impl AsRef<[u8]>) -> Self {
        Self::Fixed { status: 200, content_type: JSON, body: body.as_ref().into() }
    }
}

/// What the API would answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

pub(crate) const SCRIPT: &str = "</script><script>alert(1)</script>";
const UNPACKED: usize = 256 << 20;
const HUGE: usize = 200_000_000;
const MEGABYTE: usize = 1_000_000;
const DEPTH: usize = 10_000;

/// Sends the answer to request number `number`, with the fault; false when the connection ends.
pub(crate) async fn send(
    stream: &mut TcpStream,
    fault: &Fault,
    answer: Answer,
    number: usize,
) -> io::Result<bool> {
    let Answer { status, body } = answer;
    let whole = [head(status, JSON, body.len(), "").as_slice(), &body].concat();
    let half = whole.len() - body.len() / 2;
    match fault {
        // Held requests are sent nothing before they have another fault.
        Fault::Silence | Fault::Held => std::future::pending().await,
        Fault::Fixed { content_type, .. } => {
            stream.write_all(&head(status, content_type, body.len(), "")).await?;
            stream.write_all(&body).await?;
        }
        Fault::StallMidBody => {
            stream.write_all(&whole[..half]).await?;
            std::future::pending().await
        }
        Fault::Drip { every } => {
            let (head, body) = whole.split_at(whole.len() - body.len());
            stream.write_all(head).await?;
            for byte in body {
                stream.write_u8(*byte).await?;
                tokio::time::sleep(*every).await;
            }
        }
        Fault::Latency(latency) => {
            tokio::time::sleep(*latency).await;
            stream.write_all(&whole).await?;
        }
        Fault::ResetMidBody => {
            stream.write_all(&whole[..half]).await?;
            stream.set_zero_linger()?;
            return Ok(false);
        }
        Fault::CutShort => {
            stream.write_all(&whole[..half]).await?;
            stream.shutdown().await?;
            return Ok(false);
        }
        Fault::TinySlices => {
            for slice in whole.chunks(97) {
                stream.write_all(slice).await?;
                tokio::task::yield_now().await;
            }
        }
        Fault::Status(status) => send_error(stream, *status, "").await?,
        Fault::EveryNth { nth, status } if number.is_multiple_of(*nth) => {
            send_error(stream, *status, "").await?;
        }
        Fault::TooManyRequests { retry_after } => {
            let header = retry_after.as_ref().map(|value| format!("retry-after: {value}\r\n"));
            send_error(stream, 429, &header.unwrap_or_default()).await?;
        }
        Fault::Redirect(location) => {
            send_error(stream, 302, &format!("location: {location}\r\n")).await?;
        }
        Fault::Html => send_body(stream, "text/html; charset=utf-8", b"<!doctype html><p>Back soon").await?,
        Fault::BrokenJson => send_body(stream, JSON, &body[..body.len() / 2]).await?,
        Fault::GzipBomb => send_packed(stream, "gzip", &GZIP_BOMB).await?,
        Fault::BrotliBomb => send_packed(stream, "br", &BROTLI_BOMB).await?,
        Fault::Huge | Fault::HugeAndHonest => {
            let length = match fault {
                Fault::HugeAndHonest => format!("content-length: {HUGE}\r\n"),
                _ => String::new(),
            };
            let head =
                format!("HTTP/1.1 200 OK\r\ncontent-type: {JSON}\r\n{length}connection: close\r\n\r\n");
            stream.write_all(head.as_bytes()).await?;
            let spaces = vec![b' '; MEGABYTE];
            for _ in 0..HUGE / MEGABYTE {
                stream.write_all(&spaces).await?;
            }
            return Ok(false);
        }
        Fault::Deep => {
            let body = format!(r#"{{"products":[],"x":{}{}}}"#, "[".repeat(DEPTH), "]".repeat(DEPTH));
            send_body(stream, JSON, body.as_bytes()).await?;
        }
        Fault::Retitled(suffix) if status == 200 => {
            send_body(stream, JSON, retitled(suffix, &body).as_bytes()).await?;
        }
        Fault::WrongTypes
        | Fault::EmptyList
        | Fault::HalfTheProducts
        | Fault::DuplicateIds
        | Fault::PoisonedProducts => {
            send_body(stream, JSON, changed(fault, &body).as_bytes()).await?;
        }
        Fault::None
        | Fault::Retitled(_)
        | Fault::RefuseConnections
        | Fault::IgnoreConnections
        | Fault::CloseKeptAlive
        | Fault::HugeDetails
        | Fault::EveryNth { .. } => stream.write_all(&whole).await?,
    }
    Ok(true)
}

const JSON: &str = "application/json";

fn head(status: u16, content_type: &str, length: usize, headers: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 {status} X\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n{headers}\r\n"
    )
    .into_bytes()
}

async fn send_body(stream: &mut TcpStream, content_type: &str, body: &[u8]) -> io::Result<()> {
    stream.write_all(&head(200, content_type, body.len(), "")).await?;
    stream.write_all(body).await
}

async fn send_packed(stream: &mut TcpStream, encoding: &str, body: &[u8]) -> io::Result<()> {
    let encoding = format!("content-encoding: {encoding}\r\n");
    stream.write_all(&head(200, JSON, body.len(), &encoding)).await?;
    stream.write_all(body).await
}

async fn send_error(stream: &mut TcpStream, status: u16, headers: &str) -> io::Result<()> {
    let body = br#"{"message":"not now"}"#;
    stream.write_all(&head(status, JSON, body.len(), headers)).await?;
    stream.write_all(body).await
}

/// Gets the fault ready, so that no answer waits for it. A bomb takes a moment to pack, which
/// happens once and on none of the threads that answer.
pub(crate) async fn prepare(fault: &Fault) {
    let bomb = match fault {
        Fault::GzipBomb => &GZIP_BOMB,
        Fault::BrotliBomb => &BROTLI_BOMB,
        _ => return,
    };
    tokio::task::spawn_blocking(move || LazyLock::force(bomb)).await.unwrap();
}

static GZIP_BOMB: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    unpacked(&mut packer).unwrap();
    packer.finish().unwrap()
});

static BROTLI_BOMB: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut packer = brotli::CompressorWriter::new(Vec::new(), 1 << 16, 1, 22);
    unpacked(&mut packer).unwrap();
    packer.into_inner()
});

fn unpacked(into: &mut impl io::Write) -> io::Result<()> {
    let spaces = vec![b' '; 1 << 20];
    (0..UNPACKED / spaces.len()).try_for_each(|_| into.write_all(&spaces))
}

/// The API's answer with this suffix after every title; lists keep their length.
fn retitled(suffix: &str, body: &[u8]) -> String {
    let mut value: Value = serde_json::from_slice(body).unwrap();
    let retitle = |product: &mut Value| {
        if let Some(Value::String(title)) = product.get_mut("title") {
            title.push_str(suffix);
        }
    };
    match value.get_mut("products").and_then(Value::as_array_mut) {
        Some(products) => products.iter_mut().for_each(retitle),
        None => retitle(&mut value),
    }
    value.to_string()
}

/// The API's answer with other contents.
fn changed(fault: &Fault, body: &[u8]) -> String {
    let mut value: Value = serde_json::from_slice(body).unwrap();
    let list = if value.is_array() { Some(&mut value) } else { value.get_mut("products") };
    match (fault, list.and_then(Value::as_array_mut)) {
        (Fault::WrongTypes, Some(list)) => list.iter_mut().for_each(mistype),
        (Fault::WrongTypes, None) => {
            let id = value["id"].take();
            mistype(&mut value);
            value["id"] = id;
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

/// A placeholder for a lone surrogate, which no JSON value of Rust can hold.
const SURROGATE: &str = "LONE-SURROGATE";

fn mistype(value: &mut Value) {
    match value {
        Value::String(_) => *value = json!(7),
        Value::Number(_) => *value = Value::Null,
        Value::Array(entries) => entries.iter_mut().for_each(mistype),
        Value::Object(fields) => fields.values_mut().for_each(mistype),
        Value::Null | Value::Bool(_) => {}
    }
}

/// Every text becomes the script; the title is the surrogate for an even id, a megabyte of script for an odd one.
fn poison(product: &mut Value) {
    let even = product["id"].as_u64().is_some_and(|id| id.is_multiple_of(2));
    let Some(fields) = product.as_object_mut() else { return };
    for value in fields.values_mut().filter(|value| value.is_string()) {
        *value = json!(SCRIPT);
    }
    fields.insert(
        "title".into(),
        json!(if even { SURROGATE.into() } else { SCRIPT.repeat(MEGABYTE / SCRIPT.len()) }),
    );
}
