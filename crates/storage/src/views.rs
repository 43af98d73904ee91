//! Views that authorize: one row per API token and resource that the token reaches. Their columns, subqueries and joins
//! are explained in the migration that creates them.
//!
//! `diesel print-schema` does not print views, and PostgreSQL's catalogue calls each of their columns nullable. So they
//! are declared here, with the nullability that the tables behind them have. A test compares names and types.

use diesel::dsl;
use diesel::expression::{AppearsOnTable, ValidGrouping};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sql_types::Bool;
use time::OffsetDateTime;

use crate::schema::{
    content_grants, custom_fields, email_invites, git_installations, oidc_provider_teams, oidc_providers,
    organization_members, saml_providers, site_spaces, spaces, team_members, translation_settings, users,
};

diesel::table! {
    organization_access (token_id, id) {
        token_id -> Uuid,
        token_hash -> Bytea,
        token_expires_at -> Nullable<Timestamptz>,
        actor_id -> Uuid,
        read_only -> Bool,
        last_used_at -> Nullable<Timestamptz>,
        id -> Uuid,
        title -> Text,
        hostname -> Nullable<Text>,
        #[sql_name = "type"]
        type_ -> Text,
        use_case -> Nullable<Text>,
        community_type -> Nullable<Text>,
        email_domains -> Array<Text>,
        default_role -> Nullable<Int2>,
        default_content -> Nullable<Jsonb>,
        sso -> Bool,
        ai -> Bool,
        invite_links -> Bool,
        plan -> Text,
        billing -> Nullable<Jsonb>,
        billing_migration -> Nullable<Jsonb>,
        trial -> Jsonb,
        logo -> Nullable<Text>,
        custom_hostname -> Nullable<Text>,
        blocked_reason -> Nullable<Text>,
        search_language -> Text,
        created_at -> Timestamptz,
        is_member -> Bool,
        member_role -> Nullable<Int2>,
        owns_team -> Bool,
        token_reaches -> Bool,
        merge_rules -> Nullable<Jsonb>,
    }
}

diesel::table! {
    collection_access (token_id, id) {
        token_id -> Uuid,
        token_hash -> Bytea,
        token_expires_at -> Nullable<Timestamptz>,
        actor_id -> Uuid,
        read_only -> Bool,
        last_used_at -> Nullable<Timestamptz>,
        organization_id -> Uuid,
        id -> Uuid,
        parent_id -> Nullable<Uuid>,
        path -> Array<Nullable<Uuid>>,
        position -> Text,
        title -> Text,
        description -> Nullable<Text>,
        default_level -> Nullable<Int2>,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        role -> Nullable<Int2>,
        organization_is_blocked -> Bool,
    }
}

diesel::table! {
    space_access (token_id, id) {
        token_id -> Uuid,
        token_hash -> Bytea,
        token_expires_at -> Nullable<Timestamptz>,
        actor_id -> Uuid,
        read_only -> Bool,
        last_used_at -> Nullable<Timestamptz>,
        id -> Uuid,
        content_id -> Uuid,
        organization_id -> Uuid,
        collection_id -> Nullable<Uuid>,
        default_level -> Nullable<Int2>,
        head_revision -> Uuid,
        deleted_at -> Nullable<Timestamptz>,
        site_visibility -> Nullable<Text>,
        member_role -> Nullable<Int2>,
        role -> Nullable<Int2>,
        is_visible -> Bool,
        organization_is_blocked -> Bool,
    }
}

diesel::table! {
    site_access (token_id, id) {
        token_id -> Uuid,
        token_hash -> Bytea,
        token_expires_at -> Nullable<Timestamptz>,
        actor_id -> Uuid,
        read_only -> Bool,
        last_used_at -> Nullable<Timestamptz>,
        organization_id -> Uuid,
        id -> Uuid,
        #[sql_name = "type"]
        type_ -> Text,
        title -> Text,
        visibility -> Text,
        published -> Bool,
        hostname -> Nullable<Text>,
        basename -> Nullable<Text>,
        proxy_origin -> Nullable<Text>,
        adaptive_content -> Nullable<Bool>,
        customization -> Nullable<Jsonb>,
        created_at -> Timestamptz,
        site_spaces -> Int8,
        member_role -> Nullable<Int2>,
        organization_is_blocked -> Bool,
        pending_hostname -> Nullable<Text>,
        pending_proxy_origin -> Nullable<Text>,
        name -> Text,
        organization_name -> Text,
    }
}

diesel::table! {
    invite_access (token_id, organization_id, id) {
        token_id -> Uuid,
        token_hash -> Bytea,
        token_expires_at -> Nullable<Timestamptz>,
        actor_id -> Uuid,
        read_only -> Bool,
        last_used_at -> Nullable<Timestamptz>,
        organization_id -> Uuid,
        id -> Uuid,
        seed -> Uuid,
        role -> Nullable<Int2>,
        space_id -> Nullable<Uuid>,
        collection_id -> Nullable<Uuid>,
        member_role -> Nullable<Int2>,
        member_disabled -> Nullable<Bool>,
        content_role -> Nullable<Int2>,
        invite_links -> Bool,
        organization_is_blocked -> Bool,
    }
}

diesel::table! {
    team_access (token_id, organization_id, id) {
        token_id -> Uuid,
        token_hash -> Bytea,
        token_expires_at -> Nullable<Timestamptz>,
        actor_id -> Uuid,
        read_only -> Bool,
        last_used_at -> Nullable<Timestamptz>,
        organization_id -> Uuid,
        id -> Uuid,
        title -> Text,
        created_at -> Timestamptz,
        is_owner -> Bool,
        member_role -> Nullable<Int2>,
        organization_is_blocked -> Bool,
    }
}

diesel::table! {
    saml_default_teams (token_id, organization_id, saml_provider_id) {
        token_id -> Uuid,
        organization_id -> Uuid,
        saml_provider_id -> Uuid,
        id -> Uuid,
        title -> Text,
        created_at -> Timestamptz,
        members -> Int8,
        spaces -> Int8,
        owned -> Bool,
    }
}

diesel::table! {
    integration_details (id) {
        id -> Uuid,
        organization_id -> Uuid,
        name -> Text,
        version -> Int4,
        title -> Text,
        description -> Text,
        summary -> Nullable<Text>,
        target -> Text,
        visibility -> Text,
        verified -> Bool,
        scopes -> Array<Nullable<Text>>,
        categories -> Array<Nullable<Text>>,
        blocks -> Nullable<Jsonb>,
        content_sources -> Nullable<Jsonb>,
        configurations -> Nullable<Jsonb>,
        external_links -> Jsonb,
        content_security_policy -> Nullable<Jsonb>,
        icon -> Nullable<Text>,
        previews -> Array<Text>,
        block_domains -> Array<Text>,
        has_blocks -> Bool,
        has_content_sources -> Bool,
    }
}

diesel::table! {
    installation_access (token_id, organization_id, id) {
        token_id -> Uuid,
        token_hash -> Bytea,
        token_expires_at -> Nullable<Timestamptz>,
        actor_id -> Uuid,
        read_only -> Bool,
        last_used_at -> Nullable<Timestamptz>,
        organization_id -> Uuid,
        id -> Uuid,
        integration_id -> Uuid,
        integration_name -> Text,
        target -> Text,
        configurations -> Nullable<Jsonb>,
        configuration -> Jsonb,
        external_ids -> Array<Text>,
        space_selection -> Text,
        site_selection -> Text,
        spaces -> Int8,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
    }
}

diesel::allow_tables_to_appear_in_same_query!(organization_access, installation_access);
diesel::allow_tables_to_appear_in_same_query!(organization_access, integration_details);
diesel::table! {
    space_roles (space_id, user_id) {
        organization_id -> Uuid,
        space_id -> Uuid,
        user_id -> Uuid,
        role -> Nullable<Int2>,
    }
}

diesel::table! {
    content_roles (organization_id, user_id) {
        organization_id -> Uuid,
        space_id -> Nullable<Uuid>,
        collection_id -> Nullable<Uuid>,
        user_id -> Uuid,
        role -> Nullable<Int2>,
    }
}

diesel::allow_tables_to_appear_in_same_query!(content_roles, users);
diesel::allow_tables_to_appear_in_same_query!(space_access, space_roles);
diesel::allow_tables_to_appear_in_same_query!(space_access, spaces);
diesel::allow_tables_to_appear_in_same_query!(space_roles, spaces);
diesel::allow_tables_to_appear_in_same_query!(space_access, site_access);
diesel::allow_tables_to_appear_in_same_query!(space_access, site_spaces);
diesel::allow_tables_to_appear_in_same_query!(space_access, git_installations);
diesel::allow_tables_to_appear_in_same_query!(site_access, site_spaces);
diesel::allow_tables_to_appear_in_same_query!(team_access, team_members);
diesel::allow_tables_to_appear_in_same_query!(team_access, organization_members);
diesel::allow_tables_to_appear_in_same_query!(team_access, content_grants);
diesel::allow_tables_to_appear_in_same_query!(organization_access, oidc_providers);
diesel::allow_tables_to_appear_in_same_query!(organization_access, oidc_provider_teams);
diesel::allow_tables_to_appear_in_same_query!(organization_access, saml_providers);
diesel::allow_tables_to_appear_in_same_query!(organization_access, saml_default_teams);
diesel::allow_tables_to_appear_in_same_query!(saml_providers, saml_default_teams);
diesel::allow_tables_to_appear_in_same_query!(organization_access, users);
diesel::allow_tables_to_appear_in_same_query!(organization_access, organization_members);
diesel::allow_tables_to_appear_in_same_query!(organization_access, translation_settings);
diesel::allow_tables_to_appear_in_same_query!(organization_access, custom_fields);
diesel::allow_tables_to_appear_in_same_query!(organization_access, email_invites);

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
    /// Expression whether the session with an id lacks a second factor that an organization of its user requires. `.sql`
    /// files write it as the literal does.
    LacksFactor = "EXISTS (SELECT FROM lacking_sessions l WHERE l.token_id = ";
    /// Expression whether the organization with an id requires a second factor. The view of organizations has as many
    /// columns as diesel takes.
    RequiresFactor = "EXISTS (SELECT FROM organizations r WHERE r.second_factor_required AND r.id = ";
}

/// A view of what tokens reach.
pub(crate) trait Access {
    /// Columns of the actor, for [`ActorRow`](crate::lookup::ActorRow).
    type Actor;
    /// Condition that a row belongs to a valid token.
    type Valid;

    /// Returns the columns of the actor.
    fn actor() -> Self::Actor;

    /// Returns the condition that a row belongs to the token with this hash, which has not expired at this time.
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
