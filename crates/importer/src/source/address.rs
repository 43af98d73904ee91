//! Mapping of addresses copied from a browser to the addresses of the content.

use quire_domain::imports::ImportSource;
use url::Url;

/// Returns the address to fetch for `url`: the export of a shared document, or the raw file of a wiki page. Other
/// addresses are unchanged.
pub(super) fn of_content(source: ImportSource, url: &str) -> String {
    let Ok(parsed) = Url::parse(url) else { return url.to_owned() };
    let found = match source {
        ImportSource::GoogleDocs => export(&parsed),
        ImportSource::GithubWiki => raw_page(&parsed),
        _ => None,
    };
    found.map_or_else(|| url.to_owned(), String::from)
}

/// Returns the Word export of a document whose address is `/document/d/<id>/edit` or similar. Matched by path, since
/// organizations use Google's service under other hosts too. A published document (`/document/d/e/<id>/pub`) is an HTML
/// page already.
fn export(url: &Url) -> Option<Url> {
    let mut segments = url.path_segments()?.skip_while(|segment| *segment != "document").skip(1);
    let (d, id, verb) = (segments.next()?, segments.next()?, segments.next().unwrap_or_default());
    let is_shared = d == "d" && id != "e" && !id.is_empty() && verb != "export";
    if !is_shared {
        return None;
    }
    let (before, _) = url.path().split_once("/document/d/")?;
    let mut export = url.clone();
    export.set_path(&format!("{before}/document/d/{id}/export"));
    export.set_query(Some("format=docx"));
    export.set_fragment(None);
    Some(export)
}

/// Returns the Markdown of `https://github.com/<owner>/<name>/wiki/<page>`.
fn raw_page(url: &Url) -> Option<Url> {
    if url.host_str() != Some("github.com") {
        return None;
    }
    let segments: Vec<&str> = url.path_segments()?.filter(|segment| !segment.is_empty()).collect();
    let (owner, name, page) = match segments.as_slice() {
        [owner, name, "wiki"] => (owner, name, "Home"),
        [owner, name, "wiki", page] => (owner, name, *page),
        _ => return None,
    };
    Url::parse(&format!("https://raw.githubusercontent.com/wiki/{owner}/{name}/{page}.md")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_in_the_browser_becomes_that_of_the_content() {
        for (source, copied, content) in [
            (
                ImportSource::GoogleDocs,
                "https://docs.google.com/document/d/1aB_c/edit?usp=sharing#heading=h.1",
                "https://docs.google.com/document/d/1aB_c/export?format=docx",
            ),
            (
                ImportSource::GoogleDocs,
                "https://docs.google.com/document/d/1aB_c",
                "https://docs.google.com/document/d/1aB_c/export?format=docx",
            ),
            (
                ImportSource::GoogleDocs,
                "https://docs.google.com/document/d/e/2PACX/pub",
                "https://docs.google.com/document/d/e/2PACX/pub",
            ),
            (
                ImportSource::GoogleDocs,
                "https://docs.google.com/document/d/1aB_c/export?format=html",
                "https://docs.google.com/document/d/1aB_c/export?format=html",
            ),
            (
                ImportSource::GithubWiki,
                "https://github.com/ada/engine/wiki",
                "https://raw.githubusercontent.com/wiki/ada/engine/Home.md",
            ),
            (
                ImportSource::GithubWiki,
                "https://github.com/ada/engine/wiki/Set-Up",
                "https://raw.githubusercontent.com/wiki/ada/engine/Set-Up.md",
            ),
            (ImportSource::Zip, "https://github.com/ada/engine/wiki", "https://github.com/ada/engine/wiki"),
            (ImportSource::GoogleDocs, "not a url", "not a url"),
        ] {
            assert_eq!(of_content(source, copied), content);
        }
    }
}
