//! Request body that publishes an integration.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

use super::{
    ContentSecurityPolicy, ExternalLink, IntegrationBlock, IntegrationCategory, IntegrationConfigurations,
    IntegrationContentSource, IntegrationScope, IntegrationTarget, IntegrationVisibility,
};
use crate::{bounds, object_only, patch, text_checks, texts};

/// Request body to publish an integration. It replaces the earlier version completely: absent keys become empty.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IntegrationPublish {
    /// Title of the integration.
    #[validate(custom(function = "texts::IntegrationTitle::check"))]
    pub title: texts::IntegrationTitle,
    /// Short description, at most 100 characters.
    #[validate(custom(function = "texts::IntegrationDescription::check"))]
    pub description: texts::IntegrationDescription,
    /// Permissions of the integration where it is installed.
    #[validate(custom(function = "distinct_scopes"))]
    pub scopes: Vec<IntegrationScope>,
    /// Content of the script.
    #[validate(custom(function = "texts::IntegrationScript::check"))]
    pub script: texts::IntegrationScript,
    /// Id or subdomain of the organization that publishes the integration.
    #[validate(custom(function = "texts::OrganizationKey::check"))]
    pub organization: texts::OrganizationKey,
    /// Icon: a PNG, JPEG, GIF or WebP image in base64.
    #[serde(default, deserialize_with = "patch::present")]
    pub icon: Option<String>,
    /// Long description in Markdown.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::IntegrationSummary::check"))]
    #[schema(value_type = texts::IntegrationSummary, required = false)]
    pub summary: Option<texts::IntegrationSummary>,
    /// Preview images in base64, at most 3.
    #[serde(default)]
    #[validate(custom(function = "text_checks::count::<0, { bounds::INTEGRATION_PREVIEWS_MAX }, String>"))]
    #[schema(max_items = 3)]
    pub preview_images: Vec<String>,
    /// Visibility of the integration. Default: `private`.
    #[serde(default, deserialize_with = "patch::present")]
    pub visibility: Option<IntegrationVisibility>,
    /// Target on which the integration can be installed. Default: `all`.
    #[serde(default, deserialize_with = "patch::present")]
    pub target: Option<IntegrationTarget>,
    /// Categories of the integration.
    #[serde(default)]
    #[validate(custom(function = "distinct_categories"))]
    pub categories: Vec<IntegrationCategory>,
    /// Blocks that the integration adds to documents, at most 50.
    #[serde(default, deserialize_with = "object_only::present_objects")]
    #[validate(
        custom(function = "text_checks::count::<0, { bounds::INTEGRATION_PARTS_MAX }, IntegrationBlock>"),
        nested
    )]
    #[schema(max_items = 50)]
    pub blocks: Option<Vec<IntegrationBlock>>,
    /// Sources of computed content that the integration adds, at most 50.
    #[serde(default, deserialize_with = "object_only::present_objects")]
    #[validate(
        custom(
            function = "text_checks::count::<0, { bounds::INTEGRATION_PARTS_MAX }, IntegrationContentSource>"
        ),
        nested
    )]
    #[schema(max_items = 50)]
    pub content_sources: Option<Vec<IntegrationContentSource>>,
    /// Links to further information, at most 5.
    #[serde(default, deserialize_with = "object_only::objects")]
    #[validate(
        custom(function = "text_checks::count::<0, { bounds::INTEGRATION_LINKS_MAX }, ExternalLink>"),
        nested
    )]
    #[schema(max_items = 5)]
    pub external_links: Vec<ExternalLink>,
    /// Configuration schemas of installations.
    #[serde(default, deserialize_with = "object_only::present")]
    #[validate(nested)]
    pub configurations: Option<IntegrationConfigurations>,
    /// Secrets of the script by name, at most 20. They are stored encrypted and never returned.
    #[serde(default)]
    #[validate(custom(function = "few_secrets"))]
    pub secrets: BTreeMap<String, String>,
    /// Content security policy of the script and blocks.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "policy"))]
    pub content_security_policy: Option<ContentSecurityPolicy>,
}

fn few_secrets(secrets: &BTreeMap<String, String>) -> Result<(), ValidationError> {
    let (count, most) = (u64::try_from(secrets.len()).unwrap_or(u64::MAX), bounds::INTEGRATION_SECRETS_MAX);
    if count > most {
        return Err(text_checks::error("length", format!("must have at most {most} entries, has {count}")));
    }
    for (name, value) in secrets {
        texts::IntegrationPartId::check(name)?;
        text_checks::check::<0, { bounds::INTEGRATION_SECRET_MAX }>(value)?;
    }
    Ok(())
}

fn distinct_scopes(scopes: &[IntegrationScope]) -> Result<(), ValidationError> {
    text_checks::distinct(&scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>())
}

fn distinct_categories(categories: &[IntegrationCategory]) -> Result<(), ValidationError> {
    text_checks::distinct(&categories.iter().map(|category| category.as_str()).collect::<Vec<_>>())
}

/// Checks a policy. It becomes a header, so a directive must not end early.
fn policy(policy: &ContentSecurityPolicy) -> Result<(), ValidationError> {
    let printable = |text: &str| text.chars().all(|c| matches!(c, ' '..='~'));
    let directive =
        |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    let good = match policy {
        ContentSecurityPolicy::Whole(text) => printable(text),
        ContentSecurityPolicy::Directives(directives) => directives
            .iter()
            .all(|(name, sources)| directive(name) && printable(sources) && !sources.contains([';', ','])),
    };
    let length = match policy {
        ContentSecurityPolicy::Whole(text) => text.len(),
        ContentSecurityPolicy::Directives(directives) => {
            directives.iter().map(|(name, sources)| name.len() + sources.len() + 3).sum()
        }
    };
    if length > bounds::INTEGRATION_POLICY_MAX {
        let most = bounds::INTEGRATION_POLICY_MAX;
        return Err(text_checks::error(
            "length",
            format!("must have at most {most} characters, has {length}"),
        ));
    }
    if good { Ok(()) } else { Err(text_checks::error("policy", "must be a content security policy")) }
}
