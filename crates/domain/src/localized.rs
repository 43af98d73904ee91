//! Texts in other languages than that of a site.

use std::collections::BTreeMap;

use crate::bounded::{Bounded, Kind};
use crate::features::ValidationError;
use crate::patch::Patch;
use crate::text_checks;
use crate::translations::Language;

/// Texts by their languages.
pub type Localized = BTreeMap<Language, String>;

/// Returns the text in a language, or else the text itself.
#[must_use]
pub fn in_language<'t>(
    text: &'t str,
    localized: Option<&'t Localized>,
    language: Option<Language>,
) -> &'t str {
    let localized = localized.zip(language).and_then(|(texts, language)| texts.get(&language));
    localized.filter(|text| !text.is_empty()).map_or(text, String::as_str)
}

/// Field that may hold texts by their languages.
pub(crate) trait LocalizedField {
    /// Returns the texts, if present.
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

/// Checks the texts of a field, for `#[validate(custom(function = "…"))]`.
///
/// # Errors
/// A [`ValidationError`] with a sentence that names the first language whose text breaks its bounds.
pub(crate) fn check<K: Kind>(field: &impl LocalizedField) -> Result<(), ValidationError> {
    for (language, text) in field.texts().into_iter().flatten() {
        Bounded::<K>::check(text).map_err(|error| {
            let sentence = error.message.unwrap_or_default();
            text_checks::error("text", format!("has a text in `{language}` that {sentence}"))
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
        let sentence = refused.message.unwrap();
        assert_eq!(sentence, "has a text in `de` that must have at most 128 characters, has 129");
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
