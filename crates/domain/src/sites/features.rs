//! Features of sites by type.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SiteType;

/// Feature of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SiteFeature {
    /// Id of the feature.
    pub id: SiteFeatureId,
    /// Least site type that includes the feature.
    pub plan: SiteType,
    /// `true` if the feature cannot be changed, because the type is no longer offered.
    pub frozen: bool,
}

/// Declares the features with the least type that includes each.
macro_rules! feature_table {
    ($($name:ident: $plan:ident;)*) => {
        /// Id of a feature.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "kebab-case")]
        #[expect(missing_docs, reason = "the names say it, and the reference says no more")]
        pub enum SiteFeatureId {
            $($name,)*
        }

        /// Every feature, with the least type that includes it.
        const TABLE: &[(SiteFeatureId, SiteType)] = &[$((SiteFeatureId::$name, SiteType::$plan)),*];
    };
}

feature_table! {
    SitesAdaptiveContent: Ultimate;
    SitesAdvancedCustomization: Premium;
    SitesAdvancedInsights: Ultimate;
    SitesAds: Sponsored;
    SitesAiSearch: Premium;
    SitesAiAssistant: Ultimate;
    SitesApiPlayground: Basic;
    SitesBasicCustomization: Basic;
    SitesCustomDomain: Premium;
    SitesCustomFonts: Ultimate;
    SitesCustomSubdirectory: Ultimate;
    SitesFullTextSearch: Basic;
    SitesMultivariantSite: Premium;
    SitesNoCustomDomain: Basic;
    SitesPageFeedback: Premium;
    SitesPageTrafficInsights: Basic;
    SitesPdfExport: Premium;
    SitesPreviewDeployments: Basic;
    SitesPublicVisibility: Basic;
    SitesRedirects: Basic;
    SitesSearchInsights: Premium;
    SitesSections: Ultimate;
    SitesSeo: Basic;
    SitesShareLinks: Premium;
    SitesUnlistedVisibility: Basic;
    SitesUserContribution: Basic;
    SitesVisitorAuthentication: Ultimate;
    SitesVisitors: Ultimate;
}

/// Returns the rank of a type. A type includes the features of all types of lower rank.
const fn level(site_type: SiteType) -> u8 {
    match site_type {
        SiteType::Basic | SiteType::LegacyBasic => 0,
        SiteType::Premium | SiteType::LegacyPremium | SiteType::Sponsored => 1,
        SiteType::Ultimate => 2,
    }
}

/// Returns the features of a site type. Advertisements are only for sponsored sites.
pub fn features(site_type: SiteType) -> impl Iterator<Item = SiteFeature> {
    let frozen = matches!(site_type, SiteType::LegacyBasic | SiteType::LegacyPremium);
    let has = move |plan: SiteType| match plan {
        SiteType::Sponsored => site_type == SiteType::Sponsored,
        plan => level(plan) <= level(site_type),
    };
    TABLE.iter().filter(move |(_, plan)| has(*plan)).map(move |&(id, plan)| SiteFeature { id, plan, frozen })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(site_type: SiteType, id: SiteFeatureId) -> bool {
        features(site_type).any(|feature| feature.id == id)
    }

    #[test]
    fn a_greater_type_has_what_a_lesser_one_has() {
        for feature in features(SiteType::Basic) {
            assert!(has(SiteType::Premium, feature.id) && has(SiteType::Ultimate, feature.id));
        }
        assert!(!has(SiteType::Basic, SiteFeatureId::SitesSections));
        assert!(has(SiteType::Sponsored, SiteFeatureId::SitesAds));
        assert!(!has(SiteType::Ultimate, SiteFeatureId::SitesAds));
        assert!(features(SiteType::LegacyPremium).all(|feature| feature.frozen));
        assert_eq!(serde_json::to_value(SiteFeatureId::SitesAiSearch).unwrap(), "sites-ai-search");
    }
}
