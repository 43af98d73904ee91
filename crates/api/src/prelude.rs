//! Names that nearly every file of endpoints imports, as `use crate::prelude::*`.
//!
//! A name belongs here if it means the same in every file of this crate. Names of one resource, and helpers of a few
//! files, are imported where they are used.

pub(crate) use std::fmt::Display;
pub(crate) use std::sync::Arc;
pub(crate) use std::time::Duration;

pub(crate) use actix_web::http::{StatusCode, header};
pub(crate) use actix_web::{HttpRequest, HttpResponse};
pub(crate) use quire_domain::Role;
pub(crate) use quire_domain::bounded::IntoText as _;
pub(crate) use quire_domain::error::{FieldError, Reason};
pub(crate) use quire_domain::ids::{
    CollectionId, CommentId, CommentReplyId, CustomFieldId, DocumentId, EventId, FileId, GitInstallationId,
    GrantId, ImportId, InboxEntryId, InstallationId, IntegrationId, InviteId, OidcProviderId, OpenApiSpecId,
    OpenApiSpecVersionId, OrganizationId, PageId, PasskeyId, PdfId, ReviewId, RevisionId, SamlProviderId,
    SessionId, ShareLinkId, SiteId, SiteRedirectId, SiteSectionGroupId, SiteSectionId, SiteSpaceId, SpaceId,
    TeamId, TokenId, TranslationSettingsId, UserId, WebhookId,
};
pub(crate) use quire_domain::list::PageQuery;
pub(crate) use quire_domain::patch::Patch;
pub(crate) use quire_domain::policy::{Action, OwnAction};
pub(crate) use quire_storage::content::store::ContentSelector;
pub(crate) use quire_storage::list::Slice;
pub(crate) use quire_storage::lookup::{Authorized, Credentials};
pub(crate) use quire_storage::{Reader, Tx};
pub(crate) use serde::{Deserialize, Serialize};
pub(crate) use serde_json::{Map, Value, json};
pub(crate) use utoipa::{IntoParams, ToSchema};
pub(crate) use validator::Validate;

pub(crate) use crate::api::{Api, ApiData};
pub(crate) use crate::error::{ApiError, ApiResult};
pub(crate) use crate::extract::{Caller, Json, OptionalJson, Path, Query, Reading, Visiting};
pub(crate) use crate::listing::Listing;
pub(crate) use crate::preconditions::IfMatch;
pub(crate) use crate::present::SiteView;
pub(crate) use crate::route::Access::{
    Needs, NeedsAlso, NeedsBoth, NeedsByBody, NeedsInBody, Own, Public, SignedIn,
};
pub(crate) use crate::route::{Object, Resource, Route, Tag};
pub(crate) use crate::state::{ServerState, State};
pub(crate) use crate::urls::Urls;
pub(crate) use crate::{present, respond};
