//! `quire admin token`, `tokens` and `revoke`

use clap::Args;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{TokenId, UserId};
use quire_storage::Tx;
use quire_storage::people::TokenRecord;
use serde_json::{Map, Value, json};

use super::{input, refuse, transact};
use crate::config::DatabaseOptions;
use crate::output;

/// A person, by id or by address.
#[derive(Args)]
#[group(multiple = false)]
struct Person {
    /// The user's id
    #[arg(long, value_name = "ID")]
    user: Option<UserId>,
    /// The user's e-mail address
    #[arg(long, value_name = "ADDRESS", value_parser = input::email)]
    email: Option<String>,
}

impl Person {
    /// The user; `None` when nobody was named.
    fn find(&self, tx: &mut Tx<'_>) -> anyhow::Result<Option<UserId>> {
        match (self.user, &self.email) {
            (Some(user), _) if tx.user_exists(user)? => Ok(Some(user)),
            (Some(user), _) => refuse(format!("there is no user {user}")),
            (None, Some(email)) => match tx.user_by_email(email)? {
                None => refuse(format!("there is no user {email}")),
                user => Ok(user),
            },
            (None, None) => Ok(None),
        }
    }
}

/// A new token.
#[derive(Args)]
pub struct Issue {
    #[command(flatten)]
    person: Person,
    /// What the token is for
    #[arg(long, value_name = "LABEL", value_parser = input::label)]
    label: String,
    /// Allow only requests that change nothing
    #[arg(long)]
    read_only: bool,
    /// Days until it expires; never without this
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    expires_in_days: Option<u32>,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl Issue {
    /// Prints `{"id", "user", "token"}` on one line, with `expiresAt` when it expires.
    ///
    /// # Errors
    /// When there is no such user.
    pub fn run(self) -> anyhow::Result<()> {
        let Self { person, label, read_only, expires_in_days, database } = self;
        let made = transact(&database, |tx| {
            let Some(user) = person.find(tx)? else {
                return refuse("whose token? name the user with --email or --user");
            };
            let expires_at = expires_in_days.map(|days| expiry(tx.now(), days)).transpose()?;
            let issued = tx.issue_token(user, &label, read_only, expires_at)?;
            let mut made = json!({"id": issued.id, "user": user, "token": issued.token});
            insert(&mut made, "expiresAt", expires_at);
            Ok(made)
        })?;
        output::line(&made.to_string());
        Ok(())
    }
}

/// The tokens there are.
#[derive(Args)]
pub struct List {
    #[command(flatten)]
    person: Person,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl List {
    /// Prints a line of JSON for each token, oldest first.
    ///
    /// # Errors
    /// When there is no such user.
    pub fn run(self) -> anyhow::Result<()> {
        let tokens = transact(&self.database, |tx| {
            let user = self.person.find(tx)?;
            Ok(tx.tokens(user)?)
        })?;
        for token in tokens {
            output::line(&shown(token).to_string());
        }
        Ok(())
    }
}

/// A token that shall work no more.
#[derive(Args)]
pub struct Revoke {
    /// The token's id, as `quire admin tokens` shows it
    #[arg(value_name = "TOKEN_ID")]
    token: TokenId,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl Revoke {
    /// Revokes it at once, also for a server that runs.
    ///
    /// # Errors
    /// When there is no such token.
    pub fn run(self) -> anyhow::Result<()> {
        let token = self.token;
        transact(&self.database, |tx| match tx.revoke_token(token)? {
            true => Ok(()),
            false => refuse(format!("there is no token {token}")),
        })
    }
}

fn expiry(now: Timestamp, days: u32) -> anyhow::Result<Timestamp> {
    Ok(Timestamp::from_millis(now.millis().saturating_add(i64::from(days).saturating_mul(86_400_000)))?)
}

fn shown(token: TokenRecord) -> Value {
    let TokenRecord { id, user, email, label, read_only, created_at, expires_at, last_used_at } = token;
    let mut shown = json!({
        "id": id, "user": user, "email": email, "label": label, "readOnly": read_only, "createdAt": created_at,
    });
    insert(&mut shown, "expiresAt", expires_at);
    insert(&mut shown, "lastUsedAt", last_used_at);
    shown
}

/// A key without a value is left out, as everywhere in Quire.
fn insert(object: &mut Value, key: &str, time: Option<Timestamp>) {
    if let (Some(object), Some(time)) = (object.as_object_mut(), time) {
        object.extend(Map::from_iter([(key.to_owned(), json!(time))]));
    }
}
