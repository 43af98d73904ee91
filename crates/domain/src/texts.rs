//! The texts that requests hold, each with its bound: one entry makes the check and the schema.

use std::borrow::Cow;

use crate::features::ValidationError;
#[cfg(feature = "openapi")]
use utoipa::openapi::schema::{ObjectBuilder, Type};
#[cfg(feature = "openapi")]
use utoipa::openapi::{RefOr, Schema};
#[cfg(feature = "openapi")]
use utoipa::{PartialSchema, ToSchema};

use crate::text::{self, Text};
use crate::{bounded, bounds};

/// Declares kinds of text that a function checks as `Name: shortest to longest, what it is`.
macro_rules! texts {
    ($check:path => $($name:ident: $min:literal to $max:path, $description:literal;)*) => {$(
        #[doc = $description]
        pub struct $name;

        impl bounded::Kind for $name {
            fn check(text: &str) -> Result<(), bounded::OutOfBounds> {
                Ok($name::check(text)?)
            }
        }

        impl $name {
            /// Checks the length of a text, and the characters in it.
            pub(crate) fn check(value: &(impl Text + ?Sized)) -> Result<(), ValidationError> {
                $check(value, $min, { $max })
            }
        }

        #[cfg(feature = "openapi")]
        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                ObjectBuilder::new()
                    .schema_type(Type::String)
                    .description(Some($description))
                    .min_length(usize::try_from($min).ok().filter(|min| *min > 0))
                    .max_length(usize::try_from($max).ok())
                    .into()
            }
        }

        #[cfg(feature = "openapi")]
        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed(stringify!($name))
            }
        }
    )*};
}

// Names: on one line, among other things.
texts! { text::check_name =>
    SpaceTitle: 0 to bounds::SPACE_TITLE_MAX, "The title of a space.";
    CollectionTitle: 0 to bounds::COLLECTION_TITLE_MAX, "The title of a collection.";
    ChangeRequestSubject: 0 to bounds::CHANGE_REQUEST_SUBJECT_MAX, "What a change request is about.";
    TokenLabel: 1 to bounds::TOKEN_LABEL_MAX, "What the owner of a token calls it.";
    OrganizationTitle: 2 to bounds::ORGANIZATION_TITLE_MAX, "The title of an organization.";
    Email: 3 to bounds::EMAIL_MAX, "An e-mail address.";
    DisplayName: 1 to bounds::DISPLAY_NAME_MAX, "The name of a person.";
    TeamTitle: 1 to bounds::TEAM_TITLE_MAX, "The title of a team.";
    PageTitle: 1 to bounds::PAGE_TITLE_MAX, "The title of a page or reusable content.";
    PageSlug: 0 to bounds::SLUG_MAX, "Lowercase letters, digits and `-._`; empty to have it made from the title.";
    FileName: 1 to bounds::FILE_NAME_MAX, "The name of a file.";
    BatchName: 1 to bounds::FILE_NAME_MAX, "A name that holds inside one content write.";
    CustomFieldName: 1 to bounds::CUSTOM_FIELD_NAME_MAX, "Lowercase letters, digits, `-` and `_`.";
    CustomFieldTitle: 0 to bounds::CUSTOM_FIELD_TITLE_MAX, "What people call a custom field.";
    CustomFieldOption: 1 to bounds::CUSTOM_FIELD_OPTION_MAX, "A value that can be chosen.";
    TranslationTitle: 1 to bounds::TRANSLATION_TITLE_MAX, "The title of translation settings.";
    SamlLabel: 1 to bounds::SAML_LABEL_MAX, "What people call a SAML provider.";
    IntegrationName: 1 to bounds::INTEGRATION_NAME_MAX, "Letters, digits and `-_.`.";
    IntegrationTitle: 2 to bounds::INTEGRATION_TITLE_MAX, "What people call an integration.";
    IntegrationPartId: 1 to bounds::INTEGRATION_PART_ID_MAX, "The id of a part of an integration.";
    IntegrationPartTitle: 2 to bounds::INTEGRATION_PART_TITLE_MAX, "What people call a part of an integration.";
    SpecName: 1 to bounds::SPEC_SLUG_MAX, "The slug or the id of an OpenAPI specification.";
    SiteTitle: 2 to bounds::SITE_TITLE_MAX, "The title of a site or section.";
    NewSectionTitle: 2 to bounds::NEW_SECTION_TITLE_MAX, "The title of a new section.";
    SectionGroupTitle: 1 to bounds::SECTION_GROUP_TITLE_MAX, "The title of a group of sections.";
    SitePath: 1 to bounds::SLUG_MAX, "Lowercase letters, digits and `-._`.";
    ShareLinkName: 0 to bounds::SHARE_LINK_NAME_MAX, "What a share link is for.";
    LinkTitle: 0 to bounds::CUSTOMIZATION_LINK_TITLE_MAX, "The title of a link.";
    FontFamily: 1 to bounds::ICON_MAX, "The family name of a font.";
}

texts! { text::check_text =>
    CollectionDescription: 0 to bounds::COLLECTION_DESCRIPTION_MAX, "What a collection is for.";
    Emoji: 1 to bounds::EMOJI_MAX, "One emoji, as itself or as the hexadecimal digits of its shortcode.";
    Icon: 1 to bounds::ICON_MAX, "The name of an icon.";
    NodeId: 1 to bounds::NODE_ID_MAX, "The key of a node inside a document.";
    Url: 1 to bounds::URL_MAX, "A URL.";
    SubdomainLabel: 3 to bounds::SUBDOMAIN_MAX, "A label below the service's domain: lowercase letters, digits and `-`.";
    EmailDomain: 3 to bounds::DOMAIN_NAME_MAX, "The domain of e-mail addresses, such as `example.com`.";
    InviteSecret: 1 to bounds::INVITE_SECRET_MAX, "The secret of an e-mail invite.";
    PeopleSearch: 0 to bounds::PEOPLE_SEARCH_MAX, "A part of a name, in any case.";
    PageDescription: 1 to bounds::PAGE_DESCRIPTION_MAX, "What a page is about.";
    ContentType: 1 to bounds::CONTENT_TYPE_MAX, "A media type.";
    CustomFieldDescription: 0 to bounds::CUSTOM_FIELD_DESCRIPTION_MAX, "What a custom field is about.";
    CustomFieldPlaceholder: 0 to bounds::CUSTOM_FIELD_PLACEHOLDER_MAX, "The text that a custom field shows while it has no value.";
    CustomFieldText: 0 to bounds::CUSTOM_FIELD_TEXT_MAX, "A text in the value of a custom field.";
    SamlEntityId: 1 to bounds::SAML_ENTITY_ID_MAX, "The entity id of an identity provider.";
    SamlCertificate: 1 to bounds::SAML_CERTIFICATE_MAX, "An X.509 certificate, in PEM or as bare base64.";
    IntegrationDescription: 0 to bounds::INTEGRATION_DESCRIPTION_MAX, "One line about an integration.";
    IntegrationSummary: 0 to bounds::INTEGRATION_SUMMARY_MAX, "More about an integration, in Markdown.";
    IntegrationScript: 1 to bounds::INTEGRATION_SCRIPT_MAX, "The content of a script.";
    IntegrationPartDescription: 0 to bounds::INTEGRATION_PART_DESCRIPTION_MAX, "What a part of an integration is for.";
    ExternalId: 1 to bounds::EXTERNAL_ID_MAX, "What an installation is known by elsewhere.";
    OrganizationKey: 1 to bounds::ORGANIZATION_KEY_MAX, "The id or subdomain of an organization.";
    WebhookDescription: 1 to bounds::WEBHOOK_DESCRIPTION_MAX, "What a webhook is for.";
    SearchText: 1 to bounds::SEARCH_QUERY_MAX, "What to search for.";
    Seed: 1 to bounds::SEED_MAX, "What computed ids depend on.";
    SectionDescription: 0 to bounds::SECTION_DESCRIPTION_MAX, "What a section is about.";
    Condition: 1 to bounds::CONDITION_MAX, "An expression of CEL over `visitor.claims`.";
    SiteHostname: 1 to bounds::SITE_HOSTNAME_MAX, "A host name of at least three labels.";
    ProxyOrigin: 1 to bounds::SITE_HOSTNAME_MAX, "A host with a path, such as `example.com/docs`.";
    Copyright: 0 to bounds::COPYRIGHT_MAX, "A copyright line.";
    Announcement: 2 to bounds::ANNOUNCEMENT_MAX, "What is announced.";
}
