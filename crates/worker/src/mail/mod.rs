//! Mail: its text, and the SMTP server that it is sent through.

mod smtp;
mod text;

pub use smtp::{InvalidSetting, Mailer, SendError};
pub use text::{MailText, compose};
