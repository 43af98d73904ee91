//! Texts of mails: subject, plain text and HTML.

use maud::html;
use quire_storage::people::mails::{Letter, LinkPurpose};

use super::frame::{MailText, SMALL, button, cut_line, page};
use super::notice;

/// Maximum length of a title in a mail, in characters.
const TITLE_MAX: usize = 100;

/// Writes a mail with links below the base URL.
#[must_use]
pub fn compose(letter: &Letter, base_url: &str) -> MailText {
    match letter {
        Letter::Invitation { organization, invite, secret } => {
            let organization = one_line(organization);
            frame(
                &format!("Invitation to {organization}"),
                &format!("You are invited to {organization} on Quire."),
                ("Accept the invitation", &format!("{base_url}/~/invite/{invite}?secret={secret}")),
                "If you don't expect this invitation, ignore this mail.",
            )
        }
        Letter::Link { purpose: LinkPurpose::SignIn, secret } => frame(
            "Your link to sign in",
            "This link signs you in to Quire. It works once, within 15 minutes.",
            ("Sign in", &format!("{base_url}/~/link/{secret}")),
            "If you didn't request it, ignore this mail.",
        ),
        Letter::Link { purpose: LinkPurpose::PasswordReset, secret } => frame(
            "Set a new password",
            "Use this link to set a new password for Quire. It works once, within 15 minutes.",
            ("Set a new password", &format!("{base_url}/~/reset/{secret}")),
            "If you didn't request it, ignore this mail. Your password stays the same.",
        ),
        Letter::Notice(notice) => notice::compose(notice, base_url),
    }
}

/// Writes a mail with one link.
fn frame(subject: &str, lead: &str, (action, url): (&str, &str), end: &str) -> MailText {
    let content = html! {
        p style="margin:0 0 24px" { (lead) }
        p style="margin:0 0 24px" { (button(action, url)) }
        p style=(SMALL) { (end) }
        p style="margin:0;font-size:14px;line-height:20px;color:#5c5e67;word-break:break-all" { (url) }
    };
    MailText {
        subject: subject.to_owned(),
        plain: format!("{lead}\n\n{action}:\n{url}\n\n{end}\n"),
        html: page(subject, &content),
        unsubscribe: None,
    }
}

/// Returns user text as a part of one line, without control characters and with a bounded length.
fn one_line(text: &str) -> String {
    cut_line(text, TITLE_MAX)
}

#[cfg(test)]
mod tests {
    use quire_domain::ids::InviteId;
    use quire_storage::people::mails::{Letter, LinkPurpose};

    use super::{compose, one_line};

    #[test]
    fn titles_are_text_of_one_line() {
        let letter = Letter::Invitation {
            organization: "<b>Acme</b>\r\nBcc: eve@example.com".to_owned(),
            invite: InviteId::from_uuid(uuid::Uuid::from_u128(7)),
            secret: "qi_x".to_owned(),
        };
        let text = compose(&letter, "https://docs.example.com/base");
        assert_eq!(text.subject, "Invitation to <b>Acme</b> Bcc: eve@example.com");
        assert!(text.html.contains("&lt;b&gt;Acme") && !text.html.contains("<b>"));
        let url = format!("https://docs.example.com/base/~/invite/{}?secret=qi_x", letter_id(&letter));
        assert!(text.plain.contains(&url) && text.html.contains(&url));
    }

    fn letter_id(letter: &Letter) -> InviteId {
        match letter {
            Letter::Invitation { invite, .. } => *invite,
            _ => panic!("not an invitation"),
        }
    }

    #[test]
    fn links_lead_to_the_page_of_their_purpose() {
        for (purpose, path) in [(LinkPurpose::SignIn, "link"), (LinkPurpose::PasswordReset, "reset")] {
            let text = compose(&Letter::Link { purpose, secret: "ql_x".to_owned() }, "http://localhost:8080");
            assert!(text.plain.contains(&format!("\nhttp://localhost:8080/~/{path}/ql_x\n")));
        }
    }

    #[test]
    fn long_titles_are_cut() {
        assert_eq!(one_line("a\u{0}b\u{85}c  d"), "a b c d");
        let long = one_line(&"ä".repeat(1_000));
        assert_eq!((long.chars().count(), long.chars().last()), (101, Some('…')));
    }
}
