//! Real pictures of every kind, made by libvips; see `tests/cases/pictures/README.md`.

use std::io::Cursor;

use super::copies::{self, make};
use super::decode;
use super::*;

macro_rules! picture {
    ($name:literal) => {
        include_bytes!(concat!("../../tests/cases/pictures/", $name)).as_slice()
    };
}

fn header(bytes: &[u8]) -> Header {
    Header::read(Kind::of(bytes).expect("a kind"), Cursor::new(bytes)).expect("a cursor can be read")
}

/// The picture that a copy shows, in its own decoding.
fn shown(copy: &[u8]) -> pixels::Pixels {
    decode::decode(copy, &header(copy), u32::MAX).unwrap().pixels
}

/// The copy of 160 pixels, which has the picture's own size.
fn copy(bytes: &[u8]) -> Vec<u8> {
    let header = header(bytes);
    // As if the file were large: a copy that is not smaller is left out.
    let padded = [bytes, &[0; 20_000]].concat();
    let made = make(&padded, &header, Size::Width(Width::W160)).unwrap();
    assert_eq!(made.copies.len(), 1);
    let (size, copy) = made.copies.into_iter().next().unwrap();
    assert_eq!(size, Size::Width(Width::W160));
    copy.unwrap()
}

/// The pictures that are copied. All show a disc of blue in a quarter of a ground that has little of it.
const COPIED: [(&str, &[u8]); 19] = [
    ("baseline", picture!("baseline.jpg")),
    ("progressive", picture!("progressive.jpg")),
    ("4:4:4", picture!("444.jpg")),
    ("p3.jpg", picture!("p3.jpg")),
    ("p3.png", picture!("p3.png")),
    ("p3.webp", picture!("p3.webp")),
    ("alpha.png", picture!("alpha.png")),
    ("16 bits", picture!("16-bits.png")),
    ("palette", picture!("palette.png")),
    ("alpha.webp", picture!("alpha.webp")),
    ("lossless.webp", picture!("lossless.webp")),
    ("1", picture!("orientation-1.jpg")),
    ("2", picture!("orientation-2.jpg")),
    ("3", picture!("orientation-3.jpg")),
    ("4", picture!("orientation-4.jpg")),
    ("5", picture!("orientation-5.jpg")),
    ("6", picture!("orientation-6.jpg")),
    ("7", picture!("orientation-7.jpg")),
    ("8", picture!("orientation-8.jpg")),
];

#[test]
fn every_kind_is_copied_with_its_colours_and_turned_as_it_is_shown() {
    for (name, bytes) in COPIED {
        let header = header(bytes);
        let turned = ["5", "6", "7", "8"].contains(&name);
        assert_eq!((header.width, header.height), if turned { (64, 96) } else { (96, 64) }, "{name}");
        assert_eq!(header.as_is, None, "{name}");
        let copy = copy(bytes);
        let pixels = shown(&copy);
        assert_eq!((pixels.width, pixels.height), (header.width as usize, header.height as usize), "{name}");
        assert_eq!(pixels.has_alpha, name.starts_with("alpha") || name.starts_with("lossless"), "{name}");
        // Where the disc is: right, and below.
        let (right, below) = match name {
            "2" | "6" => (true, false),
            "3" | "7" => (true, true),
            "4" | "8" => (false, true),
            _ => (false, false),
        };
        let quarter = |side: usize, far: bool| if far { side - 1 - side / 4 } else { side / 4 };
        let disc = pixels.at(quarter(pixels.width, right), quarter(pixels.height, below));
        let ground = pixels.at(quarter(pixels.width, !right), quarter(pixels.height, !below));
        assert!(disc[2] > 150 && disc[0] < 80, "{name}: {disc:?}");
        assert!(ground[2] < 110 || ground.get(3) == Some(&0), "{name}: {ground:?}");
    }
}

#[test]
fn grey_stays_grey() {
    let pixels = shown(&copy(picture!("grey.jpg")));
    assert!(pixels.bytes.chunks(3).all(|pixel| pixel.iter().all(|value| value.abs_diff(pixel[0]) <= 2)));
}

#[test]
fn a_copy_carries_nothing_but_a_profile() {
    for (name, bytes) in COPIED {
        let copy = copy(bytes);
        let has = |text: &[u8]| copy.windows(text.len()).any(|part| part == text);
        assert!(!has(b"EXIF") && !has(b"Exif") && !has(b"XMP "), "{name}");
        // libvips adds a profile of sRGB along with an orientation.
        let had = name.starts_with("p3") || name.parse::<u8>().is_ok();
        assert_eq!(has(b"ICCP"), had, "{name}");
        let header = header(&copy);
        assert_eq!(header.as_is, None, "{name}: the copy can be read");
    }
}

#[test]
fn what_is_not_copied_is_known_from_its_header() {
    for (name, bytes, expected) in [
        ("CMYK", picture!("cmyk.jpg"), AsIs::Cmyk),
        ("GIF", picture!("animated.gif"), AsIs::Kind),
        ("AVIF", picture!("still.avif"), AsIs::Kind),
        ("animated WebP", picture!("animated.webp"), AsIs::Frames),
        ("cut", &picture!("baseline.jpg")[..40], AsIs::Header),
        ("cut", &picture!("alpha.png")[..20], AsIs::Header),
        ("cut", &picture!("alpha.webp")[..18], AsIs::Header),
    ] {
        assert_eq!(header(bytes).as_is, Some(expected), "{name}");
        assert!(!Size::Width(Width::W160).is_of(&header(bytes)), "{name}");
    }
    assert_eq!((header(picture!("animated.gif")).width, header(picture!("animated.gif")).height), (96, 64));
    // The checksum is not read, so that only the sides change. 12,000 × 12,000 is too many, and so is no side at all.
    let with_sides = |width: u32, height: u32| {
        let mut png = picture!("16-bits.png").to_vec();
        png[16..20].copy_from_slice(&width.to_be_bytes());
        png[20..24].copy_from_slice(&height.to_be_bytes());
        header(&png).as_is
    };
    assert_eq!(with_sides(12_000, 12_000), Some(AsIs::Pixels));
    assert_eq!(with_sides(10_000, 5_000), None);
    for (width, height) in [(0, 1), (1, 0), (u32::MAX, u32::MAX), (70_000, 1)] {
        assert_eq!(with_sides(width, height), Some(AsIs::Header), "{width}x{height}");
    }
}

#[test]
fn a_picture_that_is_cut_or_is_not_what_its_header_says_is_no_copy_and_no_panic() {
    for (name, bytes) in COPIED {
        let header = header(bytes);
        for length in [30, bytes.len() / 3] {
            // A JPEG that ends early may be decoded as far as it goes.
            if let Err(error) = make(&bytes[..length], &header, Size::Width(Width::W160)) {
                assert!(!error.to_string().is_empty(), "{name}");
            }
        }
        let other = Header { width: header.width + 1, ..header };
        assert!(make(bytes, &other, Size::Width(Width::W160)).is_err(), "{name}");
    }
    assert!(make(b"", &header(picture!("baseline.jpg")), Size::Fit).is_err());
}

#[test]
fn a_picture_is_what_its_content_says() {
    let webp = b"RIFF\0\0\0\0WEBPVP8 ";
    for (content, kind) in [
        (&b"\xff\xd8\xff\xe0"[..], Some(Kind::Jpeg)),
        (b"\x89PNG\r\n\x1a\n\0", Some(Kind::Png)),
        (webp, Some(Kind::WebP)),
        (b"GIF89a..", Some(Kind::Gif)),
        (b"\0\0\0\x1cftypavif\0\0\0\0", Some(Kind::Avif)),
        (b"\0\0\0\x1cftypheic\0\0\0\0", None),
        (b"RIFF\0\0\0\0WAVEfmt ", None),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", None),
        (b"<html>", None),
        (b"", None),
    ] {
        assert_eq!(Kind::of(content), kind, "{content:?}");
    }
    for length in 0..webp.len() {
        assert_eq!(Kind::of(&webp[..length]).is_some(), length >= 12, "{length}");
    }
}

#[test]
fn a_picture_has_the_widths_up_to_its_own_and_the_next_above() {
    let widths = |width| {
        let header = Header { width, height: 10, ..header(picture!("baseline.jpg")) };
        Width::of(&header).into_iter().map(Width::pixels).collect::<Vec<_>>()
    };
    assert_eq!(widths(1), [160]);
    assert_eq!(widths(160), [160]);
    assert_eq!(widths(161), [160, 320]);
    assert_eq!(widths(1_500), [160, 320, 480, 800, 1_600]);
    assert_eq!(widths(9_000), [160, 320, 480, 800, 1_600]);
    for (text, size) in [
        ("160.webp", Some(Size::Width(Width::W160))),
        ("1600.webp", Some(Size::Width(Width::W1600))),
        ("preview.jpg", Some(Size::Preview)),
        ("0160.webp", None),
        ("161.webp", None),
        ("160.jpg", None),
        ("160", None),
        ("", None),
    ] {
        assert_eq!(Size::parse(text), size, "{text}");
    }
}

#[test]
fn a_copy_that_is_not_smaller_than_the_picture_is_left_out() {
    let lossless = picture!("lossless.webp");
    let made = make(lossless, &header(lossless), Size::Width(Width::W160)).unwrap();
    assert!(matches!(made.copies[..], [(_, None)]), "{} bytes", lossless.len());
}

#[test]
fn a_preview_is_whole_on_white_and_small() {
    for bytes in [picture!("baseline.jpg"), picture!("alpha.png")] {
        let made = make(bytes, &header(bytes), Size::Preview).unwrap();
        let [(Size::Preview, Some(preview))] = &made.copies[..] else { panic!("no preview") };
        assert!(preview.len() <= 300 << 10);
        let header = header(preview);
        assert_eq!((header.width, header.height), (1_200, 630));
        let pixels = shown(preview);
        assert!(pixels.at(5, 300).iter().all(|value| *value > 250));
        // 96 × 64 pixels are not made larger.
        assert!(pixels.at(600 - 24, 315 - 16)[2] > 150);
    }
}

#[test]
fn memory_is_estimated_from_the_header() {
    let jpeg = header(picture!("baseline.jpg"));
    let large = Header { width: 8_000, height: 6_000, ..jpeg };
    let mib = |header: &Header, width| copies::memory(header, Size::Width(width), 0) >> 20;
    assert!(mib(&large, Width::W800) <= 40, "{} MiB", mib(&large, Width::W800));
    let progressive = Header { is_progressive: true, ..large };
    assert!(
        mib(&progressive, Width::W160) >= 270,
        "all coefficients: {} MiB",
        mib(&progressive, Width::W160)
    );
    let png = Header { kind: Kind::Png, ..large };
    assert!(mib(&png, Width::W160) >= 366, "{} MiB", mib(&png, Width::W160));
}

mod any_bytes {
    use proptest::prelude::*;

    use super::super::fuzzing::check_header;
    use super::COPIED;

    proptest! {
        #[test]
        fn any_header_is_refused_or_within_its_bounds(
            number in 0..COPIED.len(),
            changes in prop::collection::vec((0..200_usize, any::<u8>()), 0..8),
            end in 0..2_000_usize,
        ) {
            let mut bytes = COPIED[number].1.to_vec();
            for (at, value) in changes {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = value;
                }
            }
            bytes.truncate(end);
            check_header(&bytes);
        }
    }
}

/// Times and sizes of the copies of the picture that `PICTURE` names, for a comparison with other programs.
#[test]
#[ignore = "prints figures of a picture that is not in the repository"]
fn figures() {
    let bytes = std::fs::read(std::env::var("PICTURE").unwrap()).unwrap();
    let header = header(&bytes);
    let size =
        std::env::var("WIDTH").ok().map_or(Size::Width(Width::W1600), |width| Size::parse(&width).unwrap());
    let before = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let made = make(&bytes, &header, size).unwrap();
    let after = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let ms = (after.tv_sec - before.tv_sec) * 1_000 + (after.tv_nsec - before.tv_nsec) / 1_000_000;
    let sizes: Vec<_> = made.copies.iter().map(|(size, copy)| (size, copy.as_ref().map(Vec::len))).collect();
    let memory = copies::memory(&header, size, bytes.len() as u64) >> 20;
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    eprintln!(
        "{header:?}\n{ms} ms of processor time, estimated {memory} MiB, {peak}, {:?}: {sizes:?}",
        made.fit
    );
}
