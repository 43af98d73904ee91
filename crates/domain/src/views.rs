//! Views of PostgreSQL: authorization views, with one row per API token and resource that the token reaches, and views
//! of records joined with the users that they name. The migrations that create them explain their columns, subqueries
//! and joins.
//!
//! `diesel print-schema` does not print views, and PostgreSQL's catalogue reports each of their columns as nullable.
//! They are therefore declared here, with the nullability of the underlying tables. A test compares names and types.

use crate::schema::{
    change_requests, collections, comments, content_grants, custom_fields, email_invites, git_installations,
    oidc_provider_teams, oidc_providers, organization_members, organizations, revisions, saml_providers,
    site_git_installations, site_spaces, spaces, team_members, translation_settings, users,
};

diesel::table! {
    lacking_sessions (token_id) {
        token_id -> Uuid,
    }
}

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
        position -> Text,
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
        git_sync -> Nullable<Jsonb>,
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
    oidc_rule_lists (organization_id, oidc_provider_id) {
        organization_id -> Uuid,
        oidc_provider_id -> Uuid,
        rules -> Jsonb,
    }
}

diesel::table! {
    saml_rule_lists (organization_id, saml_provider_id) {
        organization_id -> Uuid,
        saml_provider_id -> Uuid,
        rules -> Jsonb,
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

diesel::table! {
    comment_details (space_id, id) {
        space_id -> Uuid,
        id -> Uuid,
        change_request_id -> Nullable<Uuid>,
        review_id -> Nullable<Uuid>,
        posted_by -> Nullable<Uuid>,
        posted_at -> Timestamptz,
        edited_at -> Nullable<Timestamptz>,
        markdown -> Text,
        document -> Bytea,
        target_revision -> Uuid,
        target_page -> Nullable<Uuid>,
        target_page_record -> Nullable<Jsonb>,
        target_document -> Nullable<Bytea>,
        target_node -> Nullable<Text>,
        target_node_preview -> Nullable<Text>,
        target_node_quote -> Nullable<Jsonb>,
        status -> Text,
        resolved_at -> Nullable<Timestamptz>,
        replies -> Int4,
        poster_id -> Nullable<Uuid>,
        poster_email -> Nullable<Text>,
        poster_display_name -> Nullable<Text>,
        poster_photo_url -> Nullable<Text>,
        resolver_id -> Nullable<Uuid>,
        resolver_email -> Nullable<Text>,
        resolver_display_name -> Nullable<Text>,
        resolver_photo_url -> Nullable<Text>,
    }
}

diesel::table! {
    reply_details (space_id, id) {
        space_id -> Uuid,
        comment_id -> Uuid,
        id -> Uuid,
        posted_at -> Timestamptz,
        edited_at -> Nullable<Timestamptz>,
        markdown -> Text,
        document -> Bytea,
        poster_id -> Nullable<Uuid>,
        poster_email -> Nullable<Text>,
        poster_display_name -> Nullable<Text>,
        poster_photo_url -> Nullable<Text>,
    }
}

diesel::table! {
    review_details (space_id, id) {
        space_id -> Uuid,
        change_request_id -> Uuid,
        id -> Uuid,
        revision_id -> Uuid,
        status -> Text,
        created_at -> Timestamptz,
        reviewer_id -> Nullable<Uuid>,
        reviewer_email -> Nullable<Text>,
        reviewer_display_name -> Nullable<Text>,
        reviewer_photo_url -> Nullable<Text>,
        requester_id -> Nullable<Uuid>,
        requester_email -> Nullable<Text>,
        requester_display_name -> Nullable<Text>,
        requester_photo_url -> Nullable<Text>,
    }
}

diesel::table! {
    reviewer_details (space_id, change_request_id, reviewer_id) {
        space_id -> Uuid,
        change_request_id -> Uuid,
        reviewer_id -> Uuid,
        is_team -> Bool,
        revision_id -> Uuid,
        created_at -> Timestamptz,
        user_id -> Nullable<Uuid>,
        user_email -> Nullable<Text>,
        user_display_name -> Nullable<Text>,
        user_photo_url -> Nullable<Text>,
        requester_id -> Nullable<Uuid>,
        requester_email -> Nullable<Text>,
        requester_display_name -> Nullable<Text>,
        requester_photo_url -> Nullable<Text>,
    }
}

diesel::allow_tables_to_appear_in_same_query!(collection_access, collections);
diesel::allow_tables_to_appear_in_same_query!(comment_details, change_requests);
diesel::allow_tables_to_appear_in_same_query!(comment_details, revisions);
diesel::allow_tables_to_appear_in_same_query!(comment_details, spaces);
diesel::allow_tables_to_appear_in_same_query!(content_roles, users);
diesel::allow_tables_to_appear_in_same_query!(oidc_rule_lists, oidc_provider_teams);
diesel::allow_tables_to_appear_in_same_query!(oidc_rule_lists, oidc_providers);
diesel::allow_tables_to_appear_in_same_query!(organization_access, custom_fields);
diesel::allow_tables_to_appear_in_same_query!(organization_access, email_invites);
diesel::allow_tables_to_appear_in_same_query!(organization_access, installation_access);
diesel::allow_tables_to_appear_in_same_query!(organization_access, integration_details);
diesel::allow_tables_to_appear_in_same_query!(organization_access, oidc_provider_teams);
diesel::allow_tables_to_appear_in_same_query!(organization_access, oidc_providers);
diesel::allow_tables_to_appear_in_same_query!(organization_access, oidc_rule_lists);
diesel::allow_tables_to_appear_in_same_query!(organization_access, organization_members);
diesel::allow_tables_to_appear_in_same_query!(organization_access, saml_default_teams);
diesel::allow_tables_to_appear_in_same_query!(organization_access, saml_providers);
diesel::allow_tables_to_appear_in_same_query!(organization_access, saml_rule_lists);
diesel::allow_tables_to_appear_in_same_query!(organization_access, translation_settings);
diesel::allow_tables_to_appear_in_same_query!(organization_access, users);
diesel::allow_tables_to_appear_in_same_query!(reply_details, change_requests);
diesel::allow_tables_to_appear_in_same_query!(reply_details, comments);
diesel::allow_tables_to_appear_in_same_query!(reply_details, spaces);
diesel::allow_tables_to_appear_in_same_query!(saml_providers, saml_default_teams);
diesel::allow_tables_to_appear_in_same_query!(saml_rule_lists, saml_default_teams);
diesel::allow_tables_to_appear_in_same_query!(saml_rule_lists, saml_providers);
diesel::allow_tables_to_appear_in_same_query!(site_access, site_git_installations);
diesel::allow_tables_to_appear_in_same_query!(site_access, site_spaces);
diesel::allow_tables_to_appear_in_same_query!(space_access, change_requests);
diesel::allow_tables_to_appear_in_same_query!(space_access, comment_details);
diesel::allow_tables_to_appear_in_same_query!(space_access, comments);
diesel::allow_tables_to_appear_in_same_query!(space_access, git_installations);
diesel::allow_tables_to_appear_in_same_query!(space_access, organizations);
diesel::allow_tables_to_appear_in_same_query!(space_access, reply_details);
diesel::allow_tables_to_appear_in_same_query!(space_access, revisions);
diesel::allow_tables_to_appear_in_same_query!(space_access, site_access);
diesel::allow_tables_to_appear_in_same_query!(space_access, site_spaces);
diesel::allow_tables_to_appear_in_same_query!(space_access, space_roles);
diesel::allow_tables_to_appear_in_same_query!(space_access, spaces);
diesel::allow_tables_to_appear_in_same_query!(space_access, users);
diesel::allow_tables_to_appear_in_same_query!(space_roles, spaces);
diesel::allow_tables_to_appear_in_same_query!(space_roles, users);
diesel::allow_tables_to_appear_in_same_query!(team_access, content_grants);
diesel::allow_tables_to_appear_in_same_query!(team_access, organization_members);
diesel::allow_tables_to_appear_in_same_query!(team_access, team_members);
