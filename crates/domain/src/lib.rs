#![doc = include_str!("../README.md")]

pub mod audit;
pub mod bounded;
pub mod bounds;
pub mod change_requests;
pub mod claim_rules;
pub mod clock;
pub mod collections;
#[cfg(feature = "postgres")]
mod column;
pub mod comments;
pub mod computed;
pub mod content;
pub mod content_urls;
mod cursor;
pub mod custom_fields;
pub mod described;
pub mod direction;
pub mod documents;
mod emails;
pub mod embeds;
pub mod error;
pub mod events;
mod formats;
pub mod git;
pub mod git_hosts;
pub mod git_installations;
pub mod hierarchy;
pub mod ids;
pub mod imports;
pub mod inbox;
pub mod integrations;
pub mod invites;
pub mod links;
pub mod list;
pub mod localized;
pub mod members;
pub mod merge_rules;
pub mod meta_links;
pub mod notifications;
pub mod object;
mod object_only;
pub mod oidc;
pub mod openapi_specs;
pub mod organizations;
pub mod passkeys;
pub mod patch;
pub mod pdf;
pub mod permissions;
pub mod policy;
pub mod positions;
pub mod reviews;
pub mod revisions;
pub mod role;
pub mod saml;
#[cfg(feature = "postgres")]
#[expect(missing_docs, reason = "columns are described in the database")]
pub mod schema;
pub mod scim;
pub mod search;
pub mod second_factors;
pub mod sessions;
pub mod sign_in;
pub mod sites;
pub mod spaces;
#[cfg(feature = "postgres")]
pub mod stored;
pub mod teams;
mod text_checks;
pub mod texts;
pub mod tokens;
mod transition;
pub mod translations;
pub mod urls;
pub mod users;
#[cfg(feature = "postgres")]
#[expect(missing_docs, reason = "columns are described in the database")]
pub mod views;
pub mod webhooks;

pub use self::change_requests::{ChangeRequest, Status as ChangeRequestStatus};
pub use self::clock::{Clock, CountingIds, IdGenerator, Timestamp};
pub use self::collections::Collection;
pub use self::comments::{Comment, CommentReply, Status as CommentStatus};
pub use self::error::{ErrorBody, Reason};
pub use self::ids::*;
pub use self::list::{Cursor, List, PageQuery};
pub use self::openapi_specs::OpenApiSpec;
pub use self::organizations::Organization;
pub use self::patch::Patch;
pub use self::policy::{Action, Membership};
pub use self::revisions::{File, Page, ReusableContent, Revision};
pub use self::role::Role;
pub use self::spaces::Space;
pub use self::transition::TransitionError;
pub use self::users::User;
