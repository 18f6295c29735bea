//! The pause that a server asks for with `Retry-After`.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{DATE, HeaderMap, HeaderName, RETRY_AFTER};

/// Longest pause that a server can ask for, so that a wrong value does not stop calls for weeks.
const LONGEST_PAUSE: Duration = Duration::from_secs(24 * 60 * 60);

/// Parses `Retry-After`: seconds or a date (RFC 9110, section 10.2.3). A date is taken relative to the
/// answer's own `Date`, because this machine's clock may be wrong.
pub(crate) fn parse_retry_after(header: Option<&str>, date: Option<&str>) -> Option<Duration> {
    let seconds = |text: &str| text.trim().parse().ok().map(Duration::from_secs);
    let until = |text: &str| {
        let sent = httpdate::parse_http_date(date?).ok()?;
        Some(httpdate::parse_http_date(text).ok()?.duration_since(sent).unwrap_or_default())
    };
    header.and_then(|text| seconds(text).or_else(|| until(text)))
}

/// For how long an answer asks for no calls.
pub(crate) fn requested_pause(status: StatusCode, headers: &HeaderMap) -> Duration {
    if !matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
        return Duration::ZERO;
    }
    let text = |name: HeaderName| headers.get(name)?.to_str().ok();
    parse_retry_after(text(RETRY_AFTER), text(DATE)).unwrap_or_default().min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    #[test]
    fn a_server_may_ask_for_a_pause() {
        let pause = |status, header: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.insert(DATE, HeaderValue::from_static("Sun, 06 Nov 1994 08:49:37 GMT"));
            headers.extend(header.map(|header| (RETRY_AFTER, HeaderValue::from_static(header))));
            requested_pause(StatusCode::from_u16(status).unwrap(), &headers).as_secs()
        };
        for (status, header, seconds) in [
            (429, Some("600"), 600),
            (503, Some("3600"), 3_600),
            (503, Some("Sun, 06 Nov 1994 08:50:37 GMT"), 60),
            (503, Some("Sun, 06 Nov 1994 08:40:00 GMT"), 0),
            (429, Some("18446744073709551615"), 24 * 60 * 60),
            (503, Some("Fri, 31 Dec 9999 23:59:59 GMT"), 24 * 60 * 60),
            (503, Some("soon"), 0),
            (503, None, 0),
            (500, Some("600"), 0),
            (200, Some("600"), 0),
        ] {
            assert_eq!(pause(status, header), seconds, "{status} {header:?}");
        }
    }
}
