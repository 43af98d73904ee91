//! Conditions in request bodies. `quire-conditions`, on which this crate does not depend, checks their syntax.

use std::borrow::Cow;

use super::customization::{Customization, CustomizationHeaderItem, CustomizationOverrides};
use super::structure::{SectionUpdate, SiteSpaceUpdate};
use crate::text_checks::Text;
use crate::texts;

/// Request body with conditions, whose syntax must be checked in addition to `validate()`.
pub trait HoldsConditions {
    /// Returns each condition within the bound on its length, with its path as the caller wrote it.
    fn conditions(&self) -> Vec<(Cow<'static, str>, &str)>;
}

impl HoldsConditions for SectionUpdate {
    fn conditions(&self) -> Vec<(Cow<'static, str>, &str)> {
        bounded("condition".into(), self.condition.set()).into_iter().collect()
    }
}

impl HoldsConditions for SiteSpaceUpdate {
    fn conditions(&self) -> Vec<(Cow<'static, str>, &str)> {
        bounded("condition".into(), self.condition.set()).into_iter().collect()
    }
}

impl HoldsConditions for Customization {
    fn conditions(&self) -> Vec<(Cow<'static, str>, &str)> {
        of_links(&self.header.links)
    }
}

impl HoldsConditions for CustomizationOverrides {
    fn conditions(&self) -> Vec<(Cow<'static, str>, &str)> {
        self.settings().conditions()
    }
}

/// Returns the conditions of links in a header.
fn of_links(links: &[CustomizationHeaderItem]) -> Vec<(Cow<'static, str>, &str)> {
    let links = links.iter().enumerate();
    links
        .filter_map(|(at, link)| {
            bounded(format!("header.links[{at}].condition").into(), link.condition.as_ref())
        })
        .collect()
}

/// Returns a condition whose length is within bounds. `validate()` reports the others.
fn bounded<'a>(
    path: Cow<'static, str>,
    condition: Option<&'a impl Text>,
) -> Option<(Cow<'static, str>, &'a str)> {
    let condition = condition.filter(|condition| texts::Condition::check(*condition).is_ok())?;
    Some((path, condition.text()?))
}
