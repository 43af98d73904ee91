//! Blogs: posts by date, the latest first (<https://docusaurus.io/docs/blog>).

use quire_markup::markdown::escaped;

use super::super::folder::folder_of;
use super::super::front;
use super::options::Blog;
use crate::dialect::route::Routes;
use crate::path;
use crate::summary::Entry;
use crate::tree::SourceTree;

/// Returns the section of a blog, and adds the routes of its posts; `None` for a blog without posts.
pub(super) fn entry(
    tree: &SourceTree,
    base: &str,
    blog: &Blog,
    address: &str,
    routes: &mut Routes,
) -> Option<Entry> {
    let root = folder_of(tree, base, &blog.path).filter(|root| !root.is_empty())?;
    let mut posts: Vec<(String, String, Entry)> = Vec::new();
    let inside = format!("{root}/");
    let files = tree.files.range(inside.clone()..).map(|(file, _)| file);
    for file in files.take_while(|file| file.starts_with(&inside)).filter(|file| path::is_markdown(file)) {
        let below = path::below(&root, file)?;
        if below.split('/').any(|name| name.starts_with('_')) {
            continue;
        }
        let properties = tree.text(file).and_then(|text| front::of(&text));
        let property = |name: &str| properties.as_ref().and_then(|properties| front::text(properties, name));
        let plain = below.rsplit_once('.').map_or(below, |(plain, _)| plain);
        let plain = plain.strip_suffix("/index").unwrap_or(plain);
        let (named, name) = dated(plain);
        let date = property("date").map(|date| date.chars().take(10).collect()).or_else(|| named.clone());
        let route = match (property("slug"), &date) {
            (Some(slug), _) => slug.trim_matches('/').to_owned(),
            (None, Some(date)) if name != plain => format!("{}/{name}", date.replace('-', "/")),
            _ => plain.to_owned(),
        };
        // Links may use the date in the file name even if the front matter has another date.
        let by_name =
            named.filter(|_| name != plain).map(|date| format!("{}/{name}", date.replace('-', "/")));
        for before in [blog.route.clone(), format!("{address}/{}", blog.route)] {
            for route in [Some(&route), by_name.as_ref()].into_iter().flatten() {
                routes.add(&format!("{before}/{route}"), file);
            }
        }
        // Paths of other sections begin at the top.
        let entry = Entry::of_file("", file, Vec::new());
        posts.push((date.unwrap_or_default(), below.to_owned(), entry));
    }
    posts.sort_by(|(one, a, _), (other, b, _)| other.cmp(one).then_with(|| b.cmp(a)));
    let children: Vec<Entry> = posts.into_iter().map(|(_, _, entry)| entry).collect();
    (!children.is_empty()).then(|| Entry::new(escaped(&blog.title), None, children))
}

/// Splits `2021-10-01-name` or `2021/10/01/name` into the date and the name.
fn dated(plain: &str) -> (Option<String>, String) {
    let date: String = plain.chars().take(10).map(|c| if c == '/' { '-' } else { c }).collect();
    let is_date = date.len() == 10
        && date
            .chars()
            .enumerate()
            .all(|(at, c)| if at == 4 || at == 7 { c == '-' } else { c.is_ascii_digit() });
    let name = plain.get(10..).unwrap_or_default().trim_start_matches(['-', '/']);
    if is_date && !name.is_empty() { (Some(date), name.to_owned()) } else { (None, plain.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::dated;

    #[test]
    fn dates_precede_names() {
        for (plain, expected) in [
            ("2021-10-01-version-066", (Some("2021-10-01"), "version-066")),
            ("2021/10/01/version", (Some("2021-10-01"), "version")),
            ("welcome", (None, "welcome")),
            ("2021-10-01", (None, "2021-10-01")),
        ] {
            let (date, name) = dated(plain);
            assert_eq!((date.as_deref(), name.as_str()), expected);
        }
    }
}
