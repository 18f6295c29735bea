//! A page for people: the state of the shop in a few figures.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse as _, Response};

use super::Admin;
use super::metrics::{ENGINE, version_on_sale};
use super::probe::Rendering;
use crate::observe::{ErrorChain, SOFTWARE};
use crate::share::{OperationResult, Share};

/// The page needs no script, and loads nothing.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
);

#[derive(Template)]
#[template(path = "status.html", config = "host/askama.toml")]
struct StatusPage {
    software: &'static str,
    is_ready: bool,
    /// What is wrong or noteworthy.
    notes: Vec<String>,
    groups: Vec<Group>,
}

/// Figures under a heading.
struct Group {
    heading: &'static str,
    figures: Vec<(&'static str, String)>,
}

/// Answers with the page.
pub(super) async fn show(State(admin): State<Arc<Admin>>) -> Response {
    let rendering = admin.probe.rendering(admin.shop.renderer()).await;
    let is_stocked = admin.shop.catalogue().is_stocked();
    let notes = notes(&admin, rendering, is_stocked);
    let mut groups = vec![shop(&admin), requests(&admin), renders(&admin, rendering), catalogue(&admin)];
    groups.extend(admin.share.as_ref().map(replicas));
    let page = StatusPage {
        software: SOFTWARE,
        is_ready: rendering != Rendering::Fails && is_stocked,
        notes,
        groups,
    };
    match page.render() {
        Ok(html) => {
            let headers = [
                (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
                (header::CONTENT_SECURITY_POLICY, POLICY),
                (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            ];
            (headers, Html(html)).into_response()
        }
        Err(error) => {
            tracing::error!(error = %ErrorChain(&error), "the status was not shown");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

fn notes(admin: &Admin, rendering: Rendering, is_stocked: bool) -> Vec<String> {
    let mut notes = Vec::new();
    match rendering {
        Rendering::Works => {}
        Rendering::Busy => {
            notes.push("Every isolate is busy; browsers draw pages that are not cached.".into())
        }
        Rendering::Fails => notes.push("No page can be rendered.".into()),
    }
    if !is_stocked {
        notes.push("The catalogue has given no products yet.".into());
    }
    if admin.shop.pressure().is_tight() {
        notes.push("Memory is short: no new page is made.".into());
    }
    let status = admin.shop.catalogue().status();
    if let Some(trouble) = &status.trouble {
        notes.push(format!("The catalogue was not read: {trouble}."));
    }
    let open: Vec<&str> =
        status.breakers.iter().filter(|(_, is_open)| *is_open).map(|(name, _)| *name).collect();
    if !open.is_empty() {
        notes
            .push(format!("The catalogue service fails and is left alone for a while: {}.", open.join(", ")));
    }
    if let Some(path) = admin.refused.path() {
        let help = match &admin.restarts {
            Some(_) => "The supervisor is asked for another worker.",
            None => "Start the shop again, or use --supervise.",
        };
        notes.push(format!("The sandbox does not know what is now at {}. {help}", path.display()));
    }
    if admin.share.as_ref().is_some_and(|share| !share.is_up()) {
        notes.push("The server that replicas share is in trouble; this replica is alone.".into());
    }
    let outdated = admin.shop.catalogue().outdated_for();
    if !outdated.is_zero() {
        notes.push(format!("The catalogue has given no new answers for {}.", span(outdated)));
    }
    notes
}

fn shop(admin: &Admin) -> Group {
    let restarts = admin.restarts.as_ref().map_or("no supervisor".into(), |restarts| {
        let (died, hung, ordered) = (restarts.died.get(), restarts.hung.get(), restarts.ordered.get());
        format!("{} ({died} died, {hung} hung, {ordered} by order)", died + hung + ordered)
    });
    let figures = vec![
        ("Version", format!("{} (engine {ENGINE})", env!("CARGO_PKG_VERSION"))),
        ("Worker", format!("{}, started {} ago", std::process::id(), span(admin.started.elapsed()))),
        ("Restarts", restarts),
        ("Sandbox", admin.sandbox.to_string()),
    ];
    Group { heading: "Shop", figures }
}

fn requests(admin: &Admin) -> Group {
    let requests = admin.shop.access().requests();
    let mut classes = [("2xx", 0), ("3xx", 0), ("4xx", 0), ("5xx", 0)];
    for route in requests.routes() {
        for (class, count) in route.by_class() {
            classes.iter_mut().filter(|(known, _)| *known == class).for_each(|(_, sum)| *sum += count);
        }
    }
    let repeated = admin.app.recent().map_or(0, |recent| recent.repeated.get());
    let cached = requests.fresh.get() + requests.stale.get() + repeated;
    let all = cached + requests.made.get();
    let answers = classes.iter().map(|(class, count)| format!("{count} {class}"));
    let cache = admin.shop.cached_answers();
    let counters = admin.connections.counters();
    let figures = vec![
        ("Answers", answers.collect::<Vec<_>>().join(", ")),
        ("From the cache", format!("{} %", (cached * 100).checked_div(all).unwrap_or_default())),
        (
            "Cached pages",
            format!("{} in {} of {} MiB", cache.number, cache.weight >> 20, cache.capacity >> 20),
        ),
        ("Connections", format!("{} open, {} so far", counters.open.get(), counters.accepted.get())),
    ];
    Group { heading: "Visitors", figures }
}

fn renders(admin: &Admin, rendering: Rendering) -> Group {
    let counters = admin.shop.renderer().counters();
    let failed =
        counters.failed.get() + counters.timeouts.get() + counters.out_of_memory.get() + counters.lost.get();
    let heap: u64 = counters.heaps().values().sum();
    let figures = vec![
        ("Last probe", rendering.text().into()),
        (
            "Renders",
            format!(
                "{} done, {failed} failed, {} too late, {} refused",
                counters.rendered.get(),
                counters.late(),
                counters.refused()
            ),
        ),
        ("Isolates", format!("{}, {} MiB of heap in use", counters.isolates.get(), heap >> 20)),
        ("Replaced", format!("{} lost, {} recycled", counters.lost_isolates.get(), counters.recycled.get())),
    ];
    Group { heading: "Renders", figures }
}

/// What is done with copies of pictures; `None` where none are made.
fn copies(admin: &Admin) -> Option<String> {
    let copies = admin.shop.copies()?;
    let counters = copies.counters();
    let (taken, most) = copies.taken().unwrap_or_default();
    Some(format!(
        "{} made, {} failed, {} under way; {} of {} MiB",
        counters.made.get(),
        counters.failed.get(),
        copies.jobs(),
        taken >> 20,
        most >> 20
    ))
}

fn catalogue(admin: &Admin) -> Group {
    let status = admin.shop.catalogue().status();
    let mut figures = Vec::new();
    if let Some(calls) = &status.calls {
        let (made, retries) = (calls.calls.get(), calls.retries.get());
        figures.push(("Calls", format!("{made}, {retries} of them retries")));
        figures.push(("Left out", format!("{} invalid entries and values", calls.dropped_entries.get())));
    } else {
        let is_sample = status.copy.is_none();
        figures
            .push(("Source", if is_sample { "the embedded sample" } else { "a file, feed or shop" }.into()));
    }
    if let Some(pass) = &status.pass {
        figures.push(("Reading", pass.to_string()));
    }
    if let Some((products, age)) = status.copy {
        figures.push(("Copy", format!("{products} products, {} old", span(age))));
    }
    if let Some((name, since)) = version_on_sale(admin) {
        figures.push(("Version", format!("{name}, of {}", since.strftime("%F %T UTC"))));
    }
    if status.calls.is_some() {
        let last = status.silence.map_or("none yet".into(), |silence| format!("{} ago", span(silence)));
        figures.push(("Last answer", last));
    }
    figures.extend(copies(admin).map(|copies| ("Copies of pictures", copies)));
    Group { heading: "Catalogue", figures }
}

fn replicas(share: &Share) -> Group {
    let counters = share.counters();
    let operations = |result| counters.operations(result).get();
    let figures = vec![
        ("Server", format!("{}, {}", share.address(), if share.is_up() { "answers" } else { "in trouble" })),
        (
            "Versions",
            format!(
                "{} sent, {} received{}",
                counters.versions_sent.get(),
                counters.versions_received.get(),
                if share.is_reader() { "; this replica reads for all" } else { "" }
            ),
        ),
        (
            "Purges",
            format!("{} sent, {} received", counters.orders_sent.get(), counters.orders_received.get()),
        ),
        (
            "Exchanges",
            format!(
                "{} answered, {} refused, {} failed",
                operations(OperationResult::Answered),
                operations(OperationResult::Refused),
                operations(OperationResult::Failed)
            ),
        ),
    ];
    Group { heading: "Replicas", figures }
}

/// A length of time in its largest two units.
fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min {} s", seconds / 60, seconds % 60),
        3_600..86_400 => format!("{} h {} min", seconds / 3_600, seconds / 60 % 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds / 3_600 % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_its_largest_two_units() {
        for (seconds, text) in [(5, "5 s"), (61, "1 min 1 s"), (7_260, "2 h 1 min"), (90_000, "1 d 1 h")] {
            assert_eq!(span(Duration::from_secs(seconds)), text);
        }
    }
}
