//! A picture of the times of pages for `docs/performance.md`.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::Result;

use crate::common::latencies::milliseconds;

/// Set this variable to write the picture.
const UPDATE: &str = "UPDATE_PERFORMANCE";
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/images/complexity.svg");

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
/// Room around the lines: left, top, right with the names, bottom.
const MARGINS: [f64; 4] = [60.0, 20.0, 200.0, 40.0];
/// The axis of times in milliseconds, from the bottom to the top.
const TIMES: [f64; 2] = [0.1, 1_000.0];
const COLOURS: [&str; 10] = [
    "#1b6ca8", "#c0392b", "#27865a", "#8e44ad", "#b9770e", "#117a8b", "#7f3f00", "#5d6d7e", "#ad1457",
    "#33691e",
];

/// The median times of one kind of page, one for each size.
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) medians: [Duration; 3],
}

/// Writes the picture of lines over numbers of products, if the variable is set.
pub(crate) fn save_if_wanted(sizes: [usize; 3], lines: &[Line]) -> Result<()> {
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(FILE, picture(sizes, lines))?;
    }
    Ok(())
}

/// The share of the way from `low` to `high` on a logarithmic axis.
fn share(value: f64, low: f64, high: f64) -> f64 {
    (value / low).ln() / (high / low).ln()
}

fn picture(sizes: [usize; 3], lines: &[Line]) -> String {
    let [left, top, right, bottom] = MARGINS;
    let x =
        |size: usize| left + share(size as f64, sizes[0] as f64, sizes[2] as f64) * (WIDTH - left - right);
    let y = |time: f64| HEIGHT - bottom - share(time, TIMES[0], TIMES[1]) * (HEIGHT - top - bottom);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n"
    );
    for time in [0.1, 1.0, 10.0, 100.0, 1_000.0] {
        let (y, end) = (y(time), WIDTH - right);
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {y:.1}H{end}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{time} ms</text>",
            left - 6.0,
            y + 4.0
        );
    }
    for size in sizes {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{size} products</text>",
            x(size),
            HEIGHT - 14.0
        );
    }
    let end = |line: &Line| y(milliseconds(line.medians[2]));
    // The names stand in the order of their lines, far enough from each other to be read.
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by(|&one, &other| end(&lines[one]).total_cmp(&end(&lines[other])));
    let mut lowest = top;
    for number in order {
        let (line, colour) = (&lines[number], COLOURS[number % COLOURS.len()]);
        let point = |(size, time): (usize, Duration)| format!("{:.1},{:.1}", x(size), y(milliseconds(time)));
        let points: Vec<String> = sizes.into_iter().zip(line.medians).map(point).collect();
        lowest = (lowest + 15.0).max(end(line) + 4.0);
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/><text x=\"{:.1}\" y=\"{lowest:.1}\" fill=\"{colour}\">{}</text>",
            points.join(" "),
            WIDTH - right + 8.0,
            line.name
        );
    }
    svg + "</svg>\n"
}
