//! Paths of files inside an import: relative, separated by `/`, and never outside the import.

use unicode_normalization::UnicodeNormalization as _;

/// Reason why a name is not a valid path of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PathError {
    #[error("its path is absolute")]
    Absolute,
    #[error("its path leads outside the import")]
    Outside,
    #[error("its path is empty, too long or contains control characters")]
    Malformed,
    #[error("its folders are nested deeper than {DEPTH_MAX} levels")]
    TooDeep,
}

/// Maximum length of a path in bytes, as in common file systems.
const PATH_MAX: usize = 4096;

/// Maximum number of path segments: trees of folders are walked by recursion.
const DEPTH_MAX: usize = 64;

/// Extensions of files that readers view or download. Files with other extensions are only imported if a page links to
/// them.
const ASSET_EXTENSIONS: [&str; 44] = [
    "7z", "apng", "avif", "bmp", "csv", "doc", "docm", "eps", "epub", "gif", "gz", "ico", "jpeg", "jpg",
    "key", "m4a", "m4v", "mov", "mp3", "mp4", "mpeg", "numbers", "odp", "ods", "odt", "ogg", "ogv", "pages",
    "pdf", "png", "ppt", "pptx", "svg", "tar", "tgz", "tif", "tiff", "tsv", "wav", "webm", "webp", "xls",
    "xlsx", "zip",
];

/// Normalizes a name from an archive or folder. Backslashes count as separators, because archives from Windows contain
/// them.
pub(crate) fn sanitize(name: &str) -> Result<String, PathError> {
    if name.len() > PATH_MAX || name.chars().any(char::is_control) {
        return Err(PathError::Malformed);
    }
    let name = name.replace('\\', "/");
    let drive = name.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && name.get(1..2) == Some(":");
    if drive || name.starts_with('/') {
        return Err(PathError::Absolute);
    }
    if name.split('/').any(|segment| segment == "..") {
        // `..` has no legitimate use in archives, even if it stays inside.
        return Err(PathError::Outside);
    }
    let path = join("", &name).ok_or(PathError::Outside)?;
    if path.is_empty() {
        return Err(PathError::Malformed);
    }
    if path.split('/').count() > DEPTH_MAX {
        return Err(PathError::TooDeep);
    }
    Ok(path)
}

/// Resolves `relative` from `folder`; `None` if it leads above the root. The root is the empty path. Letters are
/// normalized to NFC, because names in archives from macOS are decomposed.
pub(crate) fn join(folder: &str, relative: &str) -> Option<String> {
    let mut segments: Vec<&str> = folder.split('/').filter(|segment| !segment.is_empty()).collect();
    for segment in relative.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop()?;
            }
            other => segments.push(other),
        }
    }
    let path = segments.join("/");
    Some(if path.is_ascii() { path } else { path.nfc().collect() })
}

/// Returns the folder that contains `path`; empty at the root.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns `path` relative to `folder`; `None` if it is not inside.
pub(crate) fn below<'a>(folder: &str, path: &'a str) -> Option<&'a str> {
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
}

/// Returns the last segment of `path`.
pub(crate) fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Returns the last segment of `path` without its extension. A leading dot begins a name, not an extension.
pub(crate) fn stem(path: &str) -> &str {
    let name = name(path);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// Returns the extension of `path` in lower case; empty if it has none.
pub(crate) fn extension(path: &str) -> String {
    match name(path).rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => extension.to_ascii_lowercase(),
        _ => String::new(),
    }
}

/// Returns whether `path` has the extension of a Markdown file.
pub(crate) fn is_markdown(path: &str) -> bool {
    matches!(extension(path).as_str(), "md" | "markdown" | "mdown" | "mkd" | "mdx")
}

/// Returns whether `path` has the extension of an HTML file.
pub(crate) fn is_html(path: &str) -> bool {
    matches!(extension(path).as_str(), "html" | "htm" | "xhtml")
}

/// Returns whether `path` has the extension of a Word document.
pub(crate) fn is_docx(path: &str) -> bool {
    extension(path) == "docx"
}

/// Returns the rank of `path` as the page of its folder, the best first: `README.md`, `index.md` or `index.html`, in
/// any case; `None` for other names.
pub(crate) fn index_rank(path: &str) -> Option<u8> {
    let stem = stem(path).to_ascii_lowercase();
    match stem.as_str() {
        "readme" if is_markdown(path) => Some(0),
        "index" if is_markdown(path) => Some(1),
        "index" if is_html(path) => Some(2),
        _ => None,
    }
}

/// Returns whether `path` has the extension of a file that readers view or download.
pub(crate) fn is_asset(path: &str) -> bool {
    ASSET_EXTENSIONS.contains(&extension(path).as_str())
}

/// Returns whether `path` is a reusable content of GitBook. Its folder is in the content's root, which need not be the
/// root of the import.
pub(crate) fn is_include(path: &str) -> bool {
    is_markdown(path) && is_inside(path, ".gitbook/includes/")
}

/// Returns whether `path` is in GitBook's folder of files.
pub(crate) fn is_in_assets(path: &str) -> bool {
    is_inside(path, ".gitbook/assets/")
}

/// Returns whether a segment of `path` begins with a dot: a setting, not content.
pub(crate) fn is_hidden(path: &str) -> bool {
    path.split('/').any(|segment| segment.starts_with('.'))
}

/// Returns whether a file may become a page, a reusable content or a file of a space without a link to it.
pub(crate) fn may_be_documentation(path: &str) -> bool {
    let is_content = || is_markdown(path) || is_html(path) || is_docx(path) || is_asset(path);
    is_include(path) || is_in_assets(path) || !is_hidden(path) && is_content()
}

/// Returns whether `file` is in `folder`, which may be at any depth.
fn is_inside(file: &str, folder: &str) -> bool {
    file.match_indices(folder)
        .any(|(at, _)| at == 0 || file.get(..at).is_some_and(|before| before.ends_with('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_are_joined_and_kept_inside() {
        assert_eq!(join("a/b", "../c.md").as_deref(), Some("a/c.md"));
        assert_eq!(join("a/b", "./").as_deref(), Some("a/b"));
        assert_eq!(join("a", "..").as_deref(), Some(""));
        assert_eq!(join("", "x//y/./z").as_deref(), Some("x/y/z"));
        assert_eq!(join("a", "../../b"), None);
    }

    #[test]
    fn a_name_is_the_same_however_its_letters_are_composed() {
        assert_eq!(join("", "cafe\u{301}/u\u{308}ber.md").as_deref(), Some("café/über.md"));
        assert_eq!(sanitize("cafe\u{301}.md"), Ok("café.md".to_owned()));
    }

    #[test]
    fn names_are_taken_apart() {
        assert_eq!((folder("a/b/c.md"), name("a/b/c.md"), stem("a/b/c.md")), ("a/b", "c.md", "c"));
        assert_eq!((folder("c.md"), stem("v0.12.md"), stem(".hidden")), ("", "v0.12", ".hidden"));
        assert_eq!((extension("A.PNG").as_str(), extension(".bookignore").as_str()), ("png", ""));
        let ranks = ["x/ReadMe.MD", "index.markdown", "Index.html", "readme.txt"].map(index_rank);
        assert_eq!(ranks, [Some(0), Some(1), Some(2), None]);
    }
}
