//! The page: files that are part of the program.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, Uri, header};
use axum::response::IntoResponse;

use nimoon_session::ErrorKind;

use crate::failure::Failure;

/// A file of the page.
struct Asset {
    path: &'static str,
    content_type: &'static str,
    bytes: &'static [u8],
    /// Changes with the contents.
    tag: HeaderValue,
}

macro_rules! assets {
    ($($path:literal),* $(,)?) => {
        /// Every file below `assets`, by its path there.
        const FILES: &[(&str, &[u8])] =
            &[$(($path, include_bytes!(concat!("../assets/", $path)))),*];
    };
}

assets![
    "api.js",
    "app.js",
    "dom.js",
    "icon.svg",
    "index.html",
    "kept.js",
    "style.css",
    "svg.js",
    "value.js",
    "calculate/report.js",
    "calculate/tabs.js",
    "digraphs/canvas.js",
    "digraphs/edit.js",
    "digraphs/examples.js",
    "digraphs/files.js",
    "digraphs/geometry.js",
    "digraphs/input.js",
    "digraphs/large.js",
    "digraphs/layout.js",
    "digraphs/model.js",
    "digraphs/node.js",
    "digraphs/pieces.js",
    "digraphs/reasons.js",
    "digraphs/refill.js",
    "digraphs/rounds.js",
    "digraphs/tools.js",
    "engine/engine.js",
    "engine/worker.js",
    "learn/daily.js",
    "learn/lessons.js",
    "loopy/compare.js",
    "loopy/export.js",
    "loopy/games.js",
    "loopy/graph.js",
    "loopy/layout.js",
    "loopy/words.js",
    "play/arena.js",
    "play/board.js",
    "play/chase.js",
    "play/choice.js",
    "play/curves.js",
    "play/explain.js",
    "play/graph.js",
    "play/guide.js",
    "play/heaps.js",
    "play/levels.js",
    "play/lights.js",
    "play/line.js",
    "play/nimstring.js",
    "play/position.js",
    "play/positions.js",
    "play/rules.js",
    "play/script.js",
    "play/setup.js",
    "play/share.js",
    "play/sides.js",
    "play/sizes.js",
    "play/slide.js",
    "play/squares.js",
    "play/stage.js",
    "play/strip.js",
    "play/tikz.js",
    "play/walk.js",
    "tables/brush.js",
    "tables/chart.js",
    "tables/colours.js",
    "tables/data.js",
    "tables/families.js",
    "tables/map.js",
    "tables/pane.js",
    "views/about.js",
    "views/calculate.js",
    "views/digraphs.js",
    "views/home.js",
    "views/learn.js",
    "views/loopy.js",
    "views/play.js",
    "views/puzzle.js",
    "views/tables.js",
];

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    FILES
        .iter()
        .map(|&(path, bytes)| {
            let mut hasher = DefaultHasher::new();
            bytes.hash(&mut hasher);
            let tag = HeaderValue::from_str(&format!("\"{:016x}\"", hasher.finish()));
            let tag = tag.unwrap_or_else(|_| HeaderValue::from_static("\"\""));
            Asset { path, content_type: content_type(path), bytes, tag }
        })
        .collect()
});

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}

/// A file of the page.
pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response<Body> {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(asset) = ASSETS.iter().find(|asset| asset.path == path) else {
        return Failure::new(ErrorKind::NotFound, "there is no such page: it is at /")
            .into_response();
    };
    if !matches!(method, Method::GET | Method::HEAD) {
        return Failure::new(ErrorKind::Method, "pages are asked by GET").into_response();
    }
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == asset.tag);
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Response::new(Body::from(asset.bytes))
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.content_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::ETAG, asset.tag.clone());
    response
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_of_the_page_is_in_the_program() {
        fn collect(folder: &Path, root: &Path, found: &mut Vec<String>) {
            for entry in std::fs::read_dir(folder).expect("the folder is there") {
                let path = entry.expect("it can be read").path();
                if path.is_dir() {
                    collect(&path, root, found);
                } else {
                    let path = path.strip_prefix(root).expect("it is below");
                    found.push(path.to_string_lossy().replace('\\', "/"));
                }
            }
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        let mut found = Vec::new();
        collect(&root, &root, &mut found);
        found.sort();
        let mut embedded: Vec<&str> = FILES.iter().map(|&(path, _)| path).collect();
        embedded.sort_unstable();
        assert_eq!(found, embedded);
        assert!(FILES.iter().all(|(path, _)| content_type(path) != "application/octet-stream"));
    }
}
