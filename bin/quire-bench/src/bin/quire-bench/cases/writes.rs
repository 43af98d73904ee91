//! Writes from several connections.

use anyhow::Result;
use serde_json::json;

use crate::fixture::{Data, Fixture, Space};
use crate::load::Posts;
use crate::pages;

/// A write case.
pub(crate) struct Write {
    pub(crate) name: &'static str,
    pub(crate) data: Data,
    pub(crate) posts: fn(&Fixture) -> Result<Posts>,
}

/// The table of writes, in the order of the report.
pub(crate) const WRITES: &[Write] = &[
    Write { name: "comments in one space", data: Data::Writes, posts: |of| comments(of, Data::Writes) },
    Write { name: "comments in 16 spaces", data: Data::Spread, posts: |of| comments(of, Data::Spread) },
    Write { name: "page updates in one space", data: Data::Writes, posts: |of| updates(of, Data::Writes) },
    Write { name: "page updates in 16 spaces", data: Data::Spread, posts: |of| updates(of, Data::Spread) },
];

/// Texts that alternate: each page gets another one with each round.
const TEXTS: usize = 61;

fn comments(of: &Fixture, data: Data) -> Result<Posts> {
    let targets = targets(of.spaces(data)?, |space, page| {
        (format!("/v1/spaces/{space}/comments"), format!(r#"{{"page":"{page}","body":{{"markdown":""#))
    });
    let texts = (0..TEXTS).map(|number| json_text(&short(number))).collect();
    Ok(Posts { targets, texts, tail: r#""}}"# })
}

fn updates(of: &Fixture, data: Data) -> Result<Posts> {
    let targets = targets(of.spaces(data)?, |space, page| {
        let head =
            format!(r#"{{"changes":[{{"operation":"update_page","page":"{page}","document":{{"markdown":""#);
        (format!("/v1/spaces/{space}/content"), head)
    });
    let links: Vec<String> = (0..20).map(|number| format!("https://example.com/guide/{number}")).collect();
    let texts = (0..TEXTS).map(|number| json_text(&pages::page(number, 4_000, &links))).collect();
    Ok(Posts { targets, texts, tail: r#""}}]}"# })
}

/// Returns the pages of all spaces in an order where neighbours are in different spaces and every page is used.
fn targets(spaces: &[Space], target: impl Fn(&str, &str) -> (String, String)) -> Vec<(String, String)> {
    let most = spaces.iter().map(|space| space.pages.len()).max().unwrap_or(0);
    (0..most)
        .flat_map(|page| spaces.iter().filter_map(move |space| Some((&space.id, space.pages.get(page)?))))
        .map(|(space, page)| target(space, page))
        .collect()
}

/// The first paragraph of a page, some 300 bytes.
fn short(number: usize) -> String {
    let page = pages::page(number, 0, &[]);
    page.split("\n\n").nth(1).unwrap_or_default().to_owned()
}

/// The inside of a JSON string.
fn json_text(text: &str) -> String {
    let quoted = json!(text).to_string();
    quoted.trim_start_matches('"').strip_suffix('"').unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_alternate_between_spaces() {
        let space = |id: &str| Space { id: id.to_owned(), pages: vec![format!("{id}1"), format!("{id}2")] };
        let targets = targets(&[space("a"), space("b")], |space, page| (space.to_owned(), page.to_owned()));
        let pages: Vec<_> = targets.iter().map(|(_, page)| page.as_str()).collect();
        assert_eq!(pages, ["a1", "b1", "a2", "b2"]);
    }

    #[test]
    fn texts_are_one_line_of_json() {
        assert_eq!(json_text("a \"b\"\nc"), r#"a \"b\"\nc"#);
        assert!((200..500).contains(&short(3).len()), "{}", short(3));
    }
}
