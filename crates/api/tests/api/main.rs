//! The API as a client sees it. One executable for all: each would hold the whole service again.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't go on can only fail"
)]

mod answers;
mod audit;
mod authenticator;
mod authorization;
mod bad_input;
mod bounds;
mod change_requests;
mod comments;
mod content_reads;
mod content_urls;
mod content_writes;
mod conversions;
mod custom_fields;
mod deleted_pages;
mod deploy;
mod descriptions;
mod differences;
mod docs;
mod drafts;
mod email_invites;
mod events;
mod exports;
mod files;
mod git;
mod git_installations;
mod heads;
mod hidden;
mod idempotency;
mod import_sources;
mod imports;
mod inbox;
mod integrations;
mod invites;
mod keys;
mod large_bodies;
mod links;
mod locations;
mod members;
mod merge_rules;
mod moved_organization;
mod names;
mod notifications;
mod oidc;
mod openapi;
mod openapi_specs;
mod organization_search;
mod organizations;
mod origins;
mod outages;
mod paging;
mod passkeys;
mod passwords;
mod pdf;
mod permissions;
mod positions;
mod rate_limits;
mod recount;
mod refusals;
mod renderer_shapes;
mod renderers;
mod reviews;
mod revision_lists;
mod routes;
mod routing;
mod scim;
mod search;
mod second_factors;
mod sessions;
mod settings;
mod sign_in_links;
mod sites;
mod sizes;
mod slow_bodies;
mod spaces;
mod statements;
mod teams;
mod user;
mod viewed_pages;
mod watched_imports;
mod webhooks;
