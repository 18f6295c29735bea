//! Serves the client's files, which are embedded in the executable, and the sample catalogue's images.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use moka::sync::Cache;

use super::client::{Asset, CLIENT, Compressed};
use crate::catalogue::sample::artwork;
use crate::http::caching::Caching;
use crate::http::representation::Representation;

/// For files that change only with a new version of the program.
pub(super) const ONE_DAY: Caching = Caching::For(Duration::from_secs(86_400));
/// Most composed images in the cache; an image takes one to three kilobytes, compressed.
const PICTURES: u64 = 2_000;

/// Files by name, each with its response representation.
type Files = Vec<(&'static str, Representation)>;

static BUNDLE: LazyLock<Files> =
    LazyLock::new(|| CLIENT.files.iter().map(|asset| (asset.name, representation(asset))).collect());

pub(super) fn representation(asset: &Asset) -> Representation {
    let representation = match &asset.compressed {
        Some(Compressed { brotli, gzip }) => {
            let [identity, brotli, gzip] = [asset.identity, brotli, gzip].map(Bytes::from_static);
            Representation::precompressed(asset.content_type, identity, brotli, gzip)
        }
        None => Representation::new(asset.content_type, asset.identity),
    };
    representation.embedded()
}

static DRAWN: LazyLock<Cache<String, Arc<Representation>>> = LazyLock::new(|| Cache::new(PICTURES));

/// The beginning of the name of the file for suggestions, which a first visit does not load.
const AUTOCOMPLETE: &str = "autocomplete-";

/// `/assets/{name}`; the name contains the content's hash.
///
/// A document of another build gets this build's file for suggestions; otherwise the search field of a tab that is
/// older than the program would have none. The inline script, which loads it, uses the same export in every build.
pub async fn show_asset(Path(name): Path<String>, request: HeaderMap) -> Response {
    match find(&BUNDLE, &name) {
        None if name.starts_with(AUTOCOMPLETE) => {
            let own = BUNDLE.iter().find(|(known, _)| known.starts_with(AUTOCOMPLETE));
            show(own.map(|(_, file)| file), &request, Caching::Never).await
        }
        file => show(file, &request, Caching::Forever).await,
    }
}

/// `/sample-images/{name}`
pub async fn show_sample_image(Path(name): Path<String>, request: HeaderMap) -> Response {
    let picture = DRAWN.get(&name).or_else(|| {
        let picture = Arc::new(Representation::new("image/svg+xml", artwork::draw(&name)?).embedded());
        DRAWN.insert(name, Arc::clone(&picture));
        Some(picture)
    });
    show(picture.as_deref(), &request, ONE_DAY).await
}

fn find<'a>(files: &'a Files, name: &str) -> Option<&'a Representation> {
    files.iter().find(|(known, _)| *known == name).map(|(_, file)| file)
}

pub(super) async fn show(file: Option<&Representation>, request: &HeaderMap, caching: Caching) -> Response {
    match file {
        Some(file) => file.answer(request, StatusCode::OK, caching).await,
        None => {
            let no_store = [(header::CACHE_CONTROL, Caching::Never.header())];
            (StatusCode::NOT_FOUND, no_store, "There is no such file.").into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The size of a file in bytes of brotli.
    fn size(asset: &Asset) -> usize {
        asset.compressed.as_ref().unwrap().brotli.len()
    }

    /// What a first visit loads before it can be used, in bytes of brotli.
    #[test]
    fn the_client_s_script_and_styles_are_one_small_file_each() {
        for (kind, address, most) in [(".js", CLIENT.script, 91_000), (".css", CLIENT.styles, 15_700)] {
            let of_kind = CLIENT.files.iter().filter(|asset| asset.name.ends_with(kind));
            let files: Vec<_> = of_kind.filter(|asset| !asset.name.starts_with(AUTOCOMPLETE)).collect();
            assert_eq!(files.len(), 1, "{kind}");
            assert_eq!(address, format!("/assets/{}", files[0].name));
            let bytes = size(files[0]);
            assert!(bytes <= most, "{address} has {bytes} bytes");
        }
    }

    #[tokio::test]
    async fn a_document_of_another_build_gets_this_one_s_suggestions_which_it_does_not_keep() {
        let answer = async |name: &str| show_asset(Path(name.into()), HeaderMap::new()).await;
        let other = answer("autocomplete-00000000.js").await;
        assert_eq!(
            (other.status(), &other.headers()[header::CACHE_CONTROL]),
            (StatusCode::OK, &"no-store".parse().unwrap())
        );
        assert_eq!(other.headers()[header::CONTENT_TYPE], "text/javascript; charset=utf-8");
        assert_eq!(answer("entry-00000000.js").await.status(), StatusCode::NOT_FOUND);
    }

    /// The first focus of the search field loads this file, with its styles.
    #[test]
    fn suggestions_come_in_one_small_file_that_only_the_inline_script_names() {
        let files: Vec<_> =
            CLIENT.files.iter().filter(|asset| asset.name.starts_with(AUTOCOMPLETE)).collect();
        assert_eq!(files.len(), 1);
        let name = files[0].name;
        assert!(CLIENT.early_script.contains(&format!("/assets/{name}")), "{}", CLIENT.early_script);
        assert!(
            !String::from_utf8_lossy(CLIENT.service_worker.identity).contains(name),
            "stored for nothing"
        );
        let bytes = size(files[0]);
        assert!(bytes <= 4_500, "{name} has {bytes} bytes");
    }

    /// The script comes with every document, before the first paint.
    #[test]
    fn the_inline_script_is_small_and_loads_the_client() {
        let script = CLIENT.early_script;
        assert!(script.contains(CLIENT.script), "{script}");
        assert!(!script.contains("</") && !script.contains("<!--"), "not for a document");
        let mut compressed = Vec::new();
        let parameters = brotli::enc::BrotliEncoderParams::default();
        brotli::BrotliCompress(&mut script.as_bytes(), &mut compressed, &parameters).unwrap();
        assert!(compressed.len() <= 1_500, "{} bytes", compressed.len());
    }

    #[test]
    fn every_file_of_the_typeface_is_small_and_its_licence_is_served() {
        let typeface: Vec<_> = CLIENT.files.iter().filter(|asset| asset.name.ends_with(".woff2")).collect();
        assert_eq!(typeface.len(), 3);
        for file in typeface {
            assert!(file.identity.len() <= 25_000, "{} has {} bytes", file.name, file.identity.len());
            assert!(file.compressed.is_none(), "{} is compressed twice", file.name);
        }
        let licence = CLIENT.files.iter().find(|asset| asset.name.starts_with("display-licence-")).unwrap();
        let text = std::str::from_utf8(licence.identity).unwrap();
        assert!(text.starts_with("Copyright 2022 The Bricolage Grotesque Project Authors"));
        assert!(text.contains("SIL OPEN FONT LICENSE Version 1.1"));
        assert!(CLIENT.font.starts_with("/assets/display-basic-"));
    }
}
