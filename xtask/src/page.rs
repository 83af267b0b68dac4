//! Packs the page with its engine: a folder for any static host, and one file that works from disk.
//!
//! The folder has the files of `crates/nimoon-web/assets` as they are, the module, and a mark in `index.html` that tells the page
//! to use it. In the one file, modules are `data:` addresses in an import map, because a browser loads no module from a file.
//! The engine is compressed with `gzip` there, and the page unpacks it.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the script `page.sh` leaves the module, and where the results go.
const PLACE: &str = "target/page";

/// What a page of a folder may load. Its questions can go to a program on this machine, if the visitor asks for that.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; base-uri 'none'; form-action 'none'; \
    connect-src 'self' http://127.0.0.1:* http://localhost:*";

/// What the one file may load: nothing but itself.
const POLICY_OF_FILE: &str = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' data: blob:; \
    worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; \
    connect-src data: blob:";

/// The files of the page, by their paths below the folder with forward slashes, in order.
fn files(folder: &Path) -> io::Result<Vec<(String, Vec<u8>)>> {
    fn collect(at: &Path, root: &Path, found: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
        for entry in fs::read_dir(at)? {
            let path = entry?.path();
            if path.is_dir() {
                collect(&path, root, found)?;
            } else {
                let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy();
                found.push((name.replace('\\', "/"), fs::read(&path)?));
            }
        }
        Ok(())
    }
    let mut found = Vec::new();
    collect(folder, folder, &mut found)?;
    found.sort();
    Ok(found)
}

/// Writes the folder and the file, and says where they are and how large.
pub(crate) fn pack() -> io::Result<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let place = root.join(PLACE);
    let engine = place.join("nimoon.wasm");
    let module = fs::read(&engine).map_err(|error| {
        let message =
            format!("{PLACE}/nimoon.wasm: {error}; `cargo xtask page` builds it and then packs");
        io::Error::new(error.kind(), message)
    })?;
    let files = files(&root.join("crates/nimoon-web/assets"))?;
    let compressed = compressed(&engine)?;
    write_folder(&place.join("dist"), &files, &module)?;
    let file = one_file(&files, &compressed)?;
    fs::write(place.join("nimoon.html"), &file)?;
    let mb = |bytes: usize| bytes as f64 / 1e6;
    Ok(format!(
        "{PLACE}/dist: {} files for any static host; the engine has {:.2} MB, {:.2} MB compressed\n\
         {PLACE}/nimoon.html: one file that works from disk, {:.2} MB",
        files.len() + 1,
        mb(module.len()),
        mb(compressed.len()),
        mb(file.len())
    ))
}

fn compressed(file: &Path) -> io::Result<Vec<u8>> {
    let done = Command::new("gzip")
        .args(["-9", "-n", "-c"])
        .arg(file)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| io::Error::new(error.kind(), format!("gzip: {error}; install it")))?;
    if done.status.success() {
        Ok(done.stdout)
    } else {
        Err(io::Error::other(format!("gzip failed: {}", done.status)))
    }
}

fn write_folder(folder: &Path, files: &[(String, Vec<u8>)], module: &[u8]) -> io::Result<()> {
    // What an earlier version had must not stay.
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    for (path, bytes) in files {
        let at = folder.join(path);
        fs::create_dir_all(at.parent().map_or_else(PathBuf::new, Path::to_path_buf))?;
        if path == "index.html" {
            fs::write(at, marked(&text(bytes)?, POLICY)?)?;
        } else {
            fs::write(at, bytes)?;
        }
    }
    fs::write(folder.join("engine/nimoon.wasm"), module)
}

/// The first page with the mark that its engine is in the page, and with a policy.
fn marked(html: &str, policy: &str) -> io::Result<String> {
    let html = replaced(html, "<html lang=\"en\">", "<html lang=\"en\" data-engine=\"page\">")?;
    let meta = format!(
        "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">"
    );
    replaced(&html, "<meta charset=\"utf-8\">", &meta)
}

/// The page as one file.
fn one_file(files: &[(String, Vec<u8>)], engine: &[u8]) -> io::Result<String> {
    let find = |name: &str| {
        let found = files.iter().find(|(path, _)| path == name);
        let (_, bytes) = found.ok_or_else(|| missing(name))?;
        text(bytes)
    };
    let mut map = String::from("{\"imports\":{");
    let modules = files.iter().filter(|(path, _)| is_script(path));
    for (i, (path, bytes)) in modules.filter(|(path, _)| path != "engine/worker.js").enumerate() {
        let source = base64(named(&text(bytes)?, path).as_bytes());
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(map, "{comma}\n\"nimoon/{path}\":\"data:text/javascript;base64,{source}\"");
    }
    map.push_str("\n}}");
    let icon = format!("data:image/svg+xml;base64,{}", base64(find("icon.svg")?.as_bytes()));
    let style = find("style.css")?;
    if style.contains("</style") || style.contains("url(") {
        return Err(io::Error::other("style.css cannot stand in one file with the page"));
    }
    let worker = find("engine/worker.js")?;
    if worker.contains("</script") {
        return Err(io::Error::other("engine/worker.js cannot stand in one file with the page"));
    }
    let html = marked(&find("index.html")?, POLICY_OF_FILE)?;
    let html = html.replace("href=\"icon.svg\"", &format!("href=\"{icon}\""));
    let html = html.replace("src=\"icon.svg\"", &format!("src=\"{icon}\""));
    let style = format!("<style>\n{style}</style>");
    let html = replaced(&html, "<link rel=\"stylesheet\" href=\"style.css\">", &style)?;
    let html = replaced(&html, "<link rel=\"modulepreload\" href=\"app.js\">\n", "")?;
    let scripts = format!(
        "<script type=\"importmap\">{map}</script>\n\
         <script type=\"text/plain\" id=\"engine-worker\">\n{worker}</script>\n\
         <script type=\"text/plain\" id=\"engine-module\">{}</script>\n\
         <script type=\"module\">import \"nimoon/app.js\";</script>\n</body>",
        base64(engine)
    );
    let html = replaced(&html, "<script type=\"module\" src=\"app.js\"></script>\n", "")?;
    replaced(&html, "</body>", &scripts)
}

fn is_script(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|end| end == "js")
}

fn text(bytes: &[u8]) -> io::Result<String> {
    String::from_utf8(bytes.to_vec()).map_err(io::Error::other)
}

fn missing(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, format!("the page has no `{what}` any more"))
}

/// A text in which something that must be there once is replaced.
fn replaced(text: &str, from: &str, to: &str) -> io::Result<String> {
    if text.matches(from).count() == 1 {
        Ok(text.replacen(from, to, 1))
    } else {
        Err(missing(from))
    }
}

/// A module in which relative imports have become names of the import map.
fn named(source: &str, path: &str) -> String {
    let mut result = String::with_capacity(source.len() + 200);
    let mut rest = source;
    let starts = ["from \"", "import \"", "import(\""];
    loop {
        let next = starts.iter().filter_map(|start| Some((rest.find(start)? + start.len(), start)));
        let Some((at, _)) = next.min() else { break };
        let (before, after) = rest.split_at(at);
        result.push_str(before);
        let end = after.find('"').unwrap_or(after.len());
        let (specifier, left) = after.split_at(end);
        if specifier.starts_with('.') {
            result.push_str("nimoon/");
            result.push_str(&resolved(path, specifier));
        } else {
            result.push_str(specifier);
        }
        rest = left;
    }
    result.push_str(rest);
    result
}

/// The path of a module that another one names relative to itself.
fn resolved(from: &str, specifier: &str) -> String {
    let mut path: Vec<&str> = from.split('/').collect();
    path.pop();
    for step in specifier.split('/') {
        match step {
            "." => {}
            ".." => {
                path.pop();
            }
            name => path.push(name),
        }
    }
    path.join("/")
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for letter in 0..4 {
            if letter <= three.len() {
                text.push(char::from(LETTERS[(bits >> (18 - 6 * letter) & 63) as usize]));
            } else {
                text.push('=');
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_base64() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("on", "b24="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xff, 0xef, 0xbe]), "/+++");
    }

    #[test]
    fn relative_imports_become_names_of_the_map() {
        let source = "import { ask } from \"../api.js\";\nimport * as a from \"./heaps.js\";\n\
                      const b = () => import(\"./deep/x.js\");\nimport \"other\"; // from \"nowhere\"";
        assert_eq!(
            named(source, "play/board.js"),
            "import { ask } from \"nimoon/api.js\";\nimport * as a from \"nimoon/play/heaps.js\";\n\
             const b = () => import(\"nimoon/play/deep/x.js\");\nimport \"other\"; // from \"nowhere\""
        );
    }

    #[test]
    fn the_page_of_the_repository_can_be_packed() {
        let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/nimoon-web/assets");
        let files = files(&assets).expect("they are read");
        let file = one_file(&files, b"engine").expect("it is packed");
        assert!(file.contains(">ZW5naW5l</script>") && file.contains("data-engine=\"page\""));
        // Nothing outside of the file is named.
        for outside in ["src=\"", "href=\""] {
            for (at, _) in file.match_indices(outside) {
                let value = file[at + outside.len()..].split('"').next().unwrap_or_default();
                assert!(value.starts_with("data:") || value.starts_with('#'), "{outside}{value}");
            }
        }
        for (path, _) in files.iter().filter(|(path, _)| is_script(path)) {
            let is_module = path != "engine/worker.js";
            assert_eq!(file.contains(&format!("\"nimoon/{path}\":")), is_module, "{path}");
        }
    }

    #[test]
    fn a_page_that_changed_its_form_is_an_error_and_not_a_broken_page() {
        let error = one_file(&[("index.html".to_owned(), b"<html>".to_vec())], b"").unwrap_err();
        assert!(error.to_string().contains("icon.svg"), "{error}");
        assert!(marked("<html>", "").unwrap_err().to_string().contains("<html lang=\"en\">"));
    }
}
