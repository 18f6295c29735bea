//! Moments at which a sale begins or ends, as files write them.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::{Offset, TimeZone};

use crate::catalogue::model::is_moment;

/// The first and the last second of a sale, in seconds since 1970; `None` where the sale has no such limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Dates {
    pub(super) begin: Option<i64>,
    pub(super) end: Option<i64>,
}

impl Dates {
    /// Reads two moments; a blank text leaves that end open. `None` if one of them cannot be read.
    pub(super) fn read(begin: &str, end: &str) -> Option<Self> {
        let read = |text: &str, last| match text.trim() {
            "" => Some(None),
            text => moment(text, last).map(Some),
        };
        Some(Self { begin: read(begin, false)?, end: read(end, true)? })
    }

    pub(super) fn contain(self, now: i64) -> bool {
        self.begin.is_none_or(|begin| begin <= now) && self.end.is_none_or(|end| now <= end)
    }

    /// The seconds around `now` in which the sale begins, or has ended.
    pub(super) fn changes(self, now: i64) -> Changes {
        let changes = [self.begin, self.end.map(|end| end.saturating_add(1))];
        let changes = changes.into_iter().flatten();
        Changes {
            last: changes.clone().filter(|at| *at <= now).max(),
            next: changes.filter(|at| *at > now).min(),
        }
    }
}

/// The moments around one at which prices change, in seconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    pub(super) last: Option<i64>,
    pub(super) next: Option<i64>,
}

impl Changes {
    /// The nearest ones of both.
    pub(super) fn and(self, other: Self) -> Self {
        Self { last: self.last.max(other.last), next: self.next.into_iter().chain(other.next).min() }
    }

    /// Whether the prices between these moments are those of `now`. They are not after the next change, nor after the
    /// clock was set back before the last one.
    pub(super) fn contain(self, now: i64) -> bool {
        self.last.is_none_or(|last| last <= now) && self.next.is_none_or(|next| now < next)
    }
}

/// The moment since when a shop has a product, in seconds since 1970: a date with or without a time, also as `1.12.2026` or
/// `31/12/2026`. `None` if it cannot be read, or in two ways, as `1/2/2026`.
pub(super) fn added(text: &str) -> Option<i64> {
    let text = text.trim();
    let day = || {
        let date = text.split([' ', 'T', ',']).next()?;
        civil(date)?.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp().as_second())
    };
    moment(text, false).or_else(day).filter(|seconds| is_moment(*seconds))
}

/// A date of three numbers in the order that its separators and values show.
fn civil(text: &str) -> Option<Date> {
    let separator = text.chars().find(|sign| !sign.is_ascii_digit())?;
    let mut parts = text.split(separator);
    let [first, second, third] = [parts.next()?, parts.next()?, parts.next()?];
    let number = |part: &str| part.parse::<i16>().ok().filter(|number| *number >= 0);
    let year = |part: &str| {
        let number = number(part)?;
        match part.len() {
            4 => Some(number),
            2 => Some(2000 + number),
            _ => None,
        }
    };
    let numbers = (number(first)?, number(second)?, number(third)?);
    let (year, month, day) = match (separator, numbers) {
        ('/' | '.' | '-', (_, month, day)) if first.len() == 4 => (number(first)?, month, day),
        ('.', (day, month, _)) => (year(third)?, month, day),
        ('-', (day, month, _)) if third.len() == 4 => (year(third)?, month, day),
        ('/', (day, month, _)) if day > 12 => (year(third)?, month, day),
        ('/', (month, day, _)) if day > 12 => (year(third)?, month, day),
        _ => return None,
    };
    let is_all = parts.next().is_none_or(|rest| separator == '.' && rest.is_empty());
    Date::new(year, month.try_into().ok()?, day.try_into().ok()?).ok().filter(|_| is_all)
}

/// Reads a date, or a date and a time, which is UTC unless it has an offset. A date alone is the first second of the
/// day or, if `is_last`, the last one.
fn moment(text: &str, is_last: bool) -> Option<i64> {
    if let Ok(date) = text.parse::<Date>()
        && text.len() <= 10
    {
        let midnight = date.to_zoned(TimeZone::UTC).ok()?.timestamp().as_second();
        return Some(if is_last { midnight + 86_399 } else { midnight });
    }
    if let Ok(timestamp) = text.parse::<Timestamp>() {
        return Some(timestamp.as_second());
    }
    // An offset such as `+0100`, which RFC 3339 does not have.
    let (time, offset) = match text.len().checked_sub(5).and_then(|at| text.split_at_checked(at)) {
        Some((time, offset)) if offset.starts_with(['+', '-']) => (time, hours_and_minutes(offset)?),
        _ => (text, Offset::UTC),
    };
    let time: DateTime = time.trim().parse().ok()?;
    offset.to_timestamp(time).ok().map(Timestamp::as_second)
}

/// An offset such as `+0100`.
fn hours_and_minutes(text: &str) -> Option<Offset> {
    let (sign, digits) = text.split_at_checked(1)?;
    let number: i32 = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())??;
    let seconds = number / 100 * 3_600 + number % 100 * 60;
    Offset::from_seconds(if sign == "-" { -seconds } else { seconds }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_as_shops_write_them() {
        for (text, expected) in [
            ("2026-03-01", "2026-03-01T00:00:00Z"),
            ("2026-03-01T10:00Z", "2026-03-01T10:00:00Z"),
            ("2026-03-01T10:00:30+01:00", "2026-03-01T09:00:30Z"),
            ("2026-03-01T10:00+0100", "2026-03-01T09:00:00Z"),
            ("2026-03-01T10:00-0530", "2026-03-01T15:30:00Z"),
            ("2026-03-01 10:00:00", "2026-03-01T10:00:00Z"),
        ] {
            let expected: Timestamp = expected.parse().unwrap();
            assert_eq!(moment(text, false), Some(expected.as_second()), "{text}");
        }
        let end: Timestamp = "2026-03-01T23:59:59Z".parse().unwrap();
        assert_eq!(moment("2026-03-01", true), Some(end.as_second()));
        for text in ["", "soon", "2026-13-01", "2026-03-01T10:00+9999", "01.03.2026", "2026-03-01T10:00+é00"]
        {
            assert_eq!(moment(text, false), None, "{text}");
        }
    }

    #[test]
    fn the_day_of_an_addition_is_read_as_it_is_written_unless_it_may_be_two() {
        for (text, expected) in [
            ("2026-12-01", "2026-12-01T00:00:00Z"),
            (" 2026-12-01 10:00:00 ", "2026-12-01T10:00:00Z"),
            ("2026-12-01T10:00:00+01:00", "2026-12-01T09:00:00Z"),
            ("1.12.2026", "2026-12-01T00:00:00Z"),
            ("01.12.26", "2026-12-01T00:00:00Z"),
            ("31/12/2026", "2026-12-31T00:00:00Z"),
            ("12/31/2026 08:00", "2026-12-31T00:00:00Z"),
            ("2026/12/01", "2026-12-01T00:00:00Z"),
            ("01-12-2026", "2026-12-01T00:00:00Z"),
        ] {
            let expected: Timestamp = expected.parse().unwrap();
            assert_eq!(added(text), Some(expected.as_second()), "{text}");
        }
        for text in [
            "",
            "soon",
            "1/2/2026",
            "32.1.2026",
            "1.13.2026",
            "1.2.3.4",
            "2026",
            "0000-00-00",
            "1970-01-01",
            "é.1.26",
        ] {
            assert_eq!(added(text), None, "{text}");
        }
    }

    #[test]
    fn a_sale_holds_between_its_dates() {
        let dates = Dates { begin: Some(10), end: Some(20) };
        let seen: Vec<bool> = [9, 10, 20, 21].map(|now| dates.contain(now)).into();
        assert_eq!(seen, [false, true, true, false]);
        let around = |now| {
            let Changes { last, next } = dates.changes(now);
            (last, next)
        };
        let during = (Some(10), Some(21));
        assert_eq!([9, 10, 20, 21].map(around), [(None, Some(10)), during, during, (Some(21), None)]);
        assert_eq!(Dates::read("", " "), Some(Dates::default()));
        assert_eq!(Dates::read("", "soon"), None);
        assert!(Dates::default().contain(0));
    }

    #[test]
    fn prices_count_until_the_next_change_and_not_before_the_last_one() {
        let sale = |begin, end| Dates { begin: Some(begin), end: Some(end) };
        let changes = sale(10, 19).changes(15).and(sale(30, 39).changes(15)).and(sale(0, 11).changes(15));
        assert_eq!(changes, Changes { last: Some(12), next: Some(20) });
        assert_eq!([11, 12, 19, 20].map(|now| changes.contain(now)), [false, true, true, false]);
        assert!(Changes::default().contain(0));
    }
}
