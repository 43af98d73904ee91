//! Authorizing views: one row per API token and resource that the token can access.

use diesel::dsl;
use diesel::expression::{AppearsOnTable, ValidGrouping};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sql_types::Bool;
use time::OffsetDateTime;

pub(crate) use quire_domain::views::{
    collection_access, content_roles, installation_access, integration_details, invite_access,
    oidc_rule_lists, organization_access, saml_default_teams, saml_rule_lists, site_access, space_access,
    space_roles, team_access,
};

macro_rules! conditions {
    ($($(#[$doc:meta])* $name:ident = $start:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, QueryId, ValidGrouping)]
        pub struct $name<Id>(pub(crate) Id);

        impl<Id: Expression> Expression for $name<Id> {
            type SqlType = Bool;
        }

        impl<Id: AppearsOnTable<Source>, Source> AppearsOnTable<Source> for $name<Id> {}

        impl<Id: SelectableExpression<Source>, Source> SelectableExpression<Source> for $name<Id> {}

        impl<Id: QueryFragment<Pg>> QueryFragment<Pg> for $name<Id> {
            fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
                out.push_sql($start);
                self.0.walk_ast(out.reborrow())?;
                out.push_sql(")");
                Ok(())
            }
        }
    )*};
}

conditions! {
    /// Condition that the session with an id lacks a second factor that an organization of its user requires. SQL files
    /// use the same text.
    LacksFactor = "EXISTS (SELECT FROM lacking_sessions l WHERE l.token_id = ";
    /// Condition that the organization with an id requires a second factor. It is not a column of the view of
    /// organizations, which has the maximum number of columns of diesel.
    RequiresFactor = "(SELECT r.second_factor_required FROM organizations r WHERE r.id = ";
}

/// View of the resources that tokens can access.
pub(crate) trait Access {
    /// Columns of the actor, for [`ActorRow`](crate::lookup::ActorRow).
    type Actor;
    /// Condition that a row belongs to a valid token.
    type Valid;

    /// Returns the columns of the actor.
    fn actor() -> Self::Actor;

    /// Returns the condition that a row belongs to the token with this hash and that the token has not expired at this
    /// time.
    fn valid(hash: Vec<u8>, now: OffsetDateTime) -> Self::Valid;
}

macro_rules! access {
    ($($view:ident),* $(,)?) => {$(
        impl Access for $view::table {
            type Actor = (
                $view::token_id,
                $view::actor_id,
                $view::read_only,
                $view::last_used_at,
                LacksFactor<$view::token_id>,
            );
            type Valid = dsl::And<
                dsl::Eq<$view::token_hash, Vec<u8>>,
                dsl::Or<dsl::IsNull<$view::token_expires_at>, dsl::Gt<$view::token_expires_at, OffsetDateTime>>,
            >;

            fn actor() -> Self::Actor {
                (
                    $view::token_id,
                    $view::actor_id,
                    $view::read_only,
                    $view::last_used_at,
                    LacksFactor($view::token_id),
                )
            }

            fn valid(hash: Vec<u8>, now: OffsetDateTime) -> Self::Valid {
                let in_time = $view::token_expires_at.is_null().or($view::token_expires_at.gt(now));
                $view::token_hash.eq(hash).and(in_time)
            }
        }
    )*};
}

access!(
    organization_access,
    collection_access,
    space_access,
    site_access,
    team_access,
    installation_access,
    invite_access,
);
