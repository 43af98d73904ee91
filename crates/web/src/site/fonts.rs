//! Fonts of a site's settings: faces of the embedded files, or of the files that the settings name.
//!
//! Letters are shown in a font of the system until the file is there. It is scaled to the widths of the font, so that
//! nothing moves when the font replaces it.

use std::fmt::Write as _;

use quire_domain::sites::customization::{
    CustomFont, CustomizationFont, CustomizationMonospaceFont, CustomizationStyling,
};
use url::{Position, Url};

use super::setting::word;
use crate::assets;

/// Families with their faces, written by `scripts/vendor-web`.
const TABLE: &str = include_str!("../../vendor/fonts/fonts.tsv");
/// Start of the `unicode-range` of Latin faces. The first one in the table has normal weight.
const LATIN: &str = "U+0000";
/// Family of a text font whose files the settings name.
pub(crate) const TEXT: &str = "site-text";
/// Family of a heading font whose files the settings name.
pub(crate) const HEADINGS: &str = "site-headings";
/// Faces of a font of the settings that are used.
const MOST_FACES: usize = 20;

/// Fonts of the system that stand in for a family, by its kind. Those of one kind have the same widths.
const STAND_INS: [(&str, &[&str]); 3] = [
    ("sans", &["Arial", "Liberation Sans", "Arimo", "Helvetica"]),
    ("serif", &["Times New Roman", "Liberation Serif", "Tinos", "Times"]),
    ("mono", &["Menlo", "DejaVu Sans Mono", "Liberation Mono", "Courier New"]),
];

/// Style rules of a font.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Font {
    /// Rules of its faces.
    pub(crate) rules: String,
    /// Value of `font-family` without the fonts of the system at its end.
    pub(crate) families: String,
}

/// Returns a font for text or headings. `family` is its name if the settings name its files.
pub(crate) fn text(font: &CustomizationFont, family: &str) -> Option<Font> {
    match font {
        CustomizationFont::Default(name) => built_in(&word(name)?),
        CustomizationFont::Custom(font) => own(font, family),
    }
}

/// Returns the font for code.
pub(crate) fn code(font: &CustomizationMonospaceFont) -> Option<Font> {
    match font {
        CustomizationMonospaceFont::Default(name) => built_in(&word(name)?),
        CustomizationMonospaceFont::Custom(font) => own(font, "site-code"),
    }
}

/// Returns the file of a built-in font that nearly every page needs: that of its Latin letters of normal weight.
pub(crate) fn first_file(font: &CustomizationFont) -> Option<&'static str> {
    let CustomizationFont::Default(name) = font else { return None };
    let name = word(name)?;
    let mut lines = TABLE.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    lines.find(|line| line.starts_with(&["font", &name]))?;
    let mut faces = lines.take_while(|line| line.first() == Some(&"face"));
    faces.find_map(|face| match face.as_slice() {
        ["face", "normal", _, file, range] if range.starts_with(LATIN) => Some(*file),
        _ => None,
    })
}

/// Returns the origins that the files of a site's fonts are loaded from, besides the site.
pub(crate) fn origins(styling: &CustomizationStyling) -> Vec<String> {
    let text = [Some(&styling.font), styling.heading_font.as_ref()].into_iter().flatten();
    let text =
        text.filter_map(|font| if let CustomizationFont::Custom(font) = font { Some(font) } else { None });
    let code = match &styling.monospace_font {
        CustomizationMonospaceFont::Custom(font) => Some(font),
        CustomizationMonospaceFont::Default(_) => None,
    };
    let fonts = text.chain(code);
    let mut origins: Vec<String> = fonts
        .flat_map(|font| font.font_faces.iter().take(MOST_FACES))
        .flat_map(|face| &face.sources)
        .filter_map(|source| Some(address(&source.url)?[..Position::BeforePath].to_owned()))
        .collect();
    origins.sort();
    origins.dedup();
    origins
}

/// Returns a built-in font. `None` for one that is not free, which pages are then without.
fn built_in(name: &str) -> Option<Font> {
    let mut lines = TABLE.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let family = lines.find(|line| line.first() == Some(&"font") && line.get(1) == Some(&name))?;
    let &[_, _, kind, scale, ascent, descent, gap] = family.as_slice() else { return None };
    let mut rules = String::new();
    for face in lines.take_while(|line| line.first() == Some(&"face")) {
        let &[_, style, weight, file, range] = face.as_slice() else { continue };
        let file = assets::hashed(file);
        let _ = writeln!(
            rules,
            "@font-face{{font-family:\"{name}\";font-style:{style};font-weight:{weight};font-display:optional;\
             src:url(\"../assets/{file}\") format(\"woff2\");unicode-range:{range}}}"
        );
    }
    let (_, stand_ins) = STAND_INS.iter().find(|(found, _)| *found == kind)?;
    let sources: Vec<String> = stand_ins.iter().map(|name| format!("local(\"{name}\")")).collect();
    let _ = writeln!(
        rules,
        "@font-face{{font-family:\"{name} stand-in\";src:{};size-adjust:{scale}%;ascent-override:{ascent}%;\
         descent-override:{descent}%;line-gap-override:{gap}%}}",
        sources.join(",")
    );
    Some(Font { rules, families: format!("\"{name}\",\"{name} stand-in\",") })
}

/// Returns a font whose files the settings name. Nothing of the settings but URLs is written.
fn own(font: &CustomFont, name: &str) -> Option<Font> {
    let mut rules = String::new();
    for face in font.font_faces.iter().take(MOST_FACES) {
        let sources: Vec<String> = face
            .sources
            .iter()
            .filter_map(|source| {
                let format = source.format.and_then(word).map(|format| format!(" format(\"{format}\")"));
                Some(format!("url(\"{}\"){}", quoted(&address(&source.url)?), format.unwrap_or_default()))
            })
            .collect();
        if !sources.is_empty() {
            let _ = writeln!(
                rules,
                "@font-face{{font-family:\"{name}\";font-weight:{};font-display:optional;src:{}}}",
                face.weight,
                sources.join(",")
            );
        }
    }
    (!rules.is_empty()).then(|| Font { rules, families: format!("\"{name}\",") })
}

/// Returns the URL of a font file, if browsers may load it.
fn address(url: &str) -> Option<Url> {
    let url = Url::parse(url).ok()?;
    let is_loaded = url.scheme() == "https" && url.username().is_empty() && url.password().is_none();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    (is_loaded && url.host_str().is_some_and(|host| host.bytes().all(is_plain))).then_some(url)
}

/// Returns a URL as a string of CSS holds it.
fn quoted(url: &Url) -> String {
    url.as_str().replace('\\', "%5C").replace('"', "%22")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn setting(value: Value) -> CustomizationFont {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn each_face_has_a_file() {
        let files = TABLE.lines().filter_map(|line| line.strip_prefix("face\t")?.split('\t').nth(2));
        let missing: Vec<&str> = files.filter(|file| assets::hashed(file) == *file).collect();
        assert!(missing.is_empty(), "{missing:?}");
        for name in ["Inter", "Roboto", "Lato", "Poppins", "NotoSans", "IBMPlexSerif", "FiraSans", "Ubuntu"] {
            let font = text(&setting(json!(name)), TEXT).unwrap();
            let first = first_file(&setting(json!(name))).unwrap();
            assert!(font.rules.contains(assets::hashed(first)), "{first}");
            assert!(
                font.rules.contains("font-display:optional") && font.rules.contains("size-adjust"),
                "{name}"
            );
        }
        assert_eq!(text(&setting(json!("ABCFavorit")), TEXT), None);
        assert_eq!(first_file(&setting(json!("ABCFavorit"))), None);
        assert_eq!(first_file(&setting(json!("Lato"))), Some("lato-latin-400-normal.woff2"));
    }

    #[test]
    fn only_urls_of_own_fonts_are_written() {
        let face = |url: &str| json!({"weight": 400, "sources": [{"url": url, "format": "woff2"}]});
        let font = json!({
            "id": "x", "custom": true, "fontFamily": "\"} body { color: red }",
            "fontFaces": [face("https://fonts.example/a\").woff2"), face("http://fonts.example/b.woff2"),
                          face("https://user@fonts.example/c.woff2"), face("data:font/woff2;base64,AA")],
        });
        let font = setting(font);
        let Font { rules, families } = text(&font, TEXT).unwrap();
        assert_eq!(
            rules,
            "@font-face{font-family:\"site-text\";font-weight:400;font-display:optional;\
             src:url(\"https://fonts.example/a%22).woff2\") format(\"woff2\")}\n"
        );
        assert_eq!(families, "\"site-text\",");
        let styling = CustomizationStyling { heading_font: Some(font), ..CustomizationStyling::default() };
        assert_eq!(origins(&styling), ["https://fonts.example"]);
    }
}
