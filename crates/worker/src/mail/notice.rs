//! Mails about entries of inboxes.

use std::fmt::Write as _;

use maud::{Markup, html};
use quire_content::inbox::{excerpt, name_of_kind, sentence};
use quire_domain::inbox::InboxEntryType;
use quire_storage::people::inbox::InboxItem;
use quire_storage::people::notifications::Notice;

use super::frame::{MailText, SMALL, button, cut_line, page};

/// Maximum length of a sentence about an entry, in characters. It contains subjects of change requests and names of
/// people.
const SENTENCE_MAX: usize = 200;
/// Maximum length of an excerpt, in characters.
const EXCERPT_MAX: usize = 300;

/// Line about an entry.
struct Line {
    sentence: String,
    space: String,
    excerpt: Option<String>,
    url: String,
}

/// Writes a mail about one entry, or about a list of several, with unsubscribe links.
pub(super) fn compose(notice: &Notice, base_url: &str) -> MailText {
    let lines: Vec<Line> = notice.entries.iter().map(|entry| line(entry, base_url)).collect();
    let subject = subject(notice, &lines);
    let inbox = format!("{base_url}/~/inbox");
    let links = links(notice, base_url);
    let content = html! {
        @if let [line] = lines.as_slice() {
            p style="margin:0 0 16px" { "In " (line.space) "." }
            @if let Some(excerpt) = &line.excerpt { (quote(excerpt)) }
            p style="margin:0 0 24px" { (button("Open in Quire", &line.url)) }
        } @else {
            ul style="margin:0 0 24px;padding:0;list-style:none" {
                @for line in &lines {
                    li style="margin:0 0 16px" {
                        a href=(line.url) style="color:#3451b2" { (line.sentence) } " in " (line.space) "."
                        @if let Some(excerpt) = &line.excerpt { (quote(excerpt)) }
                    }
                }
            }
            @if notice.more > 0 { p style="margin:0 0 24px" { "And " (notice.more) " more." } }
            p style="margin:0 0 24px" { (button("Open the inbox", &inbox)) }
        }
        p style=(SMALL) {
            "You get this mail because of your inbox in Quire."
            @for (words, url) in &links { " " a href=(url) style="color:#5c5e67" { (words) } "." }
        }
    };
    let mut plain = String::new();
    for Line { sentence, space, excerpt, url } in &lines {
        // Writing to a string does not fail.
        let _ = writeln!(plain, "{sentence} in {space}.");
        if let Some(excerpt) = excerpt {
            let _ = writeln!(plain, "> {excerpt}");
        }
        let _ = writeln!(plain, "{url}\n");
    }
    if notice.more > 0 {
        let _ = writeln!(plain, "And {} more:\n{inbox}\n", notice.more);
    }
    for (words, url) in &links {
        let _ = writeln!(plain, "{words}:\n{url}");
    }
    let unsubscribe = match notice.subscriptions.as_slice() {
        [(_, token)] => unsubscribe_url(base_url, token),
        _ => unsubscribe_url(base_url, &notice.all),
    };
    MailText { html: page(&subject, &content), subject, plain, unsubscribe: Some(unsubscribe) }
}

fn subject(notice: &Notice, lines: &[Line]) -> String {
    let count = lines.len().saturating_add(notice.more);
    match lines {
        [line] if count == 1 => line.sentence.clone(),
        _ if notice.is_digest => format!("{count} unread entries in your inbox"),
        [first, ..] => format!("{}, and {} more", first.sentence, count.saturating_sub(1)),
        [] => String::new(),
    }
}

fn line(entry: &InboxItem, base_url: &str) -> Line {
    Line {
        sentence: cut_line(&sentence(entry), SENTENCE_MAX),
        space: cut_line(&entry.space.title, SENTENCE_MAX),
        excerpt: excerpt(entry).map(|text| cut_line(&text, EXCERPT_MAX)).filter(|text| !text.is_empty()),
        url: format!("{base_url}/{}", entry.app_path()),
    }
}

/// Returns the unsubscribe links with their labels.
fn links(notice: &Notice, base_url: &str) -> Vec<(String, String)> {
    let of_kind = |(kind, token): &(InboxEntryType, String)| {
        (format!("Stop mails about {}", name_of_kind(*kind)), unsubscribe_url(base_url, token))
    };
    let all = ("Stop all mails about the inbox".to_owned(), unsubscribe_url(base_url, &notice.all));
    notice.subscriptions.iter().map(of_kind).chain([all]).collect()
}

fn unsubscribe_url(base_url: &str, token: &str) -> String {
    format!("{base_url}/~/unsubscribe/{token}")
}

fn quote(text: &str) -> Markup {
    html! {
        p style="margin:8px 0 16px;padding:0 0 0 12px;border-left:3px solid #e3e4e8;color:#5c5e67" { (text) }
    }
}
