//! Accounts of a site's owner on social platforms.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

use super::wire_enum;
use crate::{object_only, text_checks, texts};

wire_enum! {
    /// Social platform.
    SocialPlatform {
        Twitter = "twitter", Instagram = "instagram", Facebook = "facebook", Linkedin = "linkedin",
        Github = "github", Discord = "discord", Slack = "slack", Youtube = "youtube", Tiktok = "tiktok",
        Reddit = "reddit", Bluesky = "bluesky", Mastodon = "mastodon", Threads = "threads", Medium = "medium",
    }
    /// Entry in the menu of a page. The order is that of the menu, and the first one is the main button.
    PageAction { Markdown = "markdown", ExternalAi = "external-ai", Pdf = "pdf", Mcp = "mcp", Git = "git", Assistant = "assistant" }
}

/// Account on a social platform.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[validate(schema(function = "check_server"))]
pub struct SiteSocialAccount {
    /// Platform.
    pub platform: SocialPlatform,
    /// Name of the account, without `@` before it. On Mastodon with its server: `name@server`.
    #[validate(custom(function = "texts::SocialHandle::check"))]
    #[schema(value_type = texts::SocialHandle)]
    pub handle: String,
    /// Parts of the page that show the account.
    #[serde(deserialize_with = "object_only::object")]
    pub display: SocialAccountDisplay,
}

fn check_server(account: &SiteSocialAccount) -> Result<(), ValidationError> {
    if account.platform != SocialPlatform::Mastodon && account.handle.contains('@') {
        return Err(text_checks::error(
            "handle",
            "must have a `handle` without `@`, unless it is on Mastodon",
        ));
    }
    Ok(())
}

/// Parts of the page that show an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct SocialAccountDisplay {
    /// `true` to show it in the footer.
    #[schema(required = false)]
    pub footer: bool,
    /// `true` to show it in the header.
    #[schema(required = false)]
    pub header: bool,
}

impl Default for SocialAccountDisplay {
    fn default() -> Self {
        Self { footer: true, header: false }
    }
}
