//! `send-mails`: sends the mails that a request wrote.
//!
//! A mail is marked as sent after the SMTP server has accepted it. If the worker is lost between the two steps, the
//! mail is sent twice.

use anyhow::Context as _;
use quire_storage::operations::jobs::Job;
use quire_storage::people::mails;
use serde::Deserialize;
use uuid::Uuid;

use super::Next;
use crate::Services;
use crate::mail::{Mailer, SendError, compose};
use crate::runner::transact;

/// The kind of the job.
pub const KIND: &str = mails::JOB;

#[derive(Deserialize)]
struct Payload {
    mails: Vec<Uuid>,
}

/// Sends each mail that is not marked as sent. A mail that the server delays does not hold up the others.
///
/// # Errors
/// If a mail has to be retried.
pub async fn run(services: &Services, job: &Job) -> anyhow::Result<Next> {
    let Payload { mails } = Payload::deserialize(&job.payload).context("its payload names no mails")?;
    let mailer = services.mailer.as_ref().context("QUIRE_SMTP_URL is not set on this node")?;
    let mut delayed = None;
    for id in mails {
        match send(services, mailer, id).await {
            Ok(()) => {}
            Err(Problem::Delayed(error)) => delayed = Some(error),
            Err(Problem::Broken(error)) => return Err(error),
        }
    }
    match delayed {
        Some(error) => Err(error),
        None => Ok(Next::Done),
    }
}

/// Reason why a mail was not sent.
enum Problem {
    /// The server may accept this mail later.
    Delayed(anyhow::Error),
    /// Neither this mail nor others can be sent now.
    Broken(anyhow::Error),
}

impl From<quire_storage::Error> for Problem {
    fn from(error: quire_storage::Error) -> Self {
        Self::Broken(error.into())
    }
}

async fn send(services: &Services, mailer: &Mailer, id: Uuid) -> Result<(), Problem> {
    let storage = &services.storage;
    let Some((recipient, letter)) = transact(storage, move |tx| tx.open_mail(id)).await? else {
        return Ok(());
    };
    let text = compose(&letter, &services.base_url);
    match mailer.send(id, &recipient, &text).await {
        Ok(()) => {}
        Err(SendError::Refused(error)) => log::warn!("mail {id} was refused: {error:#}"),
        Err(SendError::Delayed(error)) => return Err(Problem::Delayed(error)),
        Err(SendError::Unavailable(error)) => return Err(Problem::Broken(error)),
    }
    Ok(transact(storage, move |tx| tx.end_mail(id)).await?)
}
