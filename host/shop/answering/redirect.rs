//! Redirect responses.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::pages::address::LONGEST_LOCATION;
use crate::shop::error::AppError;
use crate::shop::making::key::Form;

/// Characters that HTTP parsers accept in a request target but that are not valid in a URL. They are
/// percent-encoded because clients interpret them differently: browsers treat `\` like `/`.
const UNSAFE: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// A redirect to the page at `to`, in the requested form; 414 if its URL is too long.
///
/// # Errors
/// When the URL is not a valid header value, which no input can cause.
pub(crate) fn redirect(form: Form, status: StatusCode, to: &str) -> Result<Response, AppError> {
    redirect_to(status, format!("{}{}", form.prefix(), utf8_percent_encode(to, UNSAFE)))
}

/// 308 to an address that the operator has named.
///
/// # Errors
/// When the URL is not a valid header value, which no input can cause.
pub(super) fn redirect_elsewhere(to: &str) -> Result<Response, AppError> {
    redirect_to(StatusCode::PERMANENT_REDIRECT, utf8_percent_encode(to, UNSAFE).to_string())
}

fn redirect_to(status: StatusCode, location: String) -> Result<Response, AppError> {
    if location.len() > LONGEST_LOCATION {
        return Ok((StatusCode::URI_TOO_LONG, "The address is too long.").into_response());
    }
    // Percent-encoded URLs are ASCII, so an error would be a defect of the host, not invalid input.
    let location = HeaderValue::try_from(location).map_err(AppError::Location)?;
    // Clients may cache a 308 forever by default, but the target may change with the catalogue.
    let no_cache = (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Ok((status, [(header::LOCATION, location), no_cache]).into_response())
}
