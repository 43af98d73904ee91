//! The texts that requests hold, each with its bound: one entry makes the check and the schema.

use std::borrow::Cow;

use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use validator::ValidationError;

use crate::bounds;
use crate::text::{self, Text};

/// Declares kinds of text as `Name: shortest to longest, what it is`.
macro_rules! texts {
    ($($name:ident: $min:literal to $max:path, $description:literal;)*) => {$(
        #[doc = $description]
        pub(crate) struct $name;

        impl $name {
            /// Checks the length of a text, and that it holds no NUL.
            pub(crate) fn check(value: &(impl Text + ?Sized)) -> Result<(), ValidationError> {
                text::check::<$min, { $max }>(value)
            }
        }

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

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed(stringify!($name))
            }
        }
    )*};
}

texts! {
    SpaceTitle: 0 to bounds::SPACE_TITLE_MAX, "The title of a space.";
    CollectionTitle: 0 to bounds::COLLECTION_TITLE_MAX, "The title of a collection.";
    CollectionDescription: 0 to bounds::COLLECTION_DESCRIPTION_MAX, "What a collection is for.";
    ChangeRequestSubject: 0 to bounds::CHANGE_REQUEST_SUBJECT_MAX, "What a change request is about.";
    Emoji: 1 to bounds::EMOJI_MAX, "One emoji, as itself or as the hexadecimal digits of its shortcode.";
    Icon: 1 to bounds::ICON_MAX, "The name of an icon.";
    NodeId: 1 to bounds::NODE_ID_MAX, "The key of a node inside a document.";
    Url: 1 to bounds::URL_MAX, "A URL.";
    TokenLabel: 1 to bounds::TOKEN_LABEL_MAX, "What the owner of a token calls it.";
    PageTitle: 1 to bounds::PAGE_TITLE_MAX, "The title of a page or reusable content.";
    PageSlug: 0 to bounds::SLUG_MAX, "Lowercase letters, digits and `-._`; empty to have it made from the title.";
    PageDescription: 1 to bounds::PAGE_DESCRIPTION_MAX, "What a page is about.";
    FileName: 1 to bounds::FILE_NAME_MAX, "The name of a file.";
    ContentType: 1 to bounds::CONTENT_TYPE_MAX, "A media type.";
    BatchName: 1 to bounds::FILE_NAME_MAX, "A name that holds inside one content write.";
    WebhookDescription: 1 to bounds::WEBHOOK_DESCRIPTION_MAX, "What a webhook is for.";
    SearchText: 1 to bounds::SEARCH_QUERY_MAX, "What to search for.";
    SpecName: 1 to bounds::SPEC_SLUG_MAX, "The slug or the id of an OpenAPI specification.";
    SpecPlace: 1 to bounds::SPEC_PLACE_MAX, "Which document of an OpenAPI specification.";
    Seed: 1 to bounds::SEED_MAX, "What computed ids depend on.";
    SiteTitle: 2 to bounds::SITE_TITLE_MAX, "The title of a site or section.";
    NewSectionTitle: 2 to bounds::NEW_SECTION_TITLE_MAX, "The title of a new section.";
    SectionDescription: 0 to bounds::SECTION_DESCRIPTION_MAX, "What a section is about.";
    SectionGroupTitle: 1 to bounds::SECTION_GROUP_TITLE_MAX, "The title of a group of sections.";
    SitePath: 1 to bounds::SLUG_MAX, "Lowercase letters, digits and `-._`.";
    Condition: 1 to bounds::CONDITION_MAX, "An expression of CEL over `visitor.claims`.";
    SiteHostname: 1 to bounds::SITE_HOSTNAME_MAX, "A host name of at least three labels.";
    ProxyOrigin: 1 to bounds::SITE_HOSTNAME_MAX, "A host with a path, such as `example.com/docs`.";
    ShareLinkName: 0 to bounds::SHARE_LINK_NAME_MAX, "What a share link is for.";
    LinkTitle: 0 to bounds::CUSTOMIZATION_LINK_TITLE_MAX, "The title of a link.";
    Copyright: 0 to bounds::COPYRIGHT_MAX, "A copyright line.";
    Announcement: 2 to bounds::ANNOUNCEMENT_MAX, "What is announced.";
    FontFamily: 1 to bounds::ICON_MAX, "The family name of a font.";
}
