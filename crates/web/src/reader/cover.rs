//! Covers of pages.

use maud::{Markup, html};
use quire_domain::revisions::{CoverMask, CoverSize, PageCover, PageLayout};
use quire_markup::ContentRef;
use quire_render::Target;

/// Width of a cover per unit of height, as in the style sheets.
const ASPECT: f64 = 3.0;
/// Number of steps between the uppermost and the lowest position. The style sheets have a rule for each step.
const STEPS: u8 = 20;
/// Step of a position in percent.
pub(crate) const STEP: u8 = 100 / STEPS;
/// Position of a picture whose center is shown, in percent.
pub(crate) const CENTER: u8 = 50;

/// Cover picture of a page.
#[derive(Clone, Debug, Default)]
pub struct Cover {
    /// Address of the picture.
    pub address: String,
    /// Address of the picture for dark pages.
    pub dark: Option<String>,
    /// Vertical position of the visible part in percent, in steps of 5: 0 shows the top of the picture.
    pub position: u8,
    /// Size. `None` for the width of the text.
    pub size: Option<&'static str>,
    /// True if the picture fades out towards its edges.
    pub fades: bool,
}

impl Cover {
    /// Returns the cover of a page. `None` if its picture is not found.
    pub(crate) fn of(
        cover: &PageCover,
        layout: &PageLayout,
        target: impl Fn(&ContentRef) -> Option<Target>,
    ) -> Option<Self> {
        let [picture, dark] = pictures(cover);
        let Target { address, size, .. } = target(&picture?)?;
        Some(Self {
            address,
            dark: dark.and_then(|dark| Some(target(&dark)?.address)),
            position: size.map_or(CENTER, |size| position(cover.y_pos, size)),
            size: match layout.cover_size {
                CoverSize::Hero => None,
                CoverSize::Full => Some("full"),
                CoverSize::Background => Some("background"),
            },
            fades: layout.cover_mask == CoverMask::Radial,
        })
    }

    /// Writes the picture. With a variant for dark pages, browsers load only the one that they show.
    pub(crate) fn write(&self) -> Markup {
        let only = |name: &'static str| self.dark.as_ref().map(|_| name);
        let position = Some(self.position).filter(|position| *position != CENTER);
        let picture = |address: &str, only: Option<&str>| {
            html! {
                img.cover src=(address) alt="" fetchpriority="high" data-only=[only] data-y=[position]
                    data-fades=[self.fades.then_some("")];
            }
        };
        html! {
            (picture(&self.address, only("light")))
            @if let Some(dark) = &self.dark { (picture(dark, only("dark"))) }
        }
    }
}

/// Returns the references to the picture, and to the one for dark pages.
pub(crate) fn pictures(cover: &PageCover) -> [Option<ContentRef>; 2] {
    [&cover.reference, &cover.ref_dark].map(|reference| ContentRef::from_value(reference.as_ref()?))
}

/// Returns the position of the visible part in percent, to the nearest step. `offset` is the distance by which the
/// picture is moved down from the center, in pixels of the picture.
pub(crate) fn position(offset: f64, (width, height): (u32, u32)) -> u8 {
    let room = f64::from(height) - f64::from(width) / ASPECT;
    if room <= 0.0 {
        return CENTER;
    }
    let exact = 100.0 * (0.5 - offset / room);
    let steps = (0..=STEPS).map(|step| step.saturating_mul(STEP));
    let distance = |step: &u8| (f64::from(*step) - exact).abs();
    steps.min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(CENTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_moved_by_its_own_pixels_and_stays_within_its_edges() {
        // 400 of 1000 pixels are visible, so that there is room for 600.
        let size = (1_200, 1_000);
        for (offset, expected) in
            [(0.0, 50), (300.0, 0), (-300.0, 100), (150.0, 25), (-31.0, 55), (9_000.0, 0), (-9_000.0, 100)]
        {
            assert_eq!(position(offset, size), expected, "{offset}");
        }
        // All of a wide picture is visible at any offset.
        assert_eq!(position(300.0, (3_000, 1_000)), CENTER);
    }

    #[test]
    fn a_variant_for_dark_pages_is_a_picture_of_its_own() {
        let reference = |url: &str| Some(serde_json::json!({"kind": "url", "url": url}));
        let stored = PageCover { reference: reference("a.png"), ref_dark: reference("b.png"), y_pos: -9.0 };
        let target = |reference: &ContentRef| match reference {
            ContentRef::Url { url } => {
                Some(Target { address: url.clone(), size: Some((300, 200)), ..Target::default() })
            }
            _ => None,
        };
        let layout = PageLayout { cover_mask: CoverMask::Radial, ..PageLayout::default() };
        let cover = Cover::of(&stored, &layout, target).unwrap();
        assert_eq!(
            cover.write().into_string(),
            "<img class=\"cover\" src=\"a.png\" alt=\"\" fetchpriority=\"high\" data-only=\"light\" data-y=\"60\" data-fades=\"\">\
             <img class=\"cover\" src=\"b.png\" alt=\"\" fetchpriority=\"high\" data-only=\"dark\" data-y=\"60\" data-fades=\"\">"
        );
        let lost = PageCover { reference: None, ..stored };
        assert!(Cover::of(&lost, &layout, target).is_none());
    }
}
