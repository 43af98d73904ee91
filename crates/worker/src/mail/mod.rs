//! Mail: its text, and the SMTP client.

mod frame;
mod notice;
mod smtp;
mod text;

pub use frame::MailText;
pub use smtp::{InvalidSetting, Mailer, SendError};
pub use text::compose;
