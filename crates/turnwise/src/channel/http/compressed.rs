//! Replies are compressed for clients that take it: what a slow line and a phone need. Streams of events are not,
//! because each is wanted at once. Next: `serve`.

use std::io::Write as _;

use axum::body::{Body, HttpBody as _};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::limits;

/// Compresses a reply whose length is known, where the client takes gzip.
pub(super) async fn compressed(request: Request, next: Next) -> Response {
    let takes = takes_gzip(request.headers());
    let response = next.run(request).await;
    let length = response.body().size_hint().exact().unwrap_or(0);
    let fits = (limits::COMPRESSED_FROM..=limits::COMPRESSED_MAX).contains(&length);
    if !takes || !fits || !is_text(response.headers()) || response.headers().contains_key(header::CONTENT_ENCODING) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // Its length is known, so it is in memory already.
    let Ok(whole) = axum::body::to_bytes(body, usize::MAX).await else {
        return Response::from_parts(parts, Body::empty());
    };
    match squeezed(&whole) {
        Some(small) => {
            parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            parts.headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
            parts.headers.remove(header::CONTENT_LENGTH);
            Response::from_parts(parts, Body::from(small))
        }
        None => Response::from_parts(parts, Body::from(whole)),
    }
}

/// Compressed, where that can be done.
pub(super) fn squeezed(whole: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(whole.len() / 4), Compression::default());
    encoder.write_all(whole).ok()?;
    encoder.finish().ok()
}

/// Whether a client takes gzip: it names it, and not with a weight of none.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let named = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    named.flat_map(|value| value.split(',')).any(|one| {
        let mut parts = one.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        is_gzip && !parts.any(|weight| matches!(weight, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

/// Whether it is text, which becomes shorter; pictures and archives do not.
fn is_text(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default();
    let is_stream = kind == "text/event-stream";
    !is_stream && (kind.starts_with("text/") || kind.ends_with("json") || kind.ends_with("svg+xml"))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use axum::http::{HeaderMap, header};

    use super::takes_gzip;

    #[test]
    fn only_who_names_gzip_gets_it() {
        for (named, takes) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.5", true),
            ("gzip;q=0", false),
            ("br", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, named.parse().unwrap());
            assert_eq!(takes_gzip(&headers), takes, "{named}");
        }
    }
}
