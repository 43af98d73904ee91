//! Messages of commits.

use quire_importer::apply::is_same_text;
use quire_revision::{PageType, Tree};

/// Maximum number of titles in a message.
const NAMED: usize = 3;

/// Returns a message that names the changed pages.
pub(super) fn of_changes(last: Option<&Tree>, head: &Tree) -> String {
    let Some(last) = last else { return "Add the documentation".to_owned() };
    let pages = |tree: &Tree| tree.pages_in_order().map(|page| page.id).collect::<Vec<_>>();
    let is_changed = |page: &quire_revision::PageNode| {
        page.page_type() == PageType::Document
            && last.page(page.id).is_none_or(|former| !is_same_text(page, former))
    };
    let changed: Vec<&str> =
        head.pages_in_order().filter(|page| is_changed(page)).map(|page| page.title.as_str()).collect();
    if let Some(named) = list(&changed) {
        return format!("Edit {named}");
    }
    let gone = last.pages_in_order().filter(|page| head.page(page.id).is_none());
    let gone: Vec<&str> = gone.map(|page| page.title.as_str()).collect();
    match list(&gone) {
        Some(named) => format!("Remove {named}"),
        None if pages(last) != pages(head) => "Arrange the pages".to_owned(),
        None => "Edit the documentation".to_owned(),
    }
}

fn list(titles: &[&str]) -> Option<String> {
    let (last, first) = titles.split_last()?;
    Some(match (first.len(), titles.len().saturating_sub(NAMED)) {
        (0, _) => (*last).to_owned(),
        (_, 0) => format!("{} and {last}", first.join(", ")),
        (_, more) => {
            let named: Vec<&str> = titles.iter().take(NAMED).copied().collect();
            format!("{} and {more} more", named.join(", "))
        }
    })
}

/// Change request that a commit publishes.
pub(super) struct Published {
    pub(super) number: i32,
    pub(super) subject: String,
}

/// Fills a template. Without a change request, `message` is the subject, and parts about a change request are left out.
pub(super) fn filled(
    template: Option<&str>,
    published: Option<&Published>,
    message: &str,
    url: &str,
) -> String {
    let subject = published.map_or(message, |published| published.subject.as_str());
    let number = published.map(|published| published.number.to_string()).unwrap_or_default();
    let filled = match template {
        None => subject.to_owned(),
        // In one pass, so that braces in a subject are preserved.
        Some(template) => fill(template, |name| match name {
            "change_request_number" => Some(number.as_str()),
            "change_request_subject" => Some(subject),
            "url" => Some(url),
            _ => None,
        }),
    };
    match filled.trim() {
        "" => message.to_owned(),
        filled => filled.to_owned(),
    }
}

fn fill<'v>(template: &str, value: impl Fn(&str) -> Option<&'v str>) -> String {
    let (mut filled, mut rest) = (String::new(), template);
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        match after.split_once('}').and_then(|(name, after)| Some((value(name)?, after))) {
            Some((value, after)) => {
                filled.push_str(value);
                rest = after;
            }
            None => {
                filled.push('{');
                rest = after;
            }
        }
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_filled_once() {
        let published = Published { number: 7, subject: "Add {url}".to_owned() };
        let filled = |template, published| filled(template, published, "Edit Start", "https://a.example");
        assert_eq!(filled(None, None), "Edit Start");
        assert_eq!(filled(None, Some(&published)), "Add {url}");
        let template = Some("docs: #{change_request_number} {change_request_subject} {x} { ({url})");
        assert_eq!(filled(template, Some(&published)), "docs: #7 Add {url} {x} { (https://a.example)");
        assert_eq!(filled(Some("{change_request_number}"), None), "Edit Start");
    }

    #[test]
    fn a_message_names_three_pages() {
        assert_eq!(list(&["A"]).as_deref(), Some("A"));
        assert_eq!(list(&["A", "B", "C"]).as_deref(), Some("A, B and C"));
        assert_eq!(list(&["A", "B", "C", "D", "E"]).as_deref(), Some("A, B, C and 2 more"));
        assert_eq!(list(&[]), None);
    }
}
