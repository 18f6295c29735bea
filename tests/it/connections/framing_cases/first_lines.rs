//! First lines: methods, targets, versions, and what is no request at all. And heads that differ in one byte.

use super::{
    BAD, BOTH, CLOSED, Case, Expected, HEAD_TOO_LARGE, MISSING, NOT_ALLOWED, OK, asks, each, headers, line,
    rows, words,
};

pub(super) fn cases() -> Vec<Case> {
    [methods(), targets(), versions(), no_requests(), odd_bytes(), cuts()].concat()
}

/// Only GET and HEAD are taken, and no tunnel is opened.
fn methods() -> Vec<Case> {
    let refused =
        "POST PUT DELETE PATCH OPTIONS TRACE QUERY PROPFIND MKCOL MOVE LOCK PURGE BAN M-SEARCH SUBSCRIBE
        GETGET HEADS BREW get Get gEt 0 _ !#$%&'*+-.^_`|~";
    let tunnels = "shop.example:443 169.254.169.254:80 /healthz shop.example [::1]:22 http://shop.example/";
    let head = |target: &str| asks(&format!("HEAD {target}"));
    [
        words(NOT_ALLOWED, refused, |method| asks(&format!("{method} /product/1"))),
        words(NOT_ALLOWED, tunnels, |target| asks(&format!("CONNECT {target}"))),
        each(NOT_ALLOWED, ["OPTIONS /healthz", "TRACE /healthz"], asks),
        each(BAD, ["POST shop.example:80", "CONNECT ", "POST *", "OPTIONS **", "OPTIONS *?a"], asks),
        words(OK, "/healthz /product/1 /_data/product/1 /favicon.svg /robots.txt", head),
        words(MISSING, "/missing /product/0", head),
        words(&[308], "/products/ /product/007", head),
        rows([
            (&[303], head("/search?q=red")),
            (&[204], asks("OPTIONS *")),
            (NOT_ALLOWED, asks("CONNECT s:443").repeat(2)),
            (NOT_ALLOWED, asks(&format!("{} /", "x".repeat(20_000)))),
            (NOT_ALLOWED, "TRACE /healthz HTTP/1.1\r\nhost: s\r\nmax-forwards: 0\r\n\r\n".into()),
        ]),
    ]
    .concat()
}

/// Targets in their four forms.
fn targets() -> Vec<Case> {
    let taken = "/healthz /healthz? http://shop.example/healthz http://elsewhere.example/healthz
        https://shop.example/healthz ftp://shop.example/healthz ws://shop.example/healthz
        http://shop.example http://shop.example?a http://user:secret@shop.example/healthz
        http://shop.example:99999/healthz HTTP://SHOP.EXAMPLE/healthz http://shop.example:80/healthz
        http://[::1]:80/healthz http://shop.example/healthz#part";
    let missing = r"/../../etc/passwd /%2e%2e/%2e%2e/etc/passwd /%00 /% /%zz /%0d%0aset-cookie:%20a=b /ü
        //healthz /\healthz /%68ealthz /healthz;v=1 /HEALTHZ /healthz/ http://shop.example/missing";
    let refused = r"shop.example shop.example:80 user@shop.example:80 [::1]:80 healthz ./healthz \healthz
        %2fhealthz * ? % #part http:// http:/healthz http:///healthz http:///shop.example/healthz
        http://[::1/healthz h_ttp://shop.example/healthz javascript:alert(1) file:///etc/passwd
        data:text/html,x";
    let get = |target: &str| asks(&format!("GET {target}"));
    let query = |length: usize| get(&format!("/healthz?{}", "x".repeat(length - "/healthz?".len())));
    let no_text = |bytes: &[u8]| (BAD, [b"GET /", bytes, b" HTTP/1.1\r\nhost: s\r\n\r\n"].concat());
    [
        words(OK, taken, get),
        words(MISSING, missing, get),
        words(BAD, refused, get),
        // Broken UTF-8, an overlong form, half of a pair, and a character cut short.
        rows([b"\xc3\x28".as_slice(), b"\xc0\xaf", b"\xed\xa0\x80", b"\xf0\x9f\x9b"].map(no_text)),
        rows([
            (BAD, get("http://shop .example/healthz")),
            (&[308], get("http://elsewhere.example/products/")),
            (OK, query(8_192)),
            (&[414], query(8_193)),
            (&[414], query(30_000)),
            (HEAD_TOO_LARGE, query(40_000)),
            (HEAD_TOO_LARGE, query(1_000_000)),
            (MISSING, get(&"/".repeat(8_000))),
            (MISSING, get(&"/..".repeat(2_000))),
            (MISSING, get(&format!("/{}", "%2f".repeat(2_000)))),
            (OK, get(&format!("/healthz{}", "?".repeat(8_000)))),
            (OK, get(&format!("/healthz?{}", "&".repeat(8_000)))),
            (OK, get(&format!("/healthz?{}", "%".repeat(8_000)))),
        ]),
    ]
    .concat()
}

fn versions() -> Vec<Case> {
    let refused = r"HTTP/0.9 HTTP/1.2 HTTP/1.9 HTTP/2.0 HTTP/2 HTTP/3.0 HTTP/1.10 HTTP/1.11 http/1.1
        Http/1.1 HTTP/11 HTTP/1,1 HTP/1.1 HTTP/-1.1 HTTP/1. HTTP/.1 HTTP/01.1 HTTP/1.1.1 HTTP/1.1x
        HTTP/a.b HTTPS/1.1 ICAP/1.0 RTSP/1.0 HTTP//1.1 HTTP\1.1 /";
    let version = |version: &str| line(&format!("GET /healthz {version}"));
    let old = "GET /healthz HTTP/1.0\r\n";
    [
        words(BAD, refused, version),
        each(BAD, ["HTTP/ 1.1", "HTTP 1.1", "HTTP/1.1 ", "HTTP/1.1\t"], version),
        rows([
            (OK, version("HTTP/1.0")),
            (OK, format!("{old}\r\n")),
            (OK, format!("{old}\r\n").repeat(2)),
            (BOTH, format!("{old}connection: keep-alive\r\n\r\n").repeat(2)),
            (BAD, format!("{old}host: a\r\nhost: b\r\n\r\n")),
            (BAD, "POST / HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n".into()),
            (BAD, "POST / HTTP/1.0\r\ntransfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n".into()),
        ]),
    ]
    .concat()
}

fn no_requests() -> Vec<Case> {
    let spaces = " /healthz HTTP/1.1|GET HTTP/1.1|GET  HTTP/1.1|GET  /healthz HTTP/1.1|GET /healthz  HTTP/1.1|\
        GET\t/healthz HTTP/1.1|GET /healthz\tHTTP/1.1|GET /healthz now HTTP/1.1| GET /healthz HTTP/1.1";
    let other_protocols = "GET /\r\n|SSH-2.0-OpenSSH_9.6\r\n|EHLO shop.example\r\n|*1\r\n$4\r\nPING\r\n|\
        PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\nGET / HTTP/1.1\r\nhost: s\r\n\r\n|{\"a\":1}\r\n\r\n|\
        HTTP/1.1 200 OK\r\n\r\n";
    let after = |before: &str| format!("{before}{}", asks("GET /healthz"));
    [
        each(BAD, spaces.split('|'), line),
        each(BAD, other_protocols.split('|'), str::to_owned),
        each(OK, ["\r\n\r\n", "\n\n", &"\r\n".repeat(1_000)], after),
        each(CLOSED, ["", &"\r\n".repeat(100), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"], str::to_owned),
        rows([
            (BAD, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec()),
            (BAD, vec![0xff; 100]),
            (BAD, vec![0; 100]),
        ]),
    ]
    .concat()
}

/// Whether methods and names of headers may contain this byte besides letters and digits.
fn is_of_tokens(byte: u8) -> bool {
    b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// ASCII characters that are neither letters nor digits, and bytes that are no character, in each part of a head.
fn odd_bytes() -> Vec<Case> {
    let is_odd = |byte: &u8| !byte.is_ascii_alphanumeric();
    let mut cases = Vec::new();
    for byte in (0..=0x7f).filter(is_odd).chain([0x80, 0xa0, 0xc0, 0xff]) {
        let is_printable = byte.is_ascii_graphic();
        let is_of_targets = is_printable && !b"<>".contains(&byte);
        let in_method = if is_of_tokens(byte) { NOT_ALLOWED } else { BAD };
        let in_path: Expected = match byte {
            b'#' | b'?' => OK,
            _ if is_of_targets && byte != b'`' => MISSING,
            _ => BAD,
        };
        let ok_if = |is_ok: bool| if is_ok { OK } else { BAD };
        for (expected, before, after) in [
            (in_method, "G", "T /healthz HTTP/1.1\r\n"),
            (in_path, "GET /healthz", "x HTTP/1.1\r\n"),
            (ok_if(is_of_targets && byte != b'"'), "GET /healthz?", "x HTTP/1.1\r\n"),
            // A colon ends the name, and the rest is the value.
            (ok_if(is_of_tokens(byte) || byte == b':'), "GET /healthz HTTP/1.1\r\nx", "y: z\r\n"),
            (
                ok_if(is_printable || b" \t".contains(&byte) || !byte.is_ascii()),
                "GET /healthz HTTP/1.1\r\nx: y",
                "z\r\n",
            ),
        ] {
            let bytes = [before.as_bytes(), &[byte], after.as_bytes(), b"host: s\r\n\r\n"].concat();
            cases.push(Case { bytes, expected });
        }
    }
    cases
}

/// A request that ends too early, wherever that is.
fn cuts() -> Vec<Case> {
    let whole = headers("accept: */*");
    (1..whole.len()).map(|length| Case { bytes: whole[..length].into(), expected: CLOSED }).collect()
}
