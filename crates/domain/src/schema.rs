// @generated automatically by Diesel CLI.

diesel::table! {
    api_tokens (id) {
        id -> Uuid,
        user_id -> Uuid,
        hash -> Bytea,
        label -> Text,
        read_only -> Bool,
        organizations -> Nullable<Array<Nullable<Uuid>>>,
        created_at -> Timestamptz,
        expires_at -> Nullable<Timestamptz>,
        last_used_at -> Nullable<Timestamptz>,
        session_ends_at -> Nullable<Timestamptz>,
        user_agent -> Nullable<Text>,
        address -> Nullable<Inet>,
        confirmed_at -> Nullable<Timestamptz>,
        second_factor -> Bool,
        second_factor_of -> Nullable<Uuid>,
    }
}

diesel::table! {
    audit_entries (organization_id, id) {
        organization_id -> Uuid,
        id -> Uuid,
        actor_id -> Nullable<Uuid>,
        token_id -> Nullable<Uuid>,
        operation -> Text,
        method -> Nullable<Text>,
        path -> Nullable<Text>,
        space_id -> Nullable<Uuid>,
        address -> Nullable<Inet>,
        request_id -> Nullable<Text>,
        created_at -> Timestamptz,
        target_type -> Nullable<Text>,
        target_id -> Nullable<Text>,
        actor_type -> Text,
        outcome -> Text,
    }
}

diesel::table! {
    blobs (space_id, hash) {
        space_id -> Uuid,
        hash -> Bytea,
        size -> Int8,
        created_at -> Timestamptz,
        stored_in -> Uuid,
    }
}

diesel::table! {
    change_request_contributors (space_id, change_request_id, user_id) {
        space_id -> Uuid,
        change_request_id -> Uuid,
        user_id -> Uuid,
        revisions -> Int4,
        updated_at -> Timestamptz,
    }
}

diesel::table! {
    change_request_descriptions (space_id, change_request_id) {
        space_id -> Uuid,
        change_request_id -> Uuid,
        markdown -> Text,
        document -> Bytea,
    }
}

diesel::table! {
    change_request_reviewers (space_id, change_request_id, reviewer_id) {
        space_id -> Uuid,
        change_request_id -> Uuid,
        reviewer_id -> Uuid,
        is_team -> Bool,
        requested_by -> Nullable<Uuid>,
        revision_id -> Uuid,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    change_request_reviews (space_id, id) {
        space_id -> Uuid,
        id -> Uuid,
        change_request_id -> Uuid,
        reviewer_id -> Nullable<Uuid>,
        requested_by -> Nullable<Uuid>,
        revision_id -> Uuid,
        status -> Text,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    change_request_views (space_id, change_request_id, user_id) {
        space_id -> Uuid,
        change_request_id -> Uuid,
        user_id -> Uuid,
        pages -> Jsonb,
    }
}

diesel::table! {
    change_requests (space_id, id) {
        space_id -> Uuid,
        id -> Uuid,
        number -> Int4,
        status -> Text,
        subject -> Text,
        created_by -> Nullable<Uuid>,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        head_revision -> Uuid,
        revision_initial -> Uuid,
        revision_merged_ancestor -> Nullable<Uuid>,
        revision_merged -> Nullable<Uuid>,
        comments_open -> Int4,
        comments_resolved -> Int4,
        comment_changes -> Int4,
    }
}

diesel::table! {
    collections (organization_id, id) {
        organization_id -> Uuid,
        id -> Uuid,
        parent_id -> Nullable<Uuid>,
        path -> Array<Nullable<Uuid>>,
        title -> Text,
        description -> Nullable<Text>,
        default_level -> Nullable<Int2>,
        position -> Text,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
    }
}

diesel::table! {
    comment_reactions (space_id, id) {
        space_id -> Uuid,
        id -> Uuid,
        comment_id -> Uuid,
        reply_id -> Nullable<Uuid>,
        user_id -> Uuid,
        emoji -> Text,
        reacted_at -> Timestamptz,
    }
}

diesel::table! {
    comment_replies (space_id, id) {
        space_id -> Uuid,
        id -> Uuid,
        comment_id -> Uuid,
        posted_by -> Nullable<Uuid>,
        posted_at -> Timestamptz,
        edited_at -> Nullable<Timestamptz>,
        markdown -> Text,
        document -> Bytea,
    }
}

diesel::table! {
    comments (space_id, id) {
        space_id -> Uuid,
        id -> Uuid,
        change_request_id -> Nullable<Uuid>,
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
        status -> Text,
        resolved_at -> Nullable<Timestamptz>,
        resolved_by -> Nullable<Uuid>,
        replies -> Int4,
        review_id -> Nullable<Uuid>,
        target_node_quote -> Nullable<Jsonb>,
    }
}

diesel::table! {
    content_grants (organization_id, id) {
        organization_id -> Uuid,
        id -> Uuid,
        space_id -> Nullable<Uuid>,
        collection_id -> Nullable<Uuid>,
        user_id -> Nullable<Uuid>,
        team_id -> Nullable<Uuid>,
        role -> Int2,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    custom_field_changes (space_id, revision_id, name) {
        space_id -> Uuid,
        revision_id -> Uuid,
        name -> Text,
        before -> Nullable<Jsonb>,
        after -> Nullable<Jsonb>,
    }
}

diesel::table! {
    custom_field_values (organization_id, space_id, custom_field_id) {
        organization_id -> Uuid,
        space_id -> Uuid,
        custom_field_id -> Uuid,
        value -> Jsonb,
    }
}

diesel::table! {
    custom_fields (organization_id, id) {
        organization_id -> Uuid,
        id -> Uuid,
        name -> Text,
        #[sql_name = "type"]
        type_ -> Text,
        title -> Text,
        description -> Text,
        placeholder -> Text,
        options -> Nullable<Array<Nullable<Text>>>,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
    }
}

diesel::table! {
    deployment_keys (name) {
        name -> Text,
        secret -> Bytea,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    deleted_pages (space_id, page_id) {
        space_id -> Uuid,
        page_id -> Uuid,
        revision_id -> Uuid,
        title -> Text,
        deleted_at -> Timestamptz,
        deleted_by -> Nullable<Uuid>,
    }
}

diesel::table! {
    documents (space_id, id) {
        space_id -> Uuid,
        id -> Bytea,
        body -> Bytea,
        anchors -> Nullable<Jsonb>,
        links -> Jsonb,
        tags -> Nullable<Jsonb>,
        amended_by -> Nullable<Uuid>,
    }
}

diesel::table! {
    email_invites (organization_id, id) {
        organization_id -> Uuid,
        id -> Uuid,
        email -> Text,
        role -> Nullable<Int2>,
        sso -> Bool,
        secret_hash -> Bytea,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        mailed_secret_hash -> Nullable<Bytea>,
    }
}

diesel::table! {
    former_places (space_id, parent_id, slug) {
        space_id -> Uuid,
        parent_id -> Uuid,
        slug -> Text,
        page_id -> Uuid,
    }
}

diesel::table! {
    git_installations (space_id) {
        space_id -> Uuid,
        id -> Uuid,
        provider -> Text,
        url -> Nullable<Text>,
        username -> Nullable<Text>,
        secret -> Nullable<Bytea>,
        reference -> Nullable<Text>,
        project_directory -> Text,
        commit_message_template -> Nullable<Text>,
        priority -> Nullable<Text>,
        token_id -> Nullable<Uuid>,
        created_by -> Nullable<Uuid>,
        trigger -> Text,
        failures -> Int4,
        next_run_at -> Nullable<Timestamptz>,
        changed_at -> Timestamptz,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        hook_secret -> Nullable<Bytea>,
        preview_external -> Bool,
        repository_id -> Nullable<Int8>,
        parent_id -> Nullable<Uuid>,
        site_key -> Nullable<Text>,
        app_installation_id -> Nullable<Int8>,
        agent_instructions -> Array<Nullable<Text>>,
        pull_request -> Nullable<Text>,
        sign_off -> Bool,
        authority -> Text,
    }
}

diesel::table! {
    git_operations (space_id, id) {
        space_id -> Uuid,
        id -> Uuid,
        direction -> Text,
        trigger -> Text,
        state -> Text,
        from_commit -> Nullable<Text>,
        to_commit -> Nullable<Text>,
        revision_id -> Nullable<Uuid>,
        change_request_id -> Nullable<Uuid>,
        error -> Nullable<Text>,
        attempts -> Int4,
        started_at -> Timestamptz,
        ended_at -> Timestamptz,
        pull_request -> Nullable<Text>,
        notes -> Nullable<Text>,
    }
}

diesel::table! {
    git_previews (space_id, number) {
        space_id -> Uuid,
        number -> Int8,
        commit_id -> Text,
        title -> Text,
        url -> Nullable<Text>,
        state -> Text,
        error -> Nullable<Text>,
        revision_id -> Nullable<Uuid>,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
    }
}

diesel::table! {
    git_syncs (space_id) {
        space_id -> Uuid,
        run -> Uuid,
        direction -> Text,
        state -> Text,
        url -> Text,
        reference -> Nullable<Text>,
        project_directory -> Text,
        provider -> Text,
        tree_url -> Nullable<Text>,
        commit_id -> Nullable<Text>,
        revision_id -> Nullable<Uuid>,
        error -> Nullable<Text>,
        unauthenticated -> Bool,
        started_at -> Timestamptz,
        expires_at -> Timestamptz,
        ended_at -> Nullable<Timestamptz>,
        by_installation -> Bool,
    }
}

diesel::table! {
    idempotency_keys (user_id, key) {
        user_id -> Uuid,
        key -> Text,
        token_id -> Uuid,
        request -> Bytea,
        body -> Nullable<Bytea>,
        body_size -> Int8,
        answer -> Nullable<Bytea>,
        created_at -> Timestamptz,
        places -> Array<Nullable<Uuid>>,
        roles -> Array<Nullable<Int2>>,
    }
}

diesel::table! {
    imports (space_id, id) {
        space_id -> Uuid,
        id -> Uuid,
        change_request_id -> Nullable<Uuid>,
        page_id -> Nullable<Uuid>,
        source -> Text,
        url -> Nullable<Text>,
        file_name -> Nullable<Text>,
        upload_size -> Nullable<Int8>,
        expected -> Nullable<Array<Nullable<Uuid>>>,
        request -> Nullable<Jsonb>,
        created_by -> Nullable<Uuid>,
        token_id -> Nullable<Uuid>,
        status -> Text,
        phase -> Nullable<Text>,
        done -> Int8,
        total -> Nullable<Int8>,
        run -> Nullable<Uuid>,
        attempts -> Int4,
        result -> Nullable<Json>,
        error -> Nullable<Json>,
        created_at -> Timestamptz,
        started_at -> Nullable<Timestamptz>,
        finished_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    inbox_entries (user_id, id) {
        user_id -> Uuid,
        id -> Uuid,
        space_id -> Uuid,
        kind -> Text,
        actor_id -> Nullable<Uuid>,
        change_request_id -> Nullable<Uuid>,
        comment_id -> Nullable<Uuid>,
        comment_reply_id -> Nullable<Uuid>,
        import_id -> Nullable<Uuid>,
        revision_id -> Nullable<Uuid>,
        created_at -> Timestamptz,
        read_at -> Nullable<Timestamptz>,
        mailed_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    integration_images (integration_id, place) {
        integration_id -> Uuid,
        place -> Int2,
        hash -> Text,
        media_type -> Text,
        bytes -> Bytea,
    }
}

diesel::table! {
    integration_installations (organization_id, id) {
        organization_id -> Uuid,
        id -> Uuid,
        integration_id -> Uuid,
        configuration -> Jsonb,
        external_ids -> Array<Nullable<Text>>,
        space_selection -> Text,
        site_selection -> Text,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
    }
}

diesel::table! {
    integration_site_installations (organization_id, installation_id, site_id) {
        organization_id -> Uuid,
        installation_id -> Uuid,
        site_id -> Uuid,
        configuration -> Jsonb,
        external_ids -> Array<Nullable<Text>>,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
    }
}

diesel::table! {
    integration_space_installations (organization_id, installation_id, space_id) {
        organization_id -> Uuid,
        installation_id -> Uuid,
        space_id -> Uuid,
        configuration -> Jsonb,
        external_ids -> Array<Nullable<Text>>,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
    }
}

diesel::table! {
    integrations (id) {
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
        block_domains -> Array<Nullable<Text>>,
        content_sources -> Nullable<Jsonb>,
        configurations -> Nullable<Jsonb>,
        external_links -> Jsonb,
        content_security_policy -> Nullable<Jsonb>,
        script -> Bytea,
        secrets -> Bytea,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
    }
}

diesel::table! {
    jobs (id) {
        id -> Uuid,
        kind -> Text,
        payload -> Jsonb,
        key -> Nullable<Text>,
        run_at -> Timestamptz,
        attempts -> Int4,
        leased_until -> Nullable<Timestamptz>,
        last_error -> Nullable<Text>,
        given_up_at -> Nullable<Timestamptz>,
        created_at -> Timestamptz,
        taken -> Int4,
    }
}

diesel::table! {
    mails (id) {
        id -> Uuid,
        kind -> Text,
        recipient -> Text,
        data -> Jsonb,
        event -> Text,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        ended_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    notification_settings (user_id, kind) {
        user_id -> Uuid,
        kind -> Text,
        delivery -> Text,
    }
}

diesel::table! {
    oidc_claim_rules (organization_id, oidc_provider_id, place) {
        organization_id -> Uuid,
        oidc_provider_id -> Uuid,
        place -> Int2,
        claim -> Text,
        value -> Text,
        team_id -> Nullable<Uuid>,
        role -> Nullable<Int2>,
    }
}

diesel::table! {
    oidc_identities (organization_id, oidc_provider_id, subject) {
        organization_id -> Uuid,
        oidc_provider_id -> Uuid,
        subject -> Text,
        user_id -> Uuid,
        connected_by_user -> Bool,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    oidc_provider_teams (organization_id, oidc_provider_id) {
        organization_id -> Uuid,
        oidc_provider_id -> Uuid,
        team_id -> Uuid,
    }
}

diesel::table! {
    oidc_providers (organization_id, id) {
        organization_id -> Uuid,
        id -> Uuid,
        label -> Text,
        issuer -> Text,
        client_id -> Text,
        client_secret -> Bytea,
        default_role -> Nullable<Int2>,
        created_at -> Timestamptz,
        tested_at -> Nullable<Timestamptz>,
        claims -> Nullable<Jsonb>,
    }
}

diesel::table! {
    openapi_spec_pages (organization_id, version_id, ordinal) {
        organization_id -> Uuid,
        version_id -> Uuid,
        ordinal -> Int4,
        parent -> Nullable<Int4>,
        kind -> Text,
        place -> Text,
        title -> Text,
        slug -> Text,
        description -> Nullable<Text>,
        body -> Text,
        parts -> Array<Nullable<Int4>>,
        icon -> Nullable<Text>,
    }
}

diesel::table! {
    openapi_spec_parts (organization_id, version_id, ordinal) {
        organization_id -> Uuid,
        version_id -> Uuid,
        ordinal -> Int4,
        place -> Text,
        body -> Text,
    }
}

diesel::table! {
    openapi_spec_versions (organization_id, id) {
        organization_id -> Uuid,
        id -> Uuid,
        spec_id -> Uuid,
        format -> Text,
        source_hash -> Bytea,
        source -> Text,
        created_at -> Timestamptz,
        layout -> Int4,
    }
}

diesel::table! {
    openapi_specs (organization_id, id) {
        organization_id -> Uuid,
        id -> Uuid,
        slug -> Text,
        source_url -> Nullable<Text>,
        source_text -> Nullable<Text>,
        generation -> Int4,
        processing_state -> Text,
        last_version_id -> Nullable<Uuid>,
        last_processed_at -> Nullable<Timestamptz>,
        last_process_error -> Nullable<Text>,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
    }
}

diesel::table! {
    organization_invites (organization_id, id) {
        organization_id -> Uuid,
        id -> Uuid,
        space_id -> Nullable<Uuid>,
        collection_id -> Nullable<Uuid>,
        role -> Nullable<Int2>,
        created_by -> Nullable<Uuid>,
        created_at -> Timestamptz,
        seed -> Uuid,
    }
}

diesel::table! {
    organization_members (organization_id, user_id) {
        organization_id -> Uuid,
        user_id -> Uuid,
        role -> Nullable<Int2>,
        disabled -> Bool,
        sso -> Bool,
        joined_at -> Timestamptz,
        last_seen_at -> Nullable<Timestamptz>,
        rule_role -> Nullable<Int2>,
    }
}

diesel::table! {
    organizations (id) {
        id -> Uuid,
        title -> Text,
        hostname -> Nullable<Text>,
        #[sql_name = "type"]
        type_ -> Text,
        use_case -> Nullable<Text>,
        community_type -> Nullable<Text>,
        email_domains -> Array<Nullable<Text>>,
        default_role -> Nullable<Int2>,
        default_content -> Nullable<Jsonb>,
        sso -> Bool,
        ai -> Bool,
        invite_links -> Bool,
        plan -> Text,
        billing -> Nullable<Jsonb>,
        trial -> Jsonb,
        logo -> Nullable<Text>,
        custom_hostname -> Nullable<Text>,
        blocked_reason -> Nullable<Text>,
        search_language -> Text,
        created_at -> Timestamptz,
        visitor_key -> Nullable<Bytea>,
        billing_migration -> Nullable<Jsonb>,
        slug -> Nullable<Text>,
        address_name -> Nullable<Text>,
        merge_rules -> Nullable<Jsonb>,
        second_factor_required -> Bool,
    }
}

diesel::table! {
    passkey_challenges (id) {
        id -> Uuid,
        user_id -> Nullable<Uuid>,
        state -> Text,
        expires_at -> Timestamptz,
    }
}

diesel::table! {
    passkeys (id) {
        id -> Uuid,
        user_id -> Uuid,
        credential_id -> Bytea,
        name -> Text,
        public_key -> Text,
        created_at -> Timestamptz,
        last_used_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    pdfs (space_id, id) {
        space_id -> Uuid,
        id -> Uuid,
        revision_id -> Uuid,
        page_id -> Nullable<Uuid>,
        only_page -> Bool,
        title -> Text,
        subtitle -> Nullable<Text>,
        shows -> Bytea,
        state -> Text,
        blob -> Nullable<Bytea>,
        size -> Nullable<Int8>,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        only_shown_specs -> Bool,
    }
}

diesel::table! {
    presences (space_id, head_id, user_id) {
        space_id -> Uuid,
        head_id -> Uuid,
        user_id -> Uuid,
        page_id -> Nullable<Uuid>,
        block -> Nullable<Text>,
        typing -> Bool,
        expires_at -> Timestamptz,
    }
}

diesel::table! {
    recovery_codes (user_id, hash) {
        user_id -> Uuid,
        hash -> Bytea,
        used_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    revisions (space_id, id) {
        space_id -> Uuid,
        id -> Uuid,
        #[sql_name = "type"]
        type_ -> Text,
        parents -> Array<Nullable<Uuid>>,
        root -> Bytea,
        change_request_id -> Nullable<Uuid>,
        merged_from -> Nullable<Uuid>,
        author_id -> Nullable<Uuid>,
        created_at -> Timestamptz,
        begun_at -> Nullable<Timestamptz>,
        replaced_at -> Nullable<Timestamptz>,
        standalone -> Bool,
        git -> Nullable<Jsonb>,
    }
}

diesel::table! {
    saml_claim_rules (organization_id, saml_provider_id, place) {
        organization_id -> Uuid,
        saml_provider_id -> Uuid,
        place -> Int2,
        claim -> Text,
        value -> Text,
        team_id -> Nullable<Uuid>,
        role -> Nullable<Int2>,
    }
}

diesel::table! {
    saml_identities (organization_id, saml_provider_id, subject) {
        organization_id -> Uuid,
        saml_provider_id -> Uuid,
        subject -> Text,
        user_id -> Uuid,
        connected_by_user -> Bool,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    saml_messages (organization_id, saml_provider_id, hash) {
        organization_id -> Uuid,
        saml_provider_id -> Uuid,
        hash -> Bytea,
        expires_at -> Timestamptz,
    }
}

diesel::table! {
    saml_provider_teams (organization_id, saml_provider_id) {
        organization_id -> Uuid,
        saml_provider_id -> Uuid,
        team_id -> Uuid,
    }
}

diesel::table! {
    saml_providers (organization_id, id) {
        organization_id -> Uuid,
        id -> Uuid,
        label -> Text,
        sso_url -> Nullable<Text>,
        entity_id -> Nullable<Text>,
        certificate -> Nullable<Text>,
        default_role -> Nullable<Int2>,
        created_at -> Timestamptz,
        tested_at -> Nullable<Timestamptz>,
        claims -> Nullable<Jsonb>,
        encryption_key -> Nullable<Bytea>,
        encryption_certificate -> Nullable<Text>,
    }
}

diesel::table! {
    saml_sign_ins (organization_id, saml_provider_id, state) {
        organization_id -> Uuid,
        saml_provider_id -> Uuid,
        state -> Bytea,
        request_id -> Text,
        expires_at -> Timestamptz,
        person -> Nullable<Jsonb>,
    }
}

diesel::table! {
    site_adaptive_schemas (organization_id, site_id) {
        organization_id -> Uuid,
        site_id -> Uuid,
        json_schema -> Jsonb,
        updated_at -> Timestamptz,
    }
}

diesel::table! {
    scim_groups (organization_id, team_id) {
        organization_id -> Uuid,
        team_id -> Uuid,
        external_id -> Nullable<Text>,
        updated_at -> Timestamptz,
    }
}

diesel::table! {
    scim_tokens (organization_id) {
        organization_id -> Uuid,
        hash -> Bytea,
        default_role -> Nullable<Int2>,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    scim_users (organization_id, user_id) {
        organization_id -> Uuid,
        user_id -> Uuid,
        user_name -> Text,
        external_id -> Nullable<Text>,
        email -> Nullable<Text>,
        attributes -> Jsonb,
        updated_at -> Timestamptz,
    }
}

diesel::table! {
    sign_in_links (hash) {
        hash -> Bytea,
        user_id -> Uuid,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        used_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    site_git_installations (organization_id, site_id) {
        organization_id -> Uuid,
        site_id -> Uuid,
        id -> Uuid,
        provider -> Text,
        url -> Nullable<Text>,
        repository_id -> Nullable<Int8>,
        username -> Nullable<Text>,
        secret -> Nullable<Bytea>,
        reference -> Nullable<Text>,
        project_directory -> Text,
        commit_message_template -> Nullable<Text>,
        preview_external -> Bool,
        priority -> Nullable<Text>,
        directories -> Nullable<Jsonb>,
        hook_secret -> Nullable<Bytea>,
        token_id -> Nullable<Uuid>,
        created_by -> Nullable<Uuid>,
        trigger -> Text,
        failures -> Int4,
        next_run_at -> Nullable<Timestamptz>,
        commit_id -> Nullable<Text>,
        file_id -> Nullable<Text>,
        changed_at -> Timestamptz,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        app_installation_id -> Nullable<Int8>,
        agent_instructions -> Array<Nullable<Text>>,
        structure -> Nullable<Jsonb>,
        pull_request -> Nullable<Text>,
        sign_off -> Bool,
        authority -> Text,
    }
}

diesel::table! {
    site_git_operations (organization_id, site_id, id) {
        organization_id -> Uuid,
        site_id -> Uuid,
        id -> Uuid,
        direction -> Text,
        trigger -> Text,
        state -> Text,
        from_commit -> Nullable<Text>,
        to_commit -> Nullable<Text>,
        error -> Nullable<Text>,
        notes -> Nullable<Text>,
        attempts -> Int4,
        started_at -> Timestamptz,
        ended_at -> Timestamptz,
        pull_request -> Nullable<Text>,
    }
}

diesel::table! {
    site_hostnames (hostname) {
        hostname -> Text,
        organization_id -> Uuid,
        verified_by -> Nullable<Text>,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    site_purges (organization_id, site_id, tag) {
        organization_id -> Uuid,
        site_id -> Uuid,
        tag -> Text,
        id -> Uuid,
    }
}

diesel::table! {
    site_redirects (organization_id, site_id, id) {
        organization_id -> Uuid,
        site_id -> Uuid,
        id -> Uuid,
        source -> Text,
        draft -> Bool,
        capture_wildcard -> Bool,
        permanent -> Bool,
        destination -> Jsonb,
        created_at -> Timestamptz,
        updated_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    site_renderers (organization_id, site_id) {
        organization_id -> Uuid,
        site_id -> Uuid,
        url -> Text,
        sealed_secret -> Bytea,
        default_host -> Text,
        failures -> Int4,
        next_attempt_at -> Timestamptz,
        last_attempt_at -> Nullable<Timestamptz>,
        last_status -> Nullable<Int4>,
        last_error -> Nullable<Text>,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        leased_until -> Nullable<Timestamptz>,
        site_deleted -> Bool,
    }
}

diesel::table! {
    site_section_groups (organization_id, site_id, id) {
        organization_id -> Uuid,
        site_id -> Uuid,
        id -> Uuid,
        title -> Text,
        icon -> Nullable<Text>,
        position -> Text,
        draft -> Bool,
        localized_title -> Nullable<Jsonb>,
    }
}

diesel::table! {
    site_sections (organization_id, site_id, id) {
        organization_id -> Uuid,
        site_id -> Uuid,
        id -> Uuid,
        group_id -> Nullable<Uuid>,
        title -> Text,
        description -> Nullable<Text>,
        path -> Text,
        condition -> Nullable<Text>,
        icon -> Nullable<Text>,
        is_default -> Bool,
        position -> Text,
        draft -> Bool,
        localized_title -> Nullable<Jsonb>,
        localized_description -> Nullable<Jsonb>,
        site_path -> Text,
    }
}

diesel::table! {
    site_share_links (organization_id, site_id, id) {
        organization_id -> Uuid,
        site_id -> Uuid,
        id -> Uuid,
        name -> Nullable<Text>,
        active -> Bool,
        created_at -> Timestamptz,
        key_hash -> Bytea,
        wrapped_key -> Bytea,
    }
}

diesel::table! {
    site_spaces (organization_id, site_id, id) {
        organization_id -> Uuid,
        site_id -> Uuid,
        id -> Uuid,
        section_id -> Nullable<Uuid>,
        space_id -> Uuid,
        path -> Text,
        condition -> Nullable<Text>,
        is_default -> Bool,
        position -> Text,
        draft -> Bool,
        hidden -> Bool,
        localized_title -> Nullable<Jsonb>,
        customization -> Nullable<Jsonb>,
        site_path -> Text,
    }
}

diesel::table! {
    site_visitor_auth (organization_id, site_id) {
        organization_id -> Uuid,
        site_id -> Uuid,
        fallback_url -> Nullable<Text>,
        logout_url -> Nullable<Text>,
    }
}

diesel::table! {
    sites (organization_id, id) {
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
        pending_hostname -> Nullable<Text>,
        pending_proxy_origin -> Nullable<Text>,
        slug -> Nullable<Text>,
        git_sync -> Nullable<Jsonb>,
    }
}

diesel::table! {
    spaces (id) {
        id -> Uuid,
        organization_id -> Uuid,
        collection_id -> Nullable<Uuid>,
        title -> Text,
        emoji -> Text,
        edit_mode -> Text,
        default_level -> Nullable<Int2>,
        position -> Text,
        head_revision -> Uuid,
        comments_open -> Int4,
        change_requests -> Int4,
        change_requests_open -> Int4,
        change_requests_draft -> Int4,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        deleted_at -> Nullable<Timestamptz>,
        site_visibility -> Nullable<Text>,
        site_address -> Nullable<Text>,
        icon -> Nullable<Text>,
        language -> Nullable<Text>,
        comments_resolved -> Int4,
        merge_rules -> Nullable<Jsonb>,
        comment_changes -> Int4,
        git_sync -> Nullable<Jsonb>,
    }
}

diesel::table! {
    team_members (organization_id, team_id, user_id) {
        organization_id -> Uuid,
        team_id -> Uuid,
        user_id -> Uuid,
        role -> Text,
    }
}

diesel::table! {
    teams (organization_id, id) {
        organization_id -> Uuid,
        id -> Uuid,
        title -> Text,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    totp_secrets (user_id) {
        user_id -> Uuid,
        secret -> Bytea,
        created_at -> Timestamptz,
        confirmed_at -> Nullable<Timestamptz>,
        last_step -> Nullable<Int8>,
    }
}

diesel::table! {
    translation_settings (organization_id, id) {
        organization_id -> Uuid,
        id -> Uuid,
        title -> Text,
        languages -> Array<Nullable<Text>>,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
    }
}

diesel::table! {
    tree_nodes (space_id, hash) {
        space_id -> Uuid,
        hash -> Bytea,
        body -> Bytea,
        amended_by -> Nullable<Uuid>,
    }
}

diesel::table! {
    users (id) {
        id -> Uuid,
        email -> Nullable<Text>,
        display_name -> Text,
        photo_url -> Nullable<Text>,
        created_at -> Timestamptz,
        password_hash -> Nullable<Text>,
        login_email -> Nullable<Text>,
    }
}

diesel::table! {
    webhook_deliveries (organization_id, webhook_id, id) {
        organization_id -> Uuid,
        webhook_id -> Uuid,
        id -> Uuid,
        kind -> Text,
        payload -> Jsonb,
        state -> Text,
        attempts -> Int4,
        tries_left -> Int4,
        next_attempt_at -> Timestamptz,
        last_attempt_at -> Nullable<Timestamptz>,
        last_status -> Nullable<Int4>,
        last_error -> Nullable<Text>,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    webhooks (organization_id, id) {
        organization_id -> Uuid,
        id -> Uuid,
        url -> Text,
        description -> Nullable<Text>,
        events -> Array<Nullable<Text>>,
        active -> Bool,
        secret_version -> Int4,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        leased_until -> Nullable<Timestamptz>,
    }
}

diesel::joinable!(api_tokens -> users (user_id));
diesel::joinable!(audit_entries -> organizations (organization_id));
diesel::joinable!(audit_entries -> users (actor_id));
diesel::joinable!(blobs -> spaces (space_id));
diesel::joinable!(change_request_contributors -> users (user_id));
diesel::joinable!(change_request_reviewers -> users (requested_by));
diesel::joinable!(change_request_views -> users (user_id));
diesel::joinable!(change_requests -> spaces (space_id));
diesel::joinable!(change_requests -> users (created_by));
diesel::joinable!(collections -> organizations (organization_id));
diesel::joinable!(comment_reactions -> users (user_id));
diesel::joinable!(comment_replies -> users (posted_by));
diesel::joinable!(comments -> spaces (space_id));
diesel::joinable!(custom_fields -> organizations (organization_id));
diesel::joinable!(deleted_pages -> spaces (space_id));
diesel::joinable!(deleted_pages -> users (deleted_by));
diesel::joinable!(documents -> spaces (space_id));
diesel::joinable!(email_invites -> organizations (organization_id));
diesel::joinable!(former_places -> spaces (space_id));
diesel::joinable!(git_installations -> api_tokens (token_id));
diesel::joinable!(git_installations -> spaces (space_id));
diesel::joinable!(git_installations -> users (created_by));
diesel::joinable!(git_operations -> git_installations (space_id));
diesel::joinable!(git_previews -> git_installations (space_id));
diesel::joinable!(git_syncs -> spaces (space_id));
diesel::joinable!(idempotency_keys -> users (user_id));
diesel::joinable!(imports -> api_tokens (token_id));
diesel::joinable!(imports -> spaces (space_id));
diesel::joinable!(imports -> users (created_by));
diesel::joinable!(inbox_entries -> spaces (space_id));
diesel::joinable!(integration_images -> integrations (integration_id));
diesel::joinable!(integration_installations -> integrations (integration_id));
diesel::joinable!(integration_installations -> organizations (organization_id));
diesel::joinable!(integrations -> organizations (organization_id));
diesel::joinable!(notification_settings -> users (user_id));
diesel::joinable!(oidc_identities -> users (user_id));
diesel::joinable!(oidc_providers -> organizations (organization_id));
diesel::joinable!(openapi_specs -> organizations (organization_id));
diesel::joinable!(organization_invites -> organizations (organization_id));
diesel::joinable!(organization_invites -> users (created_by));
diesel::joinable!(organization_members -> organizations (organization_id));
diesel::joinable!(organization_members -> users (user_id));
diesel::joinable!(passkey_challenges -> users (user_id));
diesel::joinable!(passkeys -> users (user_id));
diesel::joinable!(pdfs -> spaces (space_id));
diesel::joinable!(presences -> spaces (space_id));
diesel::joinable!(presences -> users (user_id));
diesel::joinable!(recovery_codes -> totp_secrets (user_id));
diesel::joinable!(revisions -> users (author_id));
diesel::joinable!(saml_identities -> users (user_id));
diesel::joinable!(saml_providers -> organizations (organization_id));
diesel::joinable!(scim_tokens -> organizations (organization_id));
diesel::joinable!(sign_in_links -> users (user_id));
diesel::joinable!(site_git_installations -> api_tokens (token_id));
diesel::joinable!(site_git_installations -> users (created_by));
diesel::joinable!(site_hostnames -> organizations (organization_id));
diesel::joinable!(sites -> organizations (organization_id));
diesel::joinable!(spaces -> organizations (organization_id));
diesel::joinable!(teams -> organizations (organization_id));
diesel::joinable!(totp_secrets -> users (user_id));
diesel::joinable!(translation_settings -> organizations (organization_id));
diesel::joinable!(tree_nodes -> spaces (space_id));
diesel::joinable!(webhooks -> organizations (organization_id));

diesel::allow_tables_to_appear_in_same_query!(
    api_tokens,
    audit_entries,
    blobs,
    change_request_contributors,
    change_request_descriptions,
    change_request_reviewers,
    change_request_reviews,
    change_request_views,
    change_requests,
    collections,
    comment_reactions,
    comment_replies,
    comments,
    content_grants,
    custom_field_changes,
    custom_field_values,
    custom_fields,
    deleted_pages,
    deployment_keys,
    documents,
    email_invites,
    former_places,
    git_installations,
    git_operations,
    git_previews,
    git_syncs,
    idempotency_keys,
    imports,
    inbox_entries,
    integration_images,
    integration_installations,
    integration_site_installations,
    integration_space_installations,
    integrations,
    jobs,
    mails,
    notification_settings,
    oidc_claim_rules,
    oidc_identities,
    oidc_provider_teams,
    oidc_providers,
    openapi_spec_pages,
    openapi_spec_parts,
    openapi_spec_versions,
    openapi_specs,
    organization_invites,
    organization_members,
    organizations,
    passkey_challenges,
    passkeys,
    pdfs,
    presences,
    recovery_codes,
    revisions,
    saml_claim_rules,
    saml_identities,
    saml_messages,
    saml_provider_teams,
    saml_providers,
    saml_sign_ins,
    scim_groups,
    scim_tokens,
    scim_users,
    sign_in_links,
    site_adaptive_schemas,
    site_git_installations,
    site_git_operations,
    site_hostnames,
    site_purges,
    site_redirects,
    site_renderers,
    site_section_groups,
    site_sections,
    site_share_links,
    site_spaces,
    site_visitor_auth,
    sites,
    spaces,
    team_members,
    teams,
    totp_secrets,
    translation_settings,
    tree_nodes,
    users,
    webhook_deliveries,
    webhooks,
);
