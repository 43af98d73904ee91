//! Versions of listed spaces.

use diesel::deserialize::{FromSql, FromSqlRow};
use diesel::pg::{Pg, PgValue};
use diesel::sql_types::SqlType;
use quire_domain::Role;
use quire_domain::ids::SpaceId;
use uuid::Uuid;

use crate::hierarchy::{PositionKey, parent_or_root};

/// A space in a list, as it was when it was listed. What is shown of a space to a role follows from this, so it can be
/// kept in memory under it. Only lists make one, of spaces that the actor may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SpaceVersion {
    /// The space.
    pub id: SpaceId,
    /// The reader's role on it.
    pub role: Option<Role>,
    /// Transaction that wrote the row. Each change of a space has another one until the ids of transactions repeat.
    pub(super) version: TransactionId,
}

/// SQL type of the ids of transactions.
#[derive(SqlType)]
#[diesel(postgres_type(oid = 28, array_oid = 1011))]
pub(super) struct Xid;

/// Id of a transaction. PostgreSQL sends it as an unsigned integer of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, FromSqlRow)]
pub(super) struct TransactionId([u8; 4]);

impl FromSql<Xid, Pg> for TransactionId {
    fn from_sql(bytes: PgValue<'_>) -> diesel::deserialize::Result<Self> {
        Ok(Self(bytes.as_bytes().try_into()?))
    }
}

/// The values that a page of a list begins after. Those before the first page precede every space.
pub(super) fn start_after(after: Option<&PositionKey>) -> (Uuid, String, Uuid) {
    after.map_or_else(
        || (Uuid::nil(), String::new(), Uuid::nil()),
        |key| (parent_or_root(key.parent), key.position.to_string(), key.id),
    )
}
