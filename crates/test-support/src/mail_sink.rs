//! SMTP server that keeps the received mail.

use std::io::{BufRead as _, BufReader, Result, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// Maximum wait for a mail.
const ARRIVAL: Duration = Duration::from_secs(20);

/// SMTP server on a free port of this machine. It permanently refuses recipients `refused@…`, and delays the first mail
/// to each `later@…`.
#[derive(Debug)]
pub struct MailSink {
    /// URL in the form of `QUIRE_SMTP_URL`.
    pub url: String,
    received: Receiver<ReceivedMail>,
}

/// Received mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedMail {
    /// Envelope recipient.
    pub recipient: String,
    /// Headers and body. Quoted-printable text is decoded only as far as links need it.
    pub text: String,
}

impl ReceivedMail {
    /// Returns the first line that begins with this prefix.
    ///
    /// # Panics
    /// Without such a line.
    #[must_use]
    pub fn line(&self, prefix: &str) -> &str {
        let found = self.text.lines().find(|line| line.starts_with(prefix));
        found.unwrap_or_else(|| panic!("{prefix} is not in {}", self.text))
    }
}

impl MailSink {
    /// Starts a sink. It runs until the process ends.
    ///
    /// # Panics
    /// If the machine has no free port.
    #[must_use]
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("the machine has a free port");
        let address = listener.local_addr().expect("the port is known");
        let (sender, received) = channel();
        thread::spawn(move || {
            let mut delayed = false;
            for stream in listener.incoming().flatten() {
                // A client that disconnects early has sent all that the test expects.
                let _ = converse(stream, &sender, &mut delayed);
            }
        });
        Self { url: format!("smtp://{address}"), received }
    }

    /// Returns the next mail.
    ///
    /// # Panics
    /// If none arrives.
    #[must_use]
    pub fn next(&self) -> ReceivedMail {
        self.received.recv_timeout(ARRIVAL).expect("a mail arrives")
    }

    /// Returns whether all mail was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.received.try_recv().is_err()
    }
}

/// Receives mail with a minimal subset of SMTP.
fn converse(stream: TcpStream, sender: &Sender<ReceivedMail>, delayed: &mut bool) -> Result<()> {
    let mut answers = stream.try_clone()?;
    let mut lines = BufReader::new(stream).lines();
    answers.write_all(b"220 sink\r\n")?;
    let mut recipient = String::new();
    while let Some(line) = lines.next().transpose()? {
        let command = line.to_ascii_uppercase();
        let answer = if command.starts_with("RCPT TO:") {
            recipient = line.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
            match recipient.split('@').next() {
                Some("refused") => "550 no such user\r\n",
                Some("later") if !*delayed => {
                    *delayed = true;
                    "451 try again later\r\n"
                }
                _ => "250 ok\r\n",
            }
        } else if command == "DATA" {
            answers.write_all(b"354 go on\r\n")?;
            let mut text = String::new();
            for line in lines.by_ref() {
                match line?.as_str() {
                    "." => break,
                    line => text = format!("{text}{}\n", line.strip_prefix('.').unwrap_or(line)),
                }
            }
            let text = text.replace("=\n", "").replace("=3D", "=");
            // The test may have ended.
            let _ = sender.send(ReceivedMail { recipient: recipient.clone(), text });
            "250 ok\r\n"
        } else if command == "QUIT" {
            answers.write_all(b"221 bye\r\n")?;
            break;
        } else {
            "250 ok\r\n"
        };
        answers.write_all(answer.as_bytes())?;
    }
    Ok(())
}
