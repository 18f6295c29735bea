//! What /proc tells of a process.

use std::time::Duration;

use anyhow::{Context as _, Result};

pub(crate) struct Sample {
    /// Seconds since the start of the run.
    at: f64,
    /// Memory of its own, in bytes.
    pub(crate) memory: f64,
    pub(crate) threads: i64,
    pub(crate) descriptors: i64,
}

impl Sample {
    pub(crate) fn of(process: u32, at: Duration) -> Result<Self> {
        let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
        let number = |name: &str| -> Result<i64> {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).context("no such line")?;
            Ok(line.trim().trim_end_matches(" kB").parse()?)
        };
        Ok(Self {
            at: at.as_secs_f64(),
            memory: number("RssAnon:")? as f64 * 1_024.0,
            threads: number("Threads:")?,
            descriptors: i64::try_from(std::fs::read_dir(format!("/proc/{process}/fd"))?.count())?,
        })
    }
}

/// A straight line through the memory of some samples.
pub(crate) struct Fit {
    /// Bytes a second.
    pub(crate) slope: f64,
    /// Growth from the line's start to its end, as a share of its start.
    pub(crate) growth: f64,
}

/// Least squares: single samples jump with every garbage collection, a line through hundreds does not.
pub(crate) fn fit(samples: &[Sample]) -> Fit {
    let count = samples.len() as f64;
    let mean = |value: fn(&Sample) -> f64| samples.iter().map(value).sum::<f64>() / count;
    let (at, memory) = (mean(|sample| sample.at), mean(|sample| sample.memory));
    let covariance: f64 = samples.iter().map(|sample| (sample.at - at) * (sample.memory - memory)).sum();
    let variance: f64 = samples.iter().map(|sample| (sample.at - at).powi(2)).sum();
    let slope = if variance > 0.0 { covariance / variance } else { 0.0 };
    let ends = samples.first().zip(samples.last()).map_or(0.0, |(first, last)| last.at - first.at);
    let begin = memory - slope * ends / 2.0;
    Fit { slope, growth: if begin > 0.0 { slope * ends / begin } else { 0.0 } }
}
