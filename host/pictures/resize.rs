//! Makes pictures smaller.

use std::f32::consts::PI;

use super::pixels::Pixels;

/// How far the filter reaches, in pixels of the result.
const REACH: f32 = 3.0;

/// The source of one row or column of the result: where it begins, and how much each counts.
struct Taps {
    begin: usize,
    weights: Vec<f32>,
}

/// Lanczos's filter with three lobes.
fn lanczos(x: f32) -> f32 {
    let sinc = |x: f32| if x.abs() < 1e-6 { 1.0 } else { (PI * x).sin() / (PI * x) };
    if x.abs() < REACH { sinc(x) * sinc(x / REACH) } else { 0.0 }
}

/// The sources of all rows or columns.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sides are at most 65,535, and begin and end are within the source"
)]
fn taps(from: usize, to: usize) -> Vec<Taps> {
    let scale = from as f32 / to as f32;
    let spread = scale.max(1.0);
    let of = |number: usize| {
        let middle = (number as f32 + 0.5) * scale;
        let begin = (middle - REACH * spread).floor().max(0.0) as usize;
        let end = ((middle + REACH * spread).ceil() as usize).min(from);
        let weights: Vec<f32> = (begin..end).map(|at| lanczos((at as f32 + 0.5 - middle) / spread)).collect();
        let sum: f32 = weights.iter().sum();
        Taps { begin, weights: weights.into_iter().map(|weight| weight / sum).collect() }
    };
    (0..to).map(of).collect()
}

/// The nearest value of a channel.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the value is from 0 to 255")]
fn channel(value: f32) -> u8 {
    (value + 0.5).clamp(0.0, 255.0) as u8
}

/// The picture with another size. Its colours are as opaque as they were: transparent ones count for nothing.
pub(super) fn resize(source: &Pixels, width: usize, height: usize) -> Pixels {
    if source.has_alpha {
        let mut pixels = scaled::<4>(&premultiplied(source), width, height);
        divide_by_alpha(&mut pixels);
        pixels
    } else {
        scaled::<3>(source, width, height)
    }
}

fn scaled<const CHANNELS: usize>(source: &Pixels, width: usize, height: usize) -> Pixels {
    let columns = taps(source.width, width);
    let mut bytes = Vec::with_capacity(width * height * CHANNELS);
    // One row of the source's width, which the compiler computes several bytes at a time.
    let mut row = vec![0.0; source.stride()];
    for Taps { begin, weights } in taps(source.height, height) {
        row.fill(0.0);
        let rows = source.bytes.chunks_exact(source.stride()).skip(begin);
        for (line, weight) in rows.zip(weights) {
            for (sum, byte) in row.iter_mut().zip(line) {
                *sum += weight * f32::from(*byte);
            }
        }
        let pixels = row.as_chunks::<CHANNELS>().0;
        for Taps { begin, weights } in &columns {
            let mut sums = [0.0; CHANNELS];
            for (pixel, weight) in pixels[*begin..].iter().zip(weights) {
                for (sum, value) in sums.iter_mut().zip(pixel) {
                    *sum += weight * value;
                }
            }
            bytes.extend(sums.map(channel));
        }
    }
    Pixels { width, height, has_alpha: source.has_alpha, bytes }
}

fn premultiplied(source: &Pixels) -> Pixels {
    let mut bytes = source.bytes.clone();
    for [colours @ .., alpha] in bytes.as_chunks_mut::<4>().0 {
        for colour in colours {
            *colour = channel(f32::from(*colour) * f32::from(*alpha) / 255.0);
        }
    }
    Pixels { bytes, ..*source }
}

fn divide_by_alpha(pixels: &mut Pixels) {
    for [colours @ .., alpha] in pixels.bytes.as_chunks_mut::<4>().0 {
        for colour in colours {
            *colour = if *alpha == 0 { 0 } else { channel(f32::from(*colour) * 255.0 / f32::from(*alpha)) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_colour_stays_one_colour_at_every_size() {
        for has_alpha in [false, true] {
            let colour = if has_alpha { &[200, 100, 50, 128][..] } else { &[200, 100, 50] };
            let source = Pixels { width: 37, height: 23, has_alpha, bytes: colour.repeat(37 * 23) };
            for (width, height) in [(37, 23), (16, 10), (1, 1)] {
                let smaller = resize(&source, width, height);
                assert_eq!((smaller.width, smaller.height), (width, height));
                for pixel in smaller.bytes.chunks(smaller.channels()) {
                    assert!(
                        pixel.iter().zip(colour).all(|(one, other)| one.abs_diff(*other) <= 1),
                        "{pixel:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn detail_that_is_too_fine_becomes_its_mean_and_edges_stay_where_they_are() {
        let checks = (0..64 * 64).flat_map(|at| [if (at % 64 + at / 64) % 2 == 0 { 0 } else { 255 }; 3]);
        let source = Pixels { width: 64, height: 64, has_alpha: false, bytes: checks.collect() };
        let middle = resize(&source, 8, 8);
        assert!(middle.at(4, 4)[0].abs_diff(128) <= 2, "{:?}", middle.at(4, 4));
        let halves = (0..64 * 64).flat_map(|at| [if at % 64 < 32 { 0 } else { 255 }; 3]).collect();
        let edge = resize(&Pixels { bytes: halves, ..source }, 16, 16);
        assert!(edge.at(6, 8)[0] < 20 && edge.at(9, 8)[0] > 235);
    }

    #[test]
    fn what_is_transparent_has_no_colour() {
        let half = (0..32 * 32).flat_map(|at| if at % 32 < 16 { [255, 0, 0, 255] } else { [0, 255, 0, 0] });
        let source = Pixels { width: 32, height: 32, has_alpha: true, bytes: half.collect() };
        for pixel in resize(&source, 9, 9).bytes.chunks(4).filter(|pixel| pixel[3] > 8) {
            assert!(pixel[0] > 240 && pixel[1] < 8, "{pixel:?}");
        }
    }
}
