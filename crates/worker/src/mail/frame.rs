//! HTML frame of mails, and user text in them.

use maud::{DOCTYPE, Markup, html};

/// Text of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailText {
    /// Subject.
    pub subject: String,
    /// Plain text.
    pub plain: String,
    /// HTML.
    pub html: String,
    /// URL that unsubscribes from such mails with one POST (RFC 8058).
    pub unsubscribe: Option<String>,
}

/// Style of a small paragraph.
pub(super) const SMALL: &str = "margin:0 0 16px;font-size:14px;line-height:20px;color:#5c5e67";

/// Writes a link as a button.
pub(super) fn button(action: &str, url: &str) -> Markup {
    html! {
        a href=(url)
            style="display:inline-block;padding:10px 16px;border-radius:8px;background:#3451b2;color:#fff;text-decoration:none" {
            (action)
        }
    }
}

/// Writes the HTML of a mail.
pub(super) fn page(title: &str, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="color-scheme" content="light";
                title { (title) }
            }
            body style="margin:0;padding:32px 24px;background:#fff;color:#33343b;font:16px/24px system-ui,sans-serif" {
                div style="max-width:416px;margin:0 auto" {
                    h1 style="margin:0 0 16px;font-size:24px;line-height:32px;color:#17181c" { (title) }
                    (content)
                }
            }
        }
    };
    page.into_string()
}

/// Returns user text as one line without control characters, cut to a number of characters.
pub(super) fn cut_line(text: &str, most: usize) -> String {
    let words: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", words.get(..end).unwrap_or_default()),
        None => words,
    }
}
