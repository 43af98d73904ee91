//! Style sheet of a site's settings: colors, fonts, code themes, corners and styles of parts.
//!
//! Colors of the settings are moved toward black or white until text has enough contrast.

use actix_web::HttpResponse;
use actix_web::http::header;
use quire_domain::sites::customization::{CustomizationStyling, ThemedColor};
use quire_server::ApiResult;
use quire_storage::sites::published::PublishedSpace;
use sha2::{Digest, Sha256};

use super::setting::word;
use super::visit::{Visit, has_overrides};
use super::{code_theme, fonts};
use crate::assets::IMMUTABLE;

/// Contrast of links and marks with the page in light and dark (WCAG 2.2, 1.4.6 requires 7, 1.4.3 requires 4.5). In
/// dark, a marked line of a listing takes a quarter of it.
const CONTRAST: [f64; 2] = [5.5, 6.0];
/// Colors of the page in light and dark.
const PAGES: [Rgb; 2] = [Rgb(255, 255, 255), Rgb(27, 27, 31)];
/// Contrast with the soft background of the same hue (WCAG 2.2, 1.4.3).
const SOFT_CONTRAST: f64 = 4.6;
/// Number of steps from a color to black or white.
const STEPS: u8 = 40;
/// Number of steps from a color to its soft background, in light and dark.
const SOFT: [u8; 2] = [36, 33];

/// Header with the accent color as background.
const BOLD: &str = "@media screen { .site-header { background: var(--accent); color: var(--on-accent); --muted: var(--on-accent); \
                    --strong: var(--on-accent); --line: color-mix(in srgb, var(--on-accent) 35%, transparent); \
                    --text: var(--on-accent); --page: transparent; --soft: transparent; } .site-header .menu > ul { background: var(--accent); } \
                    .sections [aria-current], .sections [data-current] { border-color: var(--on-accent) !important; } \
                    .header-links [data-style=\"button-primary\"] { background: var(--on-accent); color: var(--accent); } }";
/// Page with a gradient of the accent color at the top.
const GRADIENT: &str = "@media screen { body { background: linear-gradient(var(--accent-soft), var(--page) 24rem) no-repeat var(--page); } \
                        .site-header { background: linear-gradient(var(--accent-soft), var(--page) 24rem); } }";
/// Tree entries with round ends.
const PILLS: &str = ".sidebar a { border-radius: 99px; }";
/// Tree entries along a line.
const LINES: &str = ".sidebar a { border-radius: 0; border-inline-start: 2px solid var(--line); } \
                     .sidebar a[aria-current] { background: none; border-color: var(--accent); } \
                     .sidebar details > ul { border: 0; }";
/// Tree with a background.
const FILLED: &str = "@media (min-width: 861px) { .sidebar[popover] { background: var(--soft); border-inline-end: 1px solid var(--line); } }";
/// Headings with their own font.
const HEADINGS: &str = "h1, h2, h3, h4, h5, h6 { font-family: var(--headings); }\n";
/// Links in the color of text.
const LINKS: &str = ".document a:not(.button, .link-card, .card a, .mention) { color: var(--strong); text-decoration-color: var(--accent); \
                     text-decoration-thickness: 2px; }";
/// Without shadows.
const FLAT: &str = ".menu > ul, #frame\\:search, .note, .page-actions ul { box-shadow: none !important; }";
/// Search in the middle of the header.
const PROMINENT: &str = "@media (min-width: 861px) { .search-form { flex: 1; margin-inline: auto; max-inline-size: 480px; } \
                         .search-open { inline-size: 100%; block-size: 40px; } }";

/// Color by its red, green and blue parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rgb(pub(super) u8, pub(super) u8, pub(super) u8);

impl Rgb {
    /// Reads `#rgb` or `#rrggbb`.
    fn read(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#')?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let part = |range: std::ops::Range<usize>| u8::from_str_radix(digits.get(range)?, 16).ok();
        match digits.len() {
            3 => Some(Self(part(0..1)? * 17, part(1..2)? * 17, part(2..3)? * 17)),
            6 => Some(Self(part(0..2)?, part(2..4)?, part(4..6)?)),
            _ => None,
        }
    }

    pub(super) fn css(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }

    fn luminance(self) -> f64 {
        let part = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(self.0) + 0.7152 * part(self.1) + 0.0722 * part(self.2)
    }

    fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Mixes `step` of [`STEPS`] parts of another color into this one.
    fn toward(self, other: Self, step: u8) -> Self {
        let mix = |from: u8, to: u8| {
            let (step, all) = (u32::from(step.min(STEPS)), u32::from(STEPS));
            u8::try_from((u32::from(from) * (all - step) + u32::from(to) * step) / all).unwrap_or(u8::MAX)
        };
        Self(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }

    /// Returns the color, darkened or lightened until it is readable on a page and on its own soft background.
    fn readable_on(self, page: Self, soft: u8, contrast: f64) -> Self {
        let goal = if page.luminance() > 0.5 { Self(0, 0, 0) } else { Self(255, 255, 255) };
        let steps = (0..=STEPS).map(|step| self.toward(goal, step));
        let is_readable = |color: &Self| {
            color.contrast(page) >= contrast && color.contrast(color.toward(page, soft)) >= SOFT_CONTRAST
        };
        let mut readable = steps.filter(is_readable);
        readable.next().unwrap_or(goal)
    }
}

/// Returns the color of links on white background.
pub(super) fn light_accent(styling: &CustomizationStyling) -> Rgb {
    let ([white, _], [pale, _], [contrast, _]) = (PAGES, SOFT, CONTRAST);
    let readable = |color: Rgb| color.readable_on(white, pale, contrast);
    Rgb::read(&styling.primary_color.light).map_or(Rgb(52, 81, 178), readable)
}

/// Returns the value of a color with both modes.
fn themed(light: Rgb, dark: Rgb) -> String {
    format!("light-dark({}, {})", light.css(), dark.css())
}

/// Returns a color of the settings as accent color, its soft background, and the color of text on it.
fn accent(color: &ThemedColor) -> Option<(String, String, String)> {
    let [white, black] = PAGES;
    let ([pale, dim], [least, least_in_dark]) = (SOFT, CONTRAST);
    let (light, dark) = (Rgb::read(&color.light)?, Rgb::read(&color.dark)?);
    let (light, dark) = (light.readable_on(white, pale, least), dark.readable_on(black, dim, least_in_dark));
    let soft = themed(light.toward(white, pale), dark.toward(black, dim));
    let on = |color: Rgb| {
        if color.contrast(white) >= color.contrast(black) { white } else { black }
    };
    Some((themed(light, dark), soft, themed(on(light), on(dark))))
}

/// Writes the style sheet.
fn css(styling: &CustomizationStyling) -> String {
    let mut rules = Vec::new();
    if let Some((color, soft, on)) = accent(&styling.primary_color) {
        rules.push(format!("--accent: {color}; --accent-soft: {soft}; --on-accent: {on};"));
    }
    for (name, color) in [
        ("info", &styling.info_color),
        ("green", &styling.success_color),
        ("orange", &styling.warning_color),
        ("red", &styling.danger_color),
    ] {
        if let Some((color, soft, _)) = accent(color) {
            rules.push(format!("--{name}: {color}; --{name}-soft: {soft};"));
        }
    }
    rules.extend(ground(styling));
    let radius = match word(styling.corners).as_deref() {
        Some("straight") => "0",
        Some("circular") => "16px",
        _ => "8px",
    };
    rules.push(format!("--radius: {radius};"));
    let text = fonts::text(&styling.font, fonts::TEXT);
    let code = fonts::code(&styling.monospace_font);
    let headings = styling.heading_font.as_ref().filter(|font| **font != styling.font);
    let headings = headings.and_then(|font| fonts::text(font, fonts::HEADINGS));
    for (property, font, system) in
        [("sans", &text, "sans"), ("headings", &headings, "sans"), ("mono", &code, "mono")]
    {
        if let Some(font) = font {
            rules.push(format!("--{property}: {}var(--system-{system});", font.families));
        }
    }
    let has_headings = headings.is_some();
    rules.push(code_theme::properties(styling.code_theme.default));
    let faces: String = [text, headings, code].into_iter().flatten().map(|font| font.rules).collect();
    let mut sheet = format!("{faces}:root {{ {} }}\n", rules.join(" "));
    if styling.code_theme.openapi != styling.code_theme.default {
        let colors = code_theme::properties(styling.code_theme.openapi);
        sheet.push_str(&format!(".document .api {{ {colors} }}\n"));
    }
    if has_headings {
        sheet.push_str(HEADINGS);
    }
    parts(styling).for_each(|rule| sheet.push_str(&format!("{rule}\n")));
    sheet
}

/// Returns the backgrounds of a tint or of muted colors.
fn ground(styling: &CustomizationStyling) -> Option<String> {
    let tint = styling.tint.as_ref().map(|tint| &tint.color);
    let is_muted = is(styling.theme, "muted");
    let color = tint.or(is_muted.then_some(&styling.primary_color))?;
    let (light, dark) = (Rgb::read(&color.light)?, Rgb::read(&color.dark)?);
    let [white, black] = PAGES;
    let mixed = |part: u8| themed(white.toward(light, part), black.toward(dark, part));
    let (page, soft, line) = if is_muted { (1, 2, 6) } else { (0, 1, 5) };
    Some(format!(
        "--page: {}; --soft: {}; --raised: {}; --line: {};",
        mixed(page),
        mixed(soft),
        mixed(page),
        mixed(line)
    ))
}

/// Returns the rules of the styles of single parts.
fn parts(styling: &CustomizationStyling) -> impl Iterator<Item = &'static str> {
    [
        (is(styling.theme, "bold"), BOLD),
        (is(styling.theme, "gradient"), GRADIENT),
        (is(styling.sidebar.list, "pill"), PILLS),
        (is(styling.sidebar.list, "line"), LINES),
        (is(styling.sidebar.background, "filled"), FILLED),
        (is(styling.links, "accent"), LINKS),
        (is(styling.depth, "flat"), FLAT),
        (is(styling.search, "prominent"), PROMINENT),
    ]
    .into_iter()
    .filter_map(|(is_set, rules)| is_set.then_some(rules))
}

/// Returns whether a setting has this value.
fn is(setting: impl serde::Serialize, expected: &str) -> bool {
    word(setting).as_deref() == Some(expected)
}

fn name(css: &str) -> String {
    let digest = Sha256::digest(css.as_bytes());
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the address of the style sheet of a space. If it differs from the site's, its name contains the id of the
/// space, so that a response computes only one sheet.
pub(crate) fn path(visit: &Visit, space: &PublishedSpace, styling: &CustomizationStyling) -> String {
    let name = name(&css(styling));
    match has_overrides(space, "styling") {
        true => visit.service(&format!("style/{}.{name}.css", space.id)),
        false => visit.service(&format!("style/{name}.css")),
    }
}

/// Responds with the style sheet of this name. An unknown name comes from an outdated page. It gets the current sheet
/// of the space or site, without caching.
///
/// # Errors
/// If stored overrides are malformed.
pub(crate) fn respond(visit: &Visit, asked: &str) -> ApiResult<HttpResponse> {
    let asked = asked.strip_suffix(".css").unwrap_or_default();
    let (id, hash) = asked.split_once('.').unwrap_or(("", asked));
    let space = visit.site.spaces.iter().find(|space| space.id.to_string() == id);
    let css = match space {
        Some(space) => css(&visit.settings_in(space)?.styling),
        None => css(&visit.settings.styling),
    };
    let caching = if name(&css) == hash { IMMUTABLE } else { "no-cache" };
    let response = HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, caching))
        .content_type("text/css; charset=utf-8")
        .body(css);
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_become_readable() {
        for color in ["#346DDB", "#ff0", "#fff", "#000", "#00C950", "#334400"] {
            let color = Rgb::read(color).unwrap();
            for ((page, soft), contrast) in PAGES.into_iter().zip(SOFT).zip(CONTRAST) {
                let readable = color.readable_on(page, soft, contrast);
                assert!(readable.contrast(page) >= contrast, "{color:?}");
                assert!(readable.contrast(readable.toward(page, soft)) >= SOFT_CONTRAST, "{color:?}");
            }
        }
        let dark = Rgb(52, 81, 178);
        assert_eq!(dark.readable_on(PAGES[0], SOFT[0], CONTRAST[0]), dark);
    }

    #[test]
    fn only_colors_are_written() {
        for text in ["red", "#12", "#ggg", "#fff; } body { color: red", "#é1"] {
            assert_eq!(Rgb::read(text), None, "{text}");
        }
        let both = ThemedColor { light: "url(x)".to_owned(), dark: "#fff".to_owned() };
        let css = css(&CustomizationStyling { primary_color: both, ..CustomizationStyling::default() });
        assert!(!css.contains("url(x)") && !css.contains("--accent:"), "{css}");
    }
}
