//! Sending through an SMTP server.

use std::fmt;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::response::Category;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use thiserror::Error;
use url::{Host, Url};
use uuid::Uuid;

use super::MailText;

/// Time limit of each step of the exchange with the server.
const TIMEOUT: Duration = Duration::from_secs(10);

type Transport = AsyncSmtpTransport<Tokio1Executor>;

/// Sends mail through an SMTP server, one connection for each mail.
#[derive(Clone)]
pub struct Mailer {
    transport: Transport,
    from: Mailbox,
}

/// Shows the sender only: the transport holds a password.
impl fmt::Debug for Mailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mailer").field("from", &self.from.to_string()).finish_non_exhaustive()
    }
}

/// Invalid setting for mail. The message does not repeat the URL, which may contain a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum InvalidSetting {
    /// The URL of the server.
    #[error("QUIRE_SMTP_URL: must be smtp://user:password@host:port, or smtps:// for TLS from the start")]
    Server,
    /// The sender.
    #[error("QUIRE_MAIL_FROM: must be an address such as quire@example.com, or `Quire <quire@example.com>`")]
    Sender,
}

/// Reason why a mail was not sent.
#[derive(Debug)]
pub enum SendError {
    /// The server will never accept this mail.
    Refused(anyhow::Error),
    /// The server may accept this mail later.
    Delayed(anyhow::Error),
    /// The server is unusable at the moment.
    Unavailable(anyhow::Error),
}

impl Mailer {
    /// Creates a mailer. The connection uses TLS, unless the server runs on this machine.
    ///
    /// # Errors
    /// A sentence that names the setting.
    pub fn new(url: &str, from: &str) -> Result<Self, InvalidSetting> {
        let from = sender(from.trim()).ok_or(InvalidSetting::Sender)?;
        Ok(Self { transport: transport(url).ok_or(InvalidSetting::Server)?, from })
    }

    /// Sends a mail. Its `Message-ID` is made from `id`, so that receivers recognize a mail that is sent again.
    ///
    /// # Errors
    /// See [`SendError`].
    pub async fn send(&self, id: Uuid, recipient: &str, text: &MailText) -> Result<(), SendError> {
        let message = self.message(id, recipient, text).map_err(SendError::Refused)?;
        match self.transport.send(message).await {
            Ok(_) => Ok(()),
            Err(error) if concerns_mail(&error) => Err(SendError::Refused(error.into())),
            // The server does not support SMTPUTF8, which non-ASCII addresses need.
            Err(error) if error.is_client() && !recipient.is_ascii() => Err(SendError::Refused(error.into())),
            Err(error) if error.is_transient() => Err(SendError::Delayed(error.into())),
            Err(error) => Err(SendError::Unavailable(error.into())),
        }
    }

    fn message(&self, id: Uuid, recipient: &str, text: &MailText) -> anyhow::Result<Message> {
        let recipient: Address = recipient.parse().context("the recipient is not an address")?;
        let mut headers = vec![("Auto-Submitted", "auto-generated".to_owned())];
        if let Some(url) = &text.unsubscribe {
            headers.push(("List-Unsubscribe", format!("<{url}>")));
            headers.push(("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()));
        }
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, recipient))
            .subject(text.subject.clone())
            .message_id(Some(format!("<{id}@{}>", self.from.email.domain())));
        for (name, value) in headers {
            message = message.raw_header(HeaderValue::new(HeaderName::new_from_ascii_str(name), value));
        }
        let message =
            message.multipart(MultiPart::alternative_plain_html(text.plain.clone(), text.html.clone()));
        message.map_err(|error| anyhow!(error).context("the mail can't be written"))
    }
}

/// Returns the sender if the whole text is one address. The parser ignores trailing text.
fn sender(text: &str) -> Option<Mailbox> {
    let mailbox: Mailbox = text.parse().ok()?;
    let is_whole = text.trim_end_matches('>').ends_with(&mailbox.email.to_string());
    (is_whole && !text.chars().any(char::is_control)).then_some(mailbox)
}

/// Returns whether the server refuses this mail permanently. Other permanent errors concern the connection, such as a
/// wrong password.
fn concerns_mail(error: &smtp::Error) -> bool {
    error.is_permanent() && error.status().is_some_and(|code| code.category == Category::MailSystem)
}

fn transport(url: &str) -> Option<Transport> {
    let url = Url::parse(url).ok()?;
    let host = url.host_str().filter(|host| !host.is_empty())?;
    let has_more = !matches!(url.path(), "" | "/") || url.query().is_some() || url.fragment().is_some();
    if has_more {
        return None;
    }
    // A URL has brackets around an IPv6 address, a host name of the transport has none.
    let name = host.trim_start_matches('[').trim_end_matches(']');
    let builder = match url.scheme() {
        "smtps" => Transport::relay(name).ok()?,
        "smtp" if is_loopback(&url) => Transport::builder_dangerous(name).port(587),
        "smtp" => Transport::starttls_relay(name).ok()?,
        _ => return None,
    };
    let builder = match url.port() {
        Some(port) => builder.port(port),
        None => builder,
    };
    let builder = match (url.username(), url.password()) {
        ("", None) => builder,
        ("", Some(_)) | (_, None) => return None,
        (user, Some(password)) => builder.credentials(Credentials::new(decoded(user)?, decoded(password)?)),
    };
    Some(builder.timeout(Some(TIMEOUT)).build())
}

/// Returns whether the host of a URL is this machine.
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    // The URL library parses hosts only in the schemes that it knows.
    match Host::parse(host) {
        Ok(Host::Domain(name)) => name == "localhost",
        Ok(Host::Ipv4(address)) => address.is_loopback(),
        Ok(Host::Ipv6(address)) => address.is_loopback(),
        Err(_) => false,
    }
}

/// Decodes a part of a URL.
fn decoded(part: &str) -> Option<String> {
    let decoded = percent_encoding::percent_decode_str(part).decode_utf8().ok()?;
    (!decoded.contains('\0')).then(|| decoded.into_owned())
}

#[cfg(test)]
mod tests {
    use super::super::MailText;
    use super::{InvalidSetting, Mailer};

    const FROM: &str = "Quire <quire@example.com>";

    #[test]
    fn servers_are_urls_with_a_host() {
        for url in [
            "smtp://mail.example.com",
            "smtp://ada:secret@mail.example.com:2525",
            "smtps://ada%40example.com:p%3Aw@mail.example.com/",
            "smtp://127.0.0.1:25",
            "smtp://[::1]:25",
            "smtp://localhost",
        ] {
            assert!(Mailer::new(url, FROM).is_ok(), "{url}");
        }
        for url in [
            "",
            "mail.example.com",
            "mail.example.com:25",
            "http://mail.example.com",
            "smtp://",
            "smtp:mail.example.com",
            "smtp://ada@mail.example.com",
            "smtp://:secret@mail.example.com",
            "smtp://mail.example.com/path",
            "smtp://mail.example.com?tls=none",
            "smtp://mail.example.com:port",
            "smtp://ada:%FF@mail.example.com",
        ] {
            assert_eq!(Mailer::new(url, FROM).unwrap_err(), InvalidSetting::Server, "{url}");
        }
        for from in
            ["", "Quire", "quire@", "a@b.example, c@d.example", "Quire <q@example.com>\r\nBcc: a@b.example"]
        {
            assert_eq!(Mailer::new("smtp://localhost", from).unwrap_err(), InvalidSetting::Sender, "{from}");
        }
    }

    #[test]
    fn a_mailer_shows_no_password() {
        let mailer = Mailer::new("smtp://ada:secret@mail.example.com", FROM).unwrap();
        assert!(!format!("{mailer:?}").contains("secret"));
        let error = Mailer::new("smtp://ada:secret@mail.example.com/x", FROM).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("secret"));
    }

    #[test]
    fn no_text_adds_a_header() {
        let text = MailText {
            subject: "Join \r\nBcc: eve@example.com".to_owned(),
            plain: "Hello".to_owned(),
            html: "<p>Hello</p>".to_owned(),
            unsubscribe: Some("https://docs.example.com/~/unsubscribe/x".to_owned()),
        };
        let mailer = Mailer::new("smtp://localhost", FROM).unwrap();
        let id = uuid::Uuid::from_u128(7);
        let written = mailer.message(id, "ada@example.com", &text).unwrap().formatted();
        let written = String::from_utf8(written).unwrap();
        let (head, _) = written.split_once("\r\n\r\n").unwrap();
        assert!(!head.to_lowercase().contains("\nbcc:"), "{head}");
        assert!(head.contains("Auto-Submitted: auto-generated"), "{head}");
        assert!(head.contains("List-Unsubscribe: <https://docs.example.com/~/unsubscribe/x>"), "{head}");
        assert!(head.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"), "{head}");
        assert!(head.contains("Message-ID: <00000000-0000-0000-0000-000000000007@example.com>"), "{head}");
        assert!(mailer.message(id, "ada@example.com\r\nBcc: eve@example.com", &text).is_err());
    }
}
