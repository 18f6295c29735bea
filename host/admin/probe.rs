//! Whether pages can be rendered, at little cost however often that is asked.

use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use crate::contract::PageJson;
use crate::observe::ErrorChain;
use crate::render::{RenderError, Renderer};

/// How long the outcome of a render is used for further probes, so that probes cost little however many
/// there are.
const PROBED_FOR: Duration = Duration::from_secs(2);

/// The page that probes render, and the latest outcome.
pub(super) struct Probe {
    page: PageJson,
    /// Held while a probe renders, so that others wait for the same outcome.
    latest: Mutex<Option<(Instant, Rendering)>>,
}

/// The outcome of a probe's render.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rendering {
    Works,
    /// Every isolate is busy: no reason to send visitors elsewhere, where there would be too many of them as well.
    Busy,
    Fails,
}

impl Rendering {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Works => "ok",
            Self::Busy => "busy",
            Self::Fails => "failed",
        }
    }
}

impl Probe {
    pub(super) fn new(page: PageJson) -> Self {
        Self { page, latest: Mutex::default() }
    }

    /// Renders, unless the latest outcome is recent.
    pub(super) async fn rendering(&self, renderer: &Renderer) -> Rendering {
        let mut latest = self.latest.lock().await;
        if let Some((at, rendering)) = *latest
            && at.elapsed() < PROBED_FOR
        {
            return rendering;
        }
        let rendering = match renderer.render(self.page.clone()).await {
            Ok(_) => Rendering::Works,
            Err(RenderError::Refused(_)) => Rendering::Busy,
            Err(error) => {
                tracing::error!(error = %ErrorChain(&error), "the page of a probe was not rendered");
                Rendering::Fails
            }
        };
        *latest = Some((Instant::now(), rendering));
        rendering
    }
}
