//! Bounded texts of requests. One entry declares the type, its check and its schema.

use std::borrow::Cow;

use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::bounded::{Bounded, Kind, OutOfBounds};
use crate::{bounds, emails, formats, text_checks, urls};

/// Declares types of text as `Name: minimum to maximum where format as canonical form, description`, below the function
/// that checks their characters and length. `format` checks a text that is within these bounds.
macro_rules! texts {
    ($($check:path { $($name:ident: $min:literal to $max:path $(where $format:path)? $(as $canonical:path)?, $description:literal;)* })*) => {
        $($(
            #[doc = $description]
            pub type $name = Bounded<kinds::$name>;

            impl Kind for kinds::$name {
                const NAME: &'static str = stringify!($name);
                const DESCRIPTION: &'static str = $description;
                const MIN: u64 = $min;
                const MAX: u64 = $max;

                fn check(text: &str) -> Result<(), OutOfBounds> {
                    $check(text, Self::MIN, Self::MAX)?;
                    $($format(text)?;)?
                    Ok(())
                }

                $(fn canonical(text: String) -> String {
                    $canonical(&text).unwrap_or(text)
                })?
            }
        )*)*

        /// Kinds of texts.
        pub mod kinds {
            $($(
                #[doc = $description]
                #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
                pub struct $name;
            )*)*
        }

        /// Calls a function for each kind of text.
        #[cfg(test)]
        fn for_each_kind(visit: &mut impl tests::Visit) {
            $($(visit.visit::<kinds::$name>();)*)*
        }
    };
}

impl<K: Kind> PartialSchema for Bounded<K> {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some(K::DESCRIPTION))
            .min_length(usize::try_from(K::MIN).ok().filter(|min| *min > 0))
            .max_length(usize::try_from(K::MAX).ok())
            .into()
    }
}

impl<K: Kind> ToSchema for Bounded<K> {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed(K::NAME)
    }
}

texts! {
    text_checks::check_name {
        SpaceTitle: 0 to bounds::SPACE_TITLE_MAX, "Title of a space.";
        CollectionTitle: 0 to bounds::COLLECTION_TITLE_MAX, "Title of a collection.";
        ChangeRequestSubject: 0 to bounds::CHANGE_REQUEST_SUBJECT_MAX, "Subject of a change request.";
        TokenLabel: 1 to bounds::TOKEN_LABEL_MAX, "Label of an API token.";
        PasskeyName: 1 to bounds::PASSKEY_NAME_MAX, "Name of a passkey.";
        OrganizationTitle: 2 to bounds::ORGANIZATION_TITLE_MAX, "Title of an organization.";
        Email: 3 to bounds::EMAIL_MAX where emails::address as emails::canonical, "E-mail address.";
        DisplayName: 1 to bounds::DISPLAY_NAME_MAX, "Display name of a person.";
        TeamTitle: 1 to bounds::TEAM_TITLE_MAX, "Title of a team.";
        PageTitle: 1 to bounds::PAGE_TITLE_MAX, "Title of a page or reusable content.";
        PageLinkTitle: 1 to bounds::PAGE_LINK_TITLE_MAX, "Title of a page in navigation.";
        PageSlug: 0 to bounds::SLUG_MAX where formats::page_slug, "Slug of a page: lowercase letters, digits and `-._`, not the name of a file of sites (`robots.txt`, `x.md`). An empty slug is replaced by one made from the title.";
        FileName: 1 to bounds::FILE_NAME_MAX, "Name of a file.";
        BatchName: 1 to bounds::FILE_NAME_MAX, "Name that is valid within one content write.";
        CustomFieldName: 1 to bounds::CUSTOM_FIELD_NAME_MAX where formats::custom_field_name, "Name of a custom field: lowercase letters, digits, `-` and `_`.";
        CustomFieldTitle: 0 to bounds::CUSTOM_FIELD_TITLE_MAX, "Title of a custom field.";
        CustomFieldOption: 1 to bounds::CUSTOM_FIELD_OPTION_MAX, "Allowed value of a custom field.";
        TranslationTitle: 1 to bounds::TRANSLATION_TITLE_MAX, "Title of translation settings.";
        OidcLabel: 1 to bounds::OIDC_LABEL_MAX, "Label of an OpenID Connect provider.";
        SamlLabel: 1 to bounds::SAML_LABEL_MAX, "Label of a SAML provider.";
        IntegrationName: 1 to bounds::INTEGRATION_NAME_MAX where formats::integration_name, "Name of an integration: letters, digits and `-_.`.";
        IntegrationTitle: 2 to bounds::INTEGRATION_TITLE_MAX, "Title of an integration.";
        IntegrationPartId: 1 to bounds::INTEGRATION_PART_ID_MAX, "Id of a part of an integration.";
        IntegrationPartTitle: 2 to bounds::INTEGRATION_PART_TITLE_MAX, "Title of a part of an integration.";
        SpecPage: 1 to bounds::SPEC_PAGE_MAX, "Name of a page of an OpenAPI specification.";
        SpecName: 1 to bounds::SPEC_SLUG_MAX, "Slug or id of an OpenAPI specification.";
        SiteTitle: 2 to bounds::SITE_TITLE_MAX, "Title of a site or section.";
        LocalizedTitle: 0 to bounds::SITE_TITLE_MAX, "Title of a site or of a part of it in another language.";
        NewSectionTitle: 2 to bounds::NEW_SECTION_TITLE_MAX, "Title of a new section.";
        SectionGroupTitle: 1 to bounds::SECTION_GROUP_TITLE_MAX, "Title of a section group.";
        SitePath: 1 to bounds::SLUG_MAX where formats::site_slug, "Path segment on a site: lowercase letters, digits and `-._`, not the name of a file of sites (`robots.txt`, `x.md`).";
        ShareLinkName: 0 to bounds::SHARE_LINK_NAME_MAX, "Name of a share link.";
        LinkTitle: 0 to bounds::CUSTOMIZATION_LINK_TITLE_MAX, "Title of a link.";
        FontFamily: 1 to bounds::ICON_MAX, "Name of a font family.";
    }

    text_checks::check_text {
        CollectionDescription: 0 to bounds::COLLECTION_DESCRIPTION_MAX, "Description of a collection.";
        Emoji: 1 to bounds::EMOJI_MAX where formats::emoji, "Single emoji, as characters or as hexadecimal code points joined with `-`, such as `1f680`.";
        Icon: 1 to bounds::ICON_MAX where formats::icon, "Name of an icon, such as `rocket`.";
        RepositoryUrl: 1 to bounds::URL_MAX, "URL of a Git repository. It may contain credentials.";
        GitRef: 1 to bounds::GIT_REF_MAX where formats::git_ref, "Full name of a branch or tag, such as `refs/heads/main`.";
        GitText: 0 to bounds::GIT_PATH_MAX, "Path or name in a Git repository.";
        GitUsername: 1 to bounds::GIT_USERNAME_MAX, "User name on a Git server.";
        GitSecret: 1 to bounds::GIT_SECRET_MAX, "Password or access token for a Git server.";
        CommitTemplate: 1 to bounds::COMMIT_TEMPLATE_MAX, "Template of messages of commits.";
        CommitMessage: 1 to bounds::COMMIT_MESSAGE_MAX, "Message of a commit.";
        LinkSecret: 1 to bounds::LINK_SECRET_MAX, "Secret of a link by mail.";
        FactorCode: 1 to bounds::FACTOR_CODE_MAX, "Code of an authenticator app, or recovery code.";
        Password: 1 to bounds::PASSWORD_MAX, "Password.";
        NewPassword: 10 to bounds::PASSWORD_MAX, "New password: at least 10 characters, and not too easy to guess.";
        NodeId: 1 to bounds::NODE_ID_MAX, "Key of a node in a document.";
        Quotation: 1 to bounds::QUOTE_MAX, "Words of a block that a comment is about.";
        Url: 1 to bounds::URL_MAX where urls::web_url, "URL.";
        UrlPattern: 1 to bounds::URL_MAX, "URL pattern, in which parts may be `*`, or a path.";
        SubdomainLabel: 3 to bounds::SUBDOMAIN_MAX where formats::subdomain, "Label below the service's domain: lowercase letters, digits and `-`.";
        EmailDomain: 3 to bounds::DOMAIN_NAME_MAX where emails::domain as emails::canonical_domain, "Domain of e-mail addresses, such as `example.com`.";
        InviteSecret: 1 to bounds::INVITE_SECRET_MAX, "Secret of an e-mail invite.";
        PeopleSearch: 0 to bounds::PEOPLE_SEARCH_MAX, "Part of a name, ignoring case.";
        PageDescription: 1 to bounds::PAGE_DESCRIPTION_MAX, "Description of a page.";
        SiteEventType: 1 to bounds::SITE_EVENT_TYPE_MAX, "Type of an event of a visit, such as `page_view`.";
        ContentType: 1 to bounds::CONTENT_TYPE_MAX, "Media type, such as `image/png`.";
        CustomFieldDescription: 0 to bounds::CUSTOM_FIELD_DESCRIPTION_MAX, "Description of a custom field.";
        CustomFieldPlaceholder: 0 to bounds::CUSTOM_FIELD_PLACEHOLDER_MAX, "Text shown while a custom field has no value.";
        CustomFieldText: 0 to bounds::CUSTOM_FIELD_TEXT_MAX, "Text in the value of a custom field.";
        OidcClientId: 1 to bounds::OIDC_CLIENT_ID_MAX, "Client id at an OpenID Connect provider.";
        OidcClientSecret: 1 to bounds::OIDC_CLIENT_SECRET_MAX, "Client secret at an OpenID Connect provider.";
        SamlEntityId: 1 to bounds::SAML_ENTITY_ID_MAX, "Entity id of an identity provider.";
        SamlCertificate: 1 to bounds::SAML_CERTIFICATE_MAX, "X.509 certificate, in PEM or as bare base64.";
        ClaimName: 1 to bounds::CLAIM_NAME_MAX, "Name of a claim, or of a SAML attribute.";
        ClaimValue: 1 to bounds::CLAIM_VALUE_MAX, "Value of a claim.";
        IntegrationDescription: 0 to bounds::INTEGRATION_DESCRIPTION_MAX, "Short description of an integration.";
        IntegrationSummary: 0 to bounds::INTEGRATION_SUMMARY_MAX, "Long description of an integration, in Markdown.";
        IntegrationScript: 1 to bounds::INTEGRATION_SCRIPT_MAX, "Content of a script.";
        IntegrationPartDescription: 0 to bounds::INTEGRATION_PART_DESCRIPTION_MAX, "Description of a part of an integration.";
        ExternalId: 1 to bounds::EXTERNAL_ID_MAX, "Id of an installation in an external system.";
        OrganizationKey: 1 to bounds::ORGANIZATION_KEY_MAX, "Id or subdomain of an organization.";
        WebhookDescription: 1 to bounds::WEBHOOK_DESCRIPTION_MAX, "Purpose of a webhook.";
        SearchText: 1 to bounds::SEARCH_QUERY_MAX, "Search text.";
        ShareKey: 0 to bounds::SHARE_KEY_MAX, "Key of a share link, as visitors send it.";
        RendererSecret: 1 to bounds::RENDERER_SECRET_MAX, "Secret that a renderer checks signatures with.";
        VisitorToken: 0 to bounds::VISITOR_TEXT_MAX, "JSON Web Token with claims about a visitor.";
        VisitorClaims: 0 to bounds::VISITOR_TEXT_MAX, "Unsigned claims of a visitor, as a JSON object.";
        PreviewedCustomization: 0 to bounds::PREVIEWED_CUSTOMIZATION_MAX, "Settings that a preview of a site shows, as a JSON object.";
        RedirectSearch: 0 to bounds::REDIRECT_SOURCE_MAX, "Part of the source of a redirect, ignoring case.";
        SiteSearch: 0 to bounds::SITE_TITLE_MAX, "Part of the title of a site, ignoring case.";
        BlockDomain: 1 to bounds::INTEGRATION_NAME_MAX where formats::integration_name, "Domain whose links a block unfurls.";
        SpecText: 1 to bounds::SPEC_TEXT_MAX, "OpenAPI specification, in JSON or YAML.";
        Seed: 1 to bounds::SEED_MAX, "Seed of computed ids. Equal seeds give equal ids.";
        SectionDescription: 0 to bounds::SECTION_DESCRIPTION_MAX, "Description of a section.";
        Condition: 1 to bounds::CONDITION_MAX, "JavaScript expression over `visitor.claims`, such as `visitor.claims.beta === true`.";
        RedirectSource: 2 to bounds::REDIRECT_SOURCE_MAX where formats::redirect_source, "Path that begins with `/`, such as `/guide/old`. A `*` at its end matches any rest.";
        RedirectPath: 0 to bounds::URL_MAX, "Path of a page in a space.";
        SocialHandle: 1 to bounds::SOCIAL_HANDLE_MAX where formats::social_handle, "Name of an account on a social platform, without `@` before it.";
        SiteHostname: 1 to bounds::SITE_HOSTNAME_MAX where formats::site_hostname, "Host name of at least three labels, such as `docs.example.com`.";
        ProxyOrigin: 1 to bounds::SITE_HOSTNAME_MAX where formats::proxy_origin, "Host with a path, such as `example.com/docs`.";
        Copyright: 0 to bounds::COPYRIGHT_MAX, "Copyright line.";
        Announcement: 2 to bounds::ANNOUNCEMENT_MAX, "Text of an announcement.";
        LocalizedMessage: 0 to bounds::ANNOUNCEMENT_MAX, "Text of an announcement or greeting in another language.";
        AssistantGreeting: 0 to bounds::ASSISTANT_GREETING_MAX, "Greeting of the assistant.";
        AssistantSuggestion: 3 to bounds::ASSISTANT_SUGGESTION_MAX, "Question that visitors may want to ask the assistant.";
        AssistantInstructions: 0 to bounds::ASSISTANT_INSTRUCTIONS_MAX, "Instructions for the assistant.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test that visits every kind.
    pub(super) trait Visit {
        fn visit<K: Kind>(&mut self);
    }

    fn refusal<K: Kind>(text: &str) -> Option<String> {
        let read: Bounded<K> = serde_json::from_value(text.into()).unwrap();
        let refusal = K::check(text).err();
        assert_eq!(Bounded::<K>::new(text).err(), refusal, "{}", K::NAME);
        assert_eq!(read.as_text().err(), refusal, "{}", K::NAME);
        assert_eq!(Bounded::<K>::check(&read).is_err(), refusal.is_some(), "{}", K::NAME);
        assert_eq!(read.into_text().err(), refusal, "{}", K::NAME);
        refusal.map(|refusal| refusal.to_string())
    }

    fn length_refusal<K: Kind>(length: u64) -> Option<String> {
        let text = "a".repeat(usize::try_from(length).unwrap());
        refusal::<K>(&text).filter(|sentence| sentence.contains(" characters, has "))
    }

    /// Names of the visited kinds. Some kinds also refuse texts for their format.
    #[derive(Default)]
    struct Lengths(Vec<&'static str>);

    impl Visit for Lengths {
        fn visit<K: Kind>(&mut self) {
            self.0.push(K::NAME);
            assert_eq!(length_refusal::<K>(K::MAX), None, "{}", K::NAME);
            let bounds = match K::MIN {
                0 => format!("at most {}", K::MAX),
                min => format!("{min} to {}", K::MAX),
            };
            let refused = |length| Some(format!("must have {bounds} characters, has {length}"));
            assert_eq!(length_refusal::<K>(K::MAX + 1), refused(K::MAX + 1), "{}", K::NAME);
            assert_eq!(length_refusal::<K>(K::MIN), None, "{}", K::NAME);
            if let Some(shorter) = K::MIN.checked_sub(1) {
                assert_eq!(length_refusal::<K>(shorter), refused(shorter), "{}", K::NAME);
            }
        }
    }

    #[test]
    fn every_kind_takes_its_longest_and_shortest_text_and_no_other() {
        let mut lengths = Lengths::default();
        for_each_kind(&mut lengths);
        for name in ["PageTitle", "PageSlug", "TeamTitle", "Email", "Url", "SiteHostname", "ShareKey"] {
            assert!(lengths.0.contains(&name), "{name}");
        }
    }

    /// Names of the kinds that accept bidirectional control characters.
    #[derive(Default)]
    struct Characters(Vec<&'static str>);

    impl Visit for Characters {
        fn visit<K: Kind>(&mut self) {
            let nul = "must not contain a NUL character";
            assert_eq!(refusal::<K>("a\0aa").as_deref(), Some(nul), "{}", K::NAME);
            let direction = "must not contain characters that change the text direction";
            if refusal::<K>("a\u{202e}aa").is_none_or(|sentence| sentence != direction) {
                self.0.push(K::NAME);
            }
        }
    }

    #[test]
    fn no_kind_takes_nul_and_no_name_turns_the_direction_of_text() {
        let mut characters = Characters::default();
        for_each_kind(&mut characters);
        for name in ["SpaceTitle", "PageTitle", "DisplayName", "FileName", "ShareLinkName", "SiteTitle"] {
            assert!(!characters.0.contains(&name), "{name}");
        }
        for text in ["PageDescription", "SearchText", "IntegrationSummary"] {
            assert!(characters.0.contains(&text), "{text}");
        }
    }
}
