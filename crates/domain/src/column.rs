//! Columns of PostgreSQL, through diesel: how the types of the domain are stored.

use diesel::deserialize::{self, FromSql, Queryable};
use diesel::expression::AsExpression;
use diesel::internal::derives::as_expression::Bound;
use diesel::pg::{Pg, PgValue};
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::{Array, Bool, Jsonb, Nullable, SmallInt, SqlType, Text, Timestamptz, Uuid};
use diesel::{ExpressionMethods, Selectable, dsl};
use quire_revision::column_type;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error;
use serde_json::{Value, json};
use time::OffsetDateTime;

use crate::bounded::{Bounded, Kind};
use crate::claim_rules::{ClaimRule, ClaimRules};
use crate::clock::Timestamp;
use crate::ids::{OrganizationId, TeamId};
use crate::merge_rules::MergeRules;
use crate::patch::Patch;
use crate::policy::Limits;
use crate::role::Role;
use crate::schema::api_tokens;
use crate::sites::RedirectDestination;

/// Declares types that a column of the type `text` holds in their wire form.
macro_rules! text_columns {
    ($($name:ty,)+) => {
        column_type! {$(
            $name: Text as String, |stored: String| from_wire(stored), |value: &Self| value.as_str().to_owned();
        )+}
    };
}

text_columns! {
    crate::audit::AuditOutcome,
    crate::change_requests::Status,
    crate::custom_fields::CustomFieldType,
    crate::git::GitDirection,
    crate::git::GitOperationState,
    crate::git::GitProvider,
    crate::git_installations::GitAgent,
    crate::git_installations::GitAuthority,
    crate::git_installations::GitPreviewState,
    crate::git_installations::GitPriority,
    crate::git_installations::GitTrigger,
    crate::imports::ImportPhase,
    crate::imports::ImportSource,
    crate::imports::ImportState,
    crate::inbox::InboxEntryType,
    crate::integrations::IntegrationCategory,
    crate::integrations::IntegrationScope,
    crate::integrations::IntegrationTarget,
    crate::integrations::IntegrationVisibility,
    crate::integrations::Selection,
    crate::openapi_specs::ProcessError,
    crate::openapi_specs::ProcessingState,
    crate::openapi_specs::SpecSlug,
    crate::reviews::ReviewStatus,
    crate::revisions::RevisionType,
    crate::spaces::EditMode,
    crate::sites::SiteType,
    crate::sites::SiteVisibility,
    crate::translations::Language,
    crate::webhooks::DeliveryState,
    crate::webhooks::EventKind,
}

column_type! {
    RedirectDestination: Jsonb as Value,
        serde_json::from_value::<Self>, |destination: &Self| json!(destination);
    Timestamp: Timestamptz as OffsetDateTime,
        |stored: OffsetDateTime| Self::try_from(stored), |time: &Self| time.to_datetime();
    Role: SmallInt as i16,
        |stored| Self::from_rank(stored).ok_or("a stored role has an unknown rank"), |role: &Self| role.rank();
}

/// Rule in the database views of provider rules.
#[derive(Deserialize)]
struct StoredRule {
    claim: String,
    value: String,
    team: Option<TeamId>,
    role: Option<i16>,
}

/// Reads the rules of a provider; null is an empty list.
impl FromSql<Nullable<Jsonb>, Pg> for ClaimRules {
    fn from_sql(bytes: PgValue<'_>) -> deserialize::Result<Self> {
        let stored: Vec<StoredRule> =
            serde_json::from_value(<Value as FromSql<Jsonb, Pg>>::from_sql(bytes)?)?;
        let rule = |StoredRule { claim, value, team, role }| -> deserialize::Result<ClaimRule> {
            let role = match role {
                Some(rank) => Some(Role::from_rank(rank).ok_or("a stored role has an unknown rank")?),
                None => None,
            };
            Ok(ClaimRule { claim, value, team, role })
        };
        stored.into_iter().map(rule).collect::<deserialize::Result<Vec<_>>>().map(Self)
    }

    fn from_nullable_sql(bytes: Option<PgValue<'_>>) -> deserialize::Result<Self> {
        bytes.map_or_else(|| Ok(Self::default()), Self::from_sql)
    }
}

impl Queryable<Nullable<Jsonb>, Pg> for ClaimRules {
    type Row = Self;

    fn build(row: Self) -> deserialize::Result<Self> {
        Ok(row)
    }
}

/// Writes a text in its canonical form. Fails for an unvalidated text that breaks its bounds.
impl<K: Kind> ToSql<Text, Pg> for Bounded<K> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        let text = K::canonical(self.as_text()?.to_owned());
        ToSql::<Text, Pg>::to_sql(&text, &mut out.reborrow())
    }
}

impl<K: Kind> AsExpression<Text> for Bounded<K> {
    type Expression = Bound<Text, Self>;

    fn as_expression(self) -> Self::Expression {
        Bound::new(self)
    }
}

impl<K: Kind> AsExpression<Text> for &Bounded<K> {
    type Expression = Bound<Text, Self>;

    fn as_expression(self) -> Self::Expression {
        Bound::new(self)
    }
}

impl<K: Kind> ToSql<Nullable<Text>, Pg> for Bounded<K> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        ToSql::<Text, Pg>::to_sql(self, out)
    }
}

impl<K: Kind> AsExpression<Nullable<Text>> for Bounded<K> {
    type Expression = Bound<Nullable<Text>, Self>;

    fn as_expression(self) -> Self::Expression {
        Bound::new(self)
    }
}

impl<K: Kind> AsExpression<Nullable<Text>> for &Bounded<K> {
    type Expression = Bound<Nullable<Text>, Self>;

    fn as_expression(self) -> Self::Expression {
        Bound::new(self)
    }
}

impl<T> Patch<T> {
    /// Returns the assignment of the change to a column; `None` keeps the value.
    pub fn assign<C>(self, column: C) -> Option<dsl::Eq<C, Option<T>>>
    where
        C: ExpressionMethods,
        C::SqlType: SqlType,
        Option<T>: AsExpression<C::SqlType>,
    {
        self.into_option().map(|value| column.eq(value))
    }
}

/// Columns of the limits of a token, followed by the end of its session. A session counts as a token without expiry
/// when it creates or revokes tokens.
type LimitsTypes = (Bool, Nullable<Array<Nullable<Uuid>>>, Nullable<Timestamptz>, Nullable<Timestamptz>);

impl Queryable<LimitsTypes, Pg> for Limits {
    type Row = (bool, Option<Vec<Option<OrganizationId>>>, Option<Timestamp>, Option<Timestamp>);

    fn build(
        (read_only, organizations, expires_at, session_ends_at): Self::Row,
    ) -> deserialize::Result<Self> {
        Ok(Self {
            read_only,
            organizations: organizations.map(|ids| ids.into_iter().flatten().collect()),
            expires_at: expires_at.filter(|_| session_ends_at.is_none()),
        })
    }
}

impl Selectable<Pg> for Limits {
    type SelectExpression = (
        api_tokens::read_only,
        api_tokens::organizations,
        api_tokens::expires_at,
        api_tokens::session_ends_at,
    );

    fn construct_selection() -> Self::SelectExpression {
        (
            api_tokens::read_only,
            api_tokens::organizations,
            api_tokens::expires_at,
            api_tokens::session_ends_at,
        )
    }
}

/// Reads the rules of a space, whose column is null where they are inherited.
impl FromSql<Nullable<Jsonb>, Pg> for MergeRules {
    fn from_sql(bytes: PgValue<'_>) -> deserialize::Result<Self> {
        let stored = <Value as FromSql<Jsonb, Pg>>::from_sql(bytes)?;
        Ok(serde_json::from_value(stored)?)
    }

    fn from_nullable_sql(bytes: Option<PgValue<'_>>) -> deserialize::Result<Self> {
        bytes.map_or(Ok(Self::Inherit), <Self as FromSql<Nullable<Jsonb>, Pg>>::from_sql)
    }
}

impl Queryable<Nullable<Jsonb>, Pg> for MergeRules {
    type Row = Self;

    fn build(row: Self) -> deserialize::Result<Self> {
        Ok(row)
    }
}

/// Writes the rules of a space.
impl ToSql<Nullable<Jsonb>, Pg> for MergeRules {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        if *self == Self::Inherit {
            return Ok(IsNull::Yes);
        }
        let stored = serde_json::to_value(self)?;
        ToSql::<Jsonb, Pg>::to_sql(&stored, &mut out.reborrow())
    }
}

impl AsExpression<Nullable<Jsonb>> for MergeRules {
    type Expression = Bound<Nullable<Jsonb>, Self>;

    fn as_expression(self) -> Self::Expression {
        Bound::new(self)
    }
}

impl AsExpression<Nullable<Jsonb>> for &MergeRules {
    type Expression = Bound<Nullable<Jsonb>, Self>;

    fn as_expression(self) -> Self::Expression {
        Bound::new(self)
    }
}

fn from_wire<T: serde::de::DeserializeOwned>(word: String) -> Result<T, Error> {
    T::deserialize(IntoDeserializer::<Error>::into_deserializer(word))
}
