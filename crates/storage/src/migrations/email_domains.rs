//! Migration step that SQL cannot do: converts the domains of e-mail addresses to their encoded form (IDNA).

use std::collections::HashSet;

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::texts::{Email, EmailDomain};
use uuid::Uuid;

use crate::Result;
use crate::schema::{email_invites, organizations, users};

/// Version of the migration.
pub(super) const VERSION: &str = "20261128170000";

sql_files! {
    EncodeUsers(Array<SqlUuid>, Array<Text>) = "encode_users.sql";
    EncodeInvites(Array<SqlUuid>, Array<Text>) = "encode_invites.sql";
}

/// Encodes the domains of the addresses of users and invites, and those of organizations. Of several addresses with the
/// same encoded form, only the oldest is encoded, or none if that address already exists. The others are not changed.
pub(super) fn encode(connection: &mut PgConnection) -> Result<()> {
    let is_beyond_ascii = || sql::<Bool>("email ~ '@.*[^[:ascii:]]'");
    let of_users: Vec<(Uuid, Option<String>)> = users::table
        .filter(is_beyond_ascii())
        .order((users::created_at, users::id))
        .select((users::id, users::email))
        .load(connection)?;
    let of_users = of_users.into_iter().filter_map(|(id, email)| Some((id, encoded(email?)?)));
    let (ids, emails): (Vec<Uuid>, Vec<String>) = first_of_each(of_users, |(_, email)| email.clone()).unzip();
    EncodeUsers::bind((ids, emails)).execute(connection)?;

    let of_invites: Vec<(Uuid, Uuid, String)> = email_invites::table
        .filter(is_beyond_ascii())
        .order((email_invites::created_at, email_invites::id))
        .select((email_invites::organization_id, email_invites::id, email_invites::email))
        .load(connection)?;
    let of_invites = of_invites
        .into_iter()
        .filter_map(|(organization, id, email)| Some((organization, id, encoded(email)?)));
    let of_invites = first_of_each(of_invites, |(organization, _, email)| (*organization, email.clone()));
    let (ids, emails): (Vec<Uuid>, Vec<String>) = of_invites.map(|(_, id, email)| (id, email)).unzip();
    EncodeInvites::bind((ids, emails)).execute(connection)?;

    let of_organizations: Vec<(Uuid, Vec<Option<String>>)> = organizations::table
        .filter(sql::<Bool>("array_to_string(email_domains, ' ') ~ '[^[:ascii:]]'"))
        .select((organizations::id, organizations::email_domains))
        .load(connection)?;
    for (id, domains) in of_organizations {
        let domains = domains.into_iter().flatten().map(encoded_domain);
        let domains: Vec<Option<String>> = first_of_each(domains, String::clone).map(Some).collect();
        diesel::update(organizations::table.find(id))
            .set(organizations::email_domains.eq(domains))
            .execute(connection)?;
    }
    Ok(())
}

/// Returns the canonical form of an address; `None` if it is not valid now.
fn encoded(email: String) -> Option<String> {
    Email::new(email).ok()?.into_text().ok()
}

/// Returns the canonical form of a domain. An invalid domain is not changed.
fn encoded_domain(domain: String) -> String {
    let encoded = EmailDomain::new(domain.clone()).ok().and_then(|domain| domain.into_text().ok());
    encoded.unwrap_or(domain)
}

/// Returns the first of the items with equal keys.
fn first_of_each<T, K: Eq + std::hash::Hash>(
    items: impl Iterator<Item = T>,
    key: impl Fn(&T) -> K,
) -> impl Iterator<Item = T> {
    let mut seen = HashSet::new();
    items.filter(move |item| seen.insert(key(item)))
}
