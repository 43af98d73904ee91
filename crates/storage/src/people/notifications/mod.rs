//! Mails about inbox entries: settings, content, and unsubscribe links.
//!
//! The content of a mail is read when it is sent, and only includes entries that the recipient may still see.

mod due;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Text, Uuid as SqlUuid};
use quire_database::{Seal, sql_files};
use quire_domain::ids::{InboxEntryId, UserId};
use quire_domain::inbox::InboxEntryType;
use quire_domain::notifications::{Delivery, Notifications, NotificationsUpdate};
use uuid::Uuid;

use crate::people::inbox::{InboxItem, Item};
use crate::schema::{notification_settings, users};
use crate::system::SystemTx;
use crate::transaction::{Reader, Tx};
use crate::{Result, parse_enum};

/// Name of the key that seals unsubscribe tokens.
const SEAL: &str = "notifications";
/// Maximum number of entries in a mail.
pub const SHOWN: usize = 50;

sql_files! {
    ListMailed(SqlUuid, Array<SqlUuid>, BigInt) -> Item = "entries.sql";
    FindRecipient(SqlUuid) -> (Text,) = "recipient.sql";
    SetNotifications(SqlUuid, Array<Text>, Array<Text>) = "set.sql";
}

/// Mails that an unsubscribe link ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// Recipient.
    pub user: UserId,
    /// Name of the user.
    pub display_name: String,
    /// Kind of entries; `None` for all kinds.
    pub kind: Option<InboxEntryType>,
}

/// Content of a mail about entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// `true` for a daily mail.
    pub is_digest: bool,
    /// Entries, newest first; at most [`SHOWN`].
    pub entries: Vec<InboxItem>,
    /// Number of entries that were left out.
    pub more: usize,
    /// Unsubscribe tokens for each kind of the entries.
    pub subscriptions: Vec<(InboxEntryType, String)>,
    /// Unsubscribe token for all mails about entries.
    pub all: String,
}

impl Reader<'_> {
    /// Returns the settings for mails about the actor's inbox entries.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error::Unauthenticated).
    pub fn own_notifications(&mut self) -> Result<Notifications> {
        let user = self.own_actor()?.user;
        let rows: Vec<(String, String)> = notification_settings::table
            .filter(notification_settings::user_id.eq(user))
            .select((notification_settings::kind, notification_settings::delivery))
            .load(self.connection)?;
        let settings = rows.iter().map(|(kind, delivery)| Ok((parse_enum(kind)?, parse_enum(delivery)?)));
        Ok(Notifications::new(settings.collect::<Result<Vec<_>>>()?))
    }

    /// Returns the mails that an unsubscribe token ends. Returns `None` for an invalid token, or if the user no longer
    /// exists.
    pub fn subscription(&mut self, token: &str) -> Result<Option<Subscription>> {
        let Some(key) = self.known_deployment_key(SEAL)? else { return Ok(None) };
        let Some((user, kind)) = opened(&Seal::new(key), token) else { return Ok(None) };
        let name: Option<String> =
            users::table.find(user).select(users::display_name).get_result(self.connection).optional()?;
        Ok(name.map(|display_name| Subscription { user, display_name, kind }))
    }
}

impl Tx<'_> {
    /// Changes the settings for mails about the actor's inbox entries.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error::Unauthenticated).
    pub fn update_own_notifications(&mut self, update: NotificationsUpdate) -> Result<()> {
        let user = self.own_actor()?.user;
        self.set_notifications(user, update.changes())
    }

    /// Disables mails to a user.
    pub fn unsubscribe(&mut self, subscription: &Subscription) -> Result<()> {
        let kinds = subscription.kind.map_or_else(|| InboxEntryType::ALL.to_vec(), |kind| vec![kind]);
        self.set_notifications(subscription.user, kinds.into_iter().map(|kind| (kind, Delivery::Never)))
    }

    fn set_notifications(
        &mut self,
        user: UserId,
        changes: impl Iterator<Item = (InboxEntryType, Delivery)>,
    ) -> Result<()> {
        let (kinds, deliveries): (Vec<&str>, Vec<&str>) =
            changes.map(|(kind, delivery)| (kind.as_str(), delivery.as_str())).unzip();
        if !kinds.is_empty() {
            SetNotifications::bind((user, kinds, deliveries)).execute(self.connection)?;
        }
        Ok(())
    }
}

impl SystemTx<'_> {
    /// Returns the address of a user and the content of a mail about these entries. Returns `None` if all of them were
    /// read or may no longer be seen, or if the user has no address.
    pub(crate) fn notice(
        &mut self,
        user: UserId,
        entries: &[InboxEntryId],
        is_digest: bool,
    ) -> Result<Option<(String, Notice)>> {
        let recipient: Option<(String,)> =
            FindRecipient::bind((user,)).get_result(self.connection).optional()?;
        let Some((recipient,)) = recipient else { return Ok(None) };
        let ids = entries.to_vec();
        let limit = i64::try_from(entries.len()).unwrap_or(i64::MAX);
        let mut shown: Vec<InboxItem> = ListMailed::bind((user, ids, limit)).load(self.connection)?;
        let more = shown.len().saturating_sub(SHOWN);
        shown.truncate(SHOWN);
        if shown.is_empty() {
            return Ok(None);
        }
        let seal = self.seal(SEAL)?;
        let kinds = InboxEntryType::ALL.into_iter().filter(|kind| shown.iter().any(|e| e.type_ == *kind));
        let subscriptions =
            kinds.map(|kind| Ok((kind, sealed(&seal, user, Some(kind))?))).collect::<Result<_>>()?;
        let all = sealed(&seal, user, None)?;
        Ok(Some((recipient, Notice { is_digest, entries: shown, more, subscriptions, all })))
    }
}

/// Returns an unsubscribe token: the id of the user and the kind, encrypted, so that nothing is stored and no one can
/// create a token for another user.
fn sealed(seal: &Seal, user: UserId, kind: Option<InboxEntryType>) -> Result<String> {
    let kind = kind.map_or("", InboxEntryType::as_str);
    let text = [Uuid::from(user).as_bytes().as_slice(), kind.as_bytes()].concat();
    Ok(URL_SAFE_NO_PAD.encode(seal.seal(SEAL, &text)?))
}

/// Returns the user and the kind in a token; `None` for an invalid token.
fn opened(seal: &Seal, token: &str) -> Option<(UserId, Option<InboxEntryType>)> {
    let sealed = URL_SAFE_NO_PAD.decode(token).ok()?;
    let text = seal.open(SEAL, &sealed).ok()?;
    let (user, kind) = text.split_first_chunk::<16>()?;
    let kind = match kind {
        [] => None,
        kind => Some(InboxEntryType::ALL.into_iter().find(|known| known.as_str().as_bytes() == kind)?),
    };
    Some((UserId::from_uuid(Uuid::from_bytes(*user)), kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_names_its_user_and_kind_and_none_can_be_made_up() {
        let (seal, user) = (Seal::new([7; 32]), UserId::from_uuid(Uuid::from_u128(7)));
        for kind in InboxEntryType::ALL.into_iter().map(Some).chain([None]) {
            let token = sealed(&seal, user, kind).unwrap();
            assert_eq!(opened(&seal, &token), Some((user, kind)));
            assert_eq!(opened(&Seal::new([8; 32]), &token), None);
        }
        for wrong in ["", "x", "%", &"A".repeat(93), &"A".repeat(100_000)] {
            assert_eq!(opened(&seal, wrong), None);
        }
    }
}
