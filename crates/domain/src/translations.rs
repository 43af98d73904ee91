//! Translation settings: target languages of an organization's content.

#[cfg(feature = "postgres")]
use diesel::pg::Pg;
#[cfg(feature = "postgres")]
use diesel::prelude::{Queryable, Selectable};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

use crate::clock::Timestamp;
use crate::ids::TranslationSettingsId;
use crate::object::TranslationSettingsTag;
#[cfg(feature = "postgres")]
use crate::schema::translation_settings;
#[cfg(feature = "postgres")]
use crate::stored::Elements;
use crate::{patch, text_checks, texts};

/// Stored fields of translation settings, which responses contain unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "postgres", derive(Queryable, Selectable))]
#[cfg_attr(feature = "postgres", diesel(table_name = translation_settings, check_for_backend(Pg)))]
#[serde(rename_all = "camelCase")]
pub struct TranslationFacts {
    /// Id of the settings.
    pub id: TranslationSettingsId,
    /// Title of the settings, 1 to 100 characters.
    pub title: String,
    /// Languages, in the order of the request.
    #[cfg_attr(feature = "postgres", diesel(deserialize_as = Elements<Vec<Option<Language>>>))]
    pub languages: Vec<Language>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

/// Translation settings of an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TranslationSettings {
    /// Always `translation-settings`.
    pub object: TranslationSettingsTag,
    /// Facts of the settings.
    #[serde(flatten)]
    pub facts: TranslationFacts,
    /// Permissions of the caller on the settings.
    pub permissions: TranslationPermissions,
    /// URLs of the settings.
    pub urls: TranslationUrls,
}

/// Permissions of the caller on translation settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TranslationPermissions {
    /// `true` if the caller may see the settings.
    pub view: bool,
    /// `true` if the caller may update and delete the settings.
    pub edit: bool,
}

/// URLs of translation settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TranslationUrls {
    /// URL of the settings in this API.
    pub location: String,
}

/// Declares the languages with their codes.
macro_rules! languages {
    ($($name:ident = $code:tt;)*) => {
        /// Language, as its code in lower case: of ISO 639, with a region where it differs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
        pub enum Language {
            $(
                #[doc = concat!(stringify!($name), ".")]
                #[serde(rename = $code)]
                $name,
            )*
        }

        impl Language {
            /// Returns the code.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code),* }
            }
        }
    };
}

languages! {
    English = "en";
    French = "fr";
    German = "de";
    Spanish = "es";
    Italian = "it";
    Portuguese = "pt";
    Russian = "ru";
    Japanese = "ja";
    Chinese = "zh";
    Korean = "ko";
    Arabic = "ar";
    Hindi = "hi";
    Dutch = "nl";
    Polish = "pl";
    Turkish = "tr";
    Swedish = "sv";
    Norwegian = "no";
    Danish = "da";
    Finnish = "fi";
    Greek = "el";
    Czech = "cs";
    Hungarian = "hu";
    Romanian = "ro";
    Thai = "th";
    Vietnamese = "vi";
    Indonesian = "id";
    Malay = "ms";
    Hebrew = "he";
    Ukrainian = "uk";
    Slovak = "sk";
    Bulgarian = "bg";
    Croatian = "hr";
    Lithuanian = "lt";
    Latvian = "lv";
    Estonian = "et";
    Slovenian = "sl";
    BrazilianPortuguese = "pt-br";
    Cantonese = "yue";
    TraditionalChinese = "zh-tw";
}

impl std::fmt::Display for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Request body to create or replace translation settings.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TranslationSettingsInput {
    /// Title of the settings.
    #[validate(custom(function = "texts::TranslationTitle::check"))]
    pub title: texts::TranslationTitle,
    /// Distinct languages. Default: none for new settings, unchanged for existing ones.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "languages_once"))]
    #[schema(value_type = Vec<Language>, required = false)]
    pub languages: Option<Vec<Language>>,
}

fn languages_once(languages: &[Language]) -> Result<(), ValidationError> {
    text_checks::distinct(languages)
}
