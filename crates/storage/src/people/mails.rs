//! Queue of mails: one row per event, and a job that sends the rows of a transaction.
//!
//! A row has no text and no secret. Both are created when the mail is sent, from the data at that time.

use std::time::Duration;

use diesel::prelude::*;
use quire_domain::bounds::EMAIL_INVITE_LIFE;
use quire_domain::ids::{InboxEntryId, InviteId, OrganizationId, UserId};
use serde::Deserialize;
use serde_json::{Value, json};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::people::invites::{SECRET_PREFIX, secret_hash};
use crate::people::notifications::Notice;
use crate::people::sign_in_links;
use crate::people::users::random_secret;
use crate::schema::{email_invites, mails, organizations};
use crate::system::SystemTx;
use crate::transaction::Tx;
use crate::{Error, Result};

/// Kind of the job that sends the mails whose ids are in its payload.
pub const JOB: &str = "send-mails";

/// Time for which a mail is kept after it expired. During this time, no second mail about its event is sent.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// Time after which a mail about inbox entries is no longer sent.
const NOTICE_LIFE: Duration = Duration::from_secs(24 * 60 * 60);
/// Minimum time between two links to one address.
const LINK_PAUSE: Duration = Duration::from_secs(60);

/// Mail to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewMail {
    /// Invitation to an organization.
    Invitation {
        /// Organization.
        organization: OrganizationId,
        /// E-mail invite.
        invite: InviteId,
        /// Invited address.
        recipient: String,
    },
    /// Link for the user with this address, if there is one.
    Link {
        /// Purpose of the link.
        purpose: LinkPurpose,
        /// Address, which may not have an account.
        recipient: String,
    },
    /// Entries of an inbox.
    Notice {
        /// User.
        user: UserId,
        /// E-mail address of the user.
        recipient: String,
        /// Entries; at least one.
        entries: Vec<InboxEntryId>,
        /// `true` for a daily mail.
        is_digest: bool,
    },
}

/// Purpose of a link in a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkPurpose {
    /// Sign-in.
    SignIn,
    /// Reset of the password.
    PasswordReset,
}

/// Content of a mail.
#[derive(Clone, PartialEq, Eq)]
pub enum Letter {
    /// Invitation to an organization.
    Invitation {
        /// Title of the organization.
        organization: String,
        /// E-mail invite.
        invite: InviteId,
        /// Secret of the invite.
        secret: String,
    },
    /// Link for a user.
    Link {
        /// Purpose of the link.
        purpose: LinkPurpose,
        /// Secret of the link.
        secret: String,
    },
    /// Entries of an inbox.
    Notice(Notice),
}

/// Data of a mail about inbox entries.
#[derive(Deserialize)]
struct NoticeData {
    user: UserId,
    entries: Vec<InboxEntryId>,
}

const INVITATION: &str = "invitation";
const NOTIFICATION: &str = "notification";
const DIGEST: &str = "digest";

impl LinkPurpose {
    const ALL: [Self; 2] = [Self::SignIn, Self::PasswordReset];

    const fn kind(self) -> &'static str {
        match self {
            Self::SignIn => "sign-in-link",
            Self::PasswordReset => "password-reset",
        }
    }
}

impl NewMail {
    /// Returns the columns that depend on the mail: kind, recipient, data, event and expiry.
    fn into_columns(self, now: OffsetDateTime) -> (&'static str, String, Value, String, OffsetDateTime) {
        let row = |kind: &'static str, recipient, data, event: String, expires_at| {
            (kind, recipient, data, format!("{kind}:{event}"), expires_at)
        };
        match self {
            Self::Invitation { organization, invite, recipient } => {
                let data = json!({"organization": organization, "invite": invite});
                row(INVITATION, recipient, data, invite.to_string(), now + EMAIL_INVITE_LIFE)
            }
            Self::Link { purpose, recipient } => {
                let pause = i64::try_from(LINK_PAUSE.as_secs()).unwrap_or(i64::MAX);
                let event = format!("{}:{recipient}", now.unix_timestamp().div_euclid(pause));
                row(purpose.kind(), recipient, json!({}), event, now + sign_in_links::LIFE)
            }
            Self::Notice { user, recipient, entries, is_digest } => {
                let kind = if is_digest { DIGEST } else { NOTIFICATION };
                // An entry is mailed once, so the first one identifies the event.
                let event = entries.first().map_or_else(String::new, |entry| format!("{user}:{entry}"));
                row(kind, recipient, json!({"user": user, "entries": entries}), event, now + NOTICE_LIFE)
            }
        }
    }
}

impl Tx<'_> {
    /// Writes mails, which are sent after this transaction commits. Takes two statements. An event gets at most one
    /// mail, and an address gets at most one link of a kind per minute.
    pub fn post_mails(&mut self, new: Vec<NewMail>) -> Result<()> {
        if new.is_empty() {
            return Ok(());
        }
        let now = OffsetDateTime::from(self.now);
        let row = |mail: NewMail| {
            let (kind, recipient, data, event, expires_at) = mail.into_columns(now);
            (
                mails::id.eq(self.storage.ids().uuid()),
                mails::kind.eq(kind),
                mails::recipient.eq(recipient),
                mails::data.eq(data),
                mails::event.eq(event),
                mails::created_at.eq(now),
                mails::expires_at.eq(expires_at),
            )
        };
        let rows: Vec<_> = new.into_iter().map(row).collect();
        let written: Vec<Uuid> = diesel::insert_into(mails::table)
            .values(rows)
            .on_conflict(mails::event)
            .do_nothing()
            .returning(mails::id)
            .load(self.connection)?;
        if !written.is_empty() {
            let payload = json!({"mails": written});
            self.enqueue(JOB, payload, None, self.now())?;
        }
        Ok(())
    }
}

impl SystemTx<'_> {
    /// Returns the recipient and the content of a mail, with a new secret. Returns `None` for a mail that must not be
    /// sent: it was sent or has expired, the invite no longer exists, the address has no account, or the entries were
    /// read.
    pub fn open_mail(&mut self, id: Uuid) -> Result<Option<(String, Letter)>> {
        let now = OffsetDateTime::from(self.now);
        let found: Option<(String, String, Value)> = mails::table
            .find(id)
            .filter(mails::ended_at.is_null())
            .filter(mails::expires_at.gt(now))
            .select((mails::kind, mails::recipient, mails::data))
            .get_result(self.connection)
            .optional()?;
        let Some((kind, recipient, data)) = found else { return Ok(None) };
        if [NOTIFICATION, DIGEST].contains(&kind.as_str()) {
            let NoticeData { user, entries } = serde_json::from_value(data)
                .map_err(|error| Error::corrupt("a mail names no entries", anyhow::Error::new(error)))?;
            let notice = self.notice(user, &entries, kind == DIGEST)?;
            return Ok(notice.map(|(recipient, notice)| (recipient, Letter::Notice(notice))));
        }
        let purpose = LinkPurpose::ALL.into_iter().find(|purpose| purpose.kind() == kind);
        let letter = match purpose {
            Some(purpose) => self.link(purpose, &recipient)?,
            None => self.invitation(&data)?,
        };
        Ok(letter.map(|letter| (recipient, letter)))
    }

    fn link(&mut self, purpose: LinkPurpose, recipient: &str) -> Result<Option<Letter>> {
        let Some(account) = self.account(recipient)? else { return Ok(None) };
        let secret = self.create_sign_in_link(account.user)?;
        Ok(Some(Letter::Link { purpose, secret }))
    }

    /// Sets a new secret of an invite for the mail, so that no secret is stored before the mail is sent.
    fn invitation(&mut self, data: &Value) -> Result<Option<Letter>> {
        let (organization, invite) = invitation_of(data)?;
        let secret = random_secret(SECRET_PREFIX);
        let now = OffsetDateTime::from(self.now);
        let pending =
            email_invites::table.find((organization, invite)).filter(email_invites::expires_at.gt(now));
        let changed = diesel::update(pending)
            .set(email_invites::mailed_secret_hash.eq(secret_hash(&secret)))
            .execute(self.connection)?;
        if changed == 0 {
            return Ok(None);
        }
        let title = organizations::table
            .find(organization)
            .select(organizations::title)
            .get_result(self.connection)?;
        Ok(Some(Letter::Invitation { organization: title, invite, secret }))
    }

    /// Marks a mail as sent, or as permanently refused.
    pub fn end_mail(&mut self, id: Uuid) -> Result<()> {
        let now = OffsetDateTime::from(self.now);
        diesel::update(mails::table.find(id)).set(mails::ended_at.eq(now)).execute(self.connection)?;
        Ok(())
    }

    /// Deletes mails that expired more than a week ago, and returns their number.
    pub fn sweep_mails(&mut self) -> Result<usize> {
        let before = OffsetDateTime::from(self.now) - KEPT;
        let old = mails::table.filter(mails::expires_at.lt(before));
        Ok(diesel::delete(old).execute(self.connection)?)
    }
}

fn invitation_of(data: &Value) -> Result<(OrganizationId, InviteId)> {
    let id = |name: &str| data.get(name).and_then(Value::as_str).unwrap_or_default();
    match (id("organization").parse(), id("invite").parse()) {
        (Ok(organization), Ok(invite)) => Ok((organization, invite)),
        _ => Err(Error::corrupt("a mail names no invite", anyhow::anyhow!("{data}"))),
    }
}
