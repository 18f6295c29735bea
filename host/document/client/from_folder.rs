//! The client from the folder of bundles, in builds for development.

use super::parts::{Asset, Client, FirstPaint, FirstScreen};
use crate::dev::bundles;

/// Reads the client.
pub(super) fn read() -> Client {
    let entries = &bundles().manifest;
    Client {
        build: entries.build.as_str(),
        files: bundles().names("client").map(|name| asset("client", name)).collect::<Vec<_>>().leak(),
        early_script: bundles().text("early.js"),
        script: entries.script.as_str(),
        styles: entries.styles.as_str(),
        font: entries.font.as_str(),
        first_paint: FirstPaint {
            home: first_screen("home"),
            own_home: first_screen("own_home"),
            listing: first_screen("listing"),
            rows: first_screen("rows"),
            product: first_screen("product"),
            overview: first_screen("overview"),
            message: first_screen("message"),
            plain: bundles().text("first-paint/plain.css"),
        },
        service_worker: asset("worker", "serviceWorker.js"),
        service_worker_removal: asset("worker", "removal.js"),
    }
}

fn first_screen(kind: &str) -> FirstScreen {
    let text = |name: &str| bundles().text(&format!("first-paint/{kind}{name}"));
    FirstScreen {
        styles: text(".css"),
        further_styles: text("-further.css"),
        icons: text(".svg"),
        further_icons: text("-further.svg"),
    }
}

fn asset(folder: &str, name: &'static str) -> Asset {
    let content_type = match name.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("map") => "application/json",
        Some("woff2") => "font/woff2",
        _ => "text/plain; charset=utf-8",
    };
    Asset { name, content_type, identity: bundles().bytes(&format!("{folder}/{name}")), compressed: None }
}
