//! What surrounds the server bundle in every isolate: V8's flags, and the host's functions that the bundle calls.

use deno_core::url::{Url, quirks};
use deno_core::{OpState, op2, serde};

/// The script name of the bundle; source-mapped frames are resolved against it.
pub(super) const BUNDLE_NAME: &str = "vitrine:///ssr/bundle.js";

/// Sets V8's flags for the whole process, before its first isolate.
///
/// # Panics
/// Panics when V8 does not know one of them, because it was written for another version.
#[cfg(feature = "v8")]
pub(super) fn set_v8_flags() {
    let unknown = deno_core::v8_set_flags(
        [
            "vitrine",
            // In KiB. The isolates' threads have 8 MiB of stack, of which V8 by default uses only one and
            // fails on deep component trees.
            "--stack-size=6144",
            // Loop unrolling also removes a loop's interrupt checks, and then neither the watchdog nor the
            // heap limit can end an endless loop that allocates.
            "--no-turboshaft-loop-unrolling",
            // React makes error objects when it is evaluated. By default V8 then parses the script again, to find
            // where the functions on their stacks are; that was a fifth of the time until the first page.
            "--no-enable-lazy-source-positions",
            // V8's middle compiler, Maglev, compiles a function after 400 calls, which the first renders of a
            // start reach: its threads competed with the first page for 7 ms of a core.
            "--invocation-count-for-maglev=2000",
            // An idle isolate that returns memory collects garbage several times in a row, after which V8 takes the
            // code for unused and drops it. It would compile all of it again for the next pages.
            "--no-flush-bytecode",
        ]
        .map(String::from)
        .into(),
    );
    assert_eq!(unknown, ["vitrine"], "V8 has no such flags");
}

deno_core::extension!(vitrine_host, ops = [op_parse_url, op_console]);

/// The parts of a parsed URL, under the names of the web's `URL`.
#[derive(serde::Serialize)]
#[serde(crate = "deno_core::serde")]
struct UrlParts {
    href: String,
    origin: String,
    protocol: String,
    host: String,
    hostname: String,
    port: String,
    pathname: String,
    search: String,
    hash: String,
}

/// Parses a URL by the WHATWG URL standard, as browsers do. `None` when `href` is not a URL; an empty
/// `base` means no base.
#[op2]
#[serde]
fn op_parse_url(#[string] href: &str, #[string] base: &str) -> Option<UrlParts> {
    let base = if base.is_empty() { None } else { Some(Url::parse(base).ok()?) };
    let url = Url::options().base_url(base.as_ref()).parse(href).ok()?;
    Some(UrlParts {
        href: quirks::href(&url).into(),
        origin: quirks::origin(&url),
        protocol: quirks::protocol(&url).into(),
        host: quirks::host(&url).into(),
        hostname: quirks::hostname(&url).into(),
        port: quirks::port(&url).into(),
        pathname: quirks::pathname(&url).into(),
        search: quirks::search(&url).into(),
        hash: quirks::hash(&url).into(),
    })
}

/// Receives the lines that the bundle writes to its console. Kept in the isolate's state.
pub(super) struct Console(pub(super) Box<dyn FnMut(&str)>);

/// The bundle's console.
#[op2(fast)]
fn op_console(state: &mut OpState, #[string] line: &str) {
    let Console(write) = state.borrow_mut();
    write(line);
}
