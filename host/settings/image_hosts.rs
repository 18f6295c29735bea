//! Whether the content security policy has room for the image hosts.

use thiserror::Error;

use crate::document::ImageSource;

/// The image hosts are too many or too long.
#[derive(Debug, Error)]
#[error(
    "--image-host: with the catalogue's own the hosts take {bytes} bytes of the header Content-Security-Policy, which every \
     answer carries; expected at most {}: name fewer hosts",
    ImageSource::MOST_BYTES
)]
pub(super) struct TooManyImageHosts {
    bytes: usize,
}

/// Checks all image sources together, those of the catalogue's own host included.
///
/// # Errors
/// When they take more than [`ImageSource::MOST_BYTES`].
pub(super) fn check_image_hosts(sources: &[ImageSource]) -> Result<(), TooManyImageHosts> {
    let bytes = ImageSource::bytes_of(sources);
    if bytes > ImageSource::MOST_BYTES { Err(TooManyImageHosts { bytes }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn image_hosts_fit_into_the_policy() {
        // Each takes a hundred bytes with the space before it.
        let host = |number: usize| format!("https://{number:02}.{}.example", "x".repeat(80)).parse().unwrap();
        let of = |count: usize| check_image_hosts(&(0..count).map(host).collect::<Vec<ImageSource>>());
        assert!(of(15).is_ok());
        assert_eq!(of(16).unwrap_err().bytes, 1_600);
    }
}
