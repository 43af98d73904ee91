//! Translations of the texts of a site.

use std::collections::BTreeMap;

use validator::ValidationError;

use crate::bounded::{Bounded, Kind};
use crate::error::KEY;
use crate::patch::Patch;
use crate::translations::Language;

/// Translations of a text, by language.
pub type Localized = BTreeMap<Language, String>;

/// Returns the translation of a text into a language, or the text itself.
#[must_use]
pub fn in_language<'t>(
    text: &'t str,
    localized: Option<&'t Localized>,
    language: Option<Language>,
) -> &'t str {
    let localized = localized.zip(language).and_then(|(texts, language)| texts.get(&language));
    localized.filter(|text| !text.is_empty()).map_or(text, String::as_str)
}

/// Field that may hold translations.
pub(crate) trait LocalizedField {
    /// Returns the translations, if present.
    fn texts(&self) -> Option<&Localized>;
}

impl LocalizedField for Localized {
    fn texts(&self) -> Option<&Localized> {
        Some(self)
    }
}

impl<F: LocalizedField> LocalizedField for &F {
    fn texts(&self) -> Option<&Localized> {
        (**self).texts()
    }
}

impl LocalizedField for Patch<Localized> {
    fn texts(&self) -> Option<&Localized> {
        self.set()
    }
}

/// Checks the translations of a field, for `#[validate(custom(function = "…"))]`.
///
/// # Errors
/// A [`ValidationError`] about the first translation that breaks its bounds, with its language as [`KEY`].
pub(crate) fn check<K: Kind>(field: &impl LocalizedField) -> Result<(), ValidationError> {
    for (language, text) in field.texts().into_iter().flatten() {
        Bounded::<K>::check(text).map_err(|mut error| {
            error.add_param(KEY.into(), language);
            error
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::kinds::LocalizedTitle;

    #[test]
    fn a_text_that_breaks_its_bounds_is_named_by_its_language() {
        let titles = |length| Localized::from([(Language::German, "t".repeat(length))]);
        assert!(check::<LocalizedTitle>(&titles(128)).is_ok());
        let refused = check::<LocalizedTitle>(&Patch::Set(titles(129))).unwrap_err();
        assert_eq!(refused.message.unwrap(), "must have at most 128 characters, has 129");
        assert_eq!(refused.params[KEY], "de");
        assert!(check::<LocalizedTitle>(&Patch::<Localized>::Clear).is_ok());
    }

    #[test]
    fn an_absent_or_empty_text_is_that_of_the_site() {
        let texts =
            Localized::from([(Language::German, "Anleitung".to_owned()), (Language::French, String::new())]);
        for (language, expected) in [
            (Some(Language::German), "Anleitung"),
            (Some(Language::French), "Guide"),
            (Some(Language::Dutch), "Guide"),
            (None, "Guide"),
        ] {
            assert_eq!(in_language("Guide", Some(&texts), language), expected);
        }
        assert_eq!(in_language("Guide", None, Some(Language::German)), "Guide");
    }
}
