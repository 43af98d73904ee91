//! Link preview pictures: the title of a page, the title of its site, and the site's color.
//!
//! The embedded font has Latin, Cyrillic and Greek letters. For a page title with other letters, the picture shows only
//! the title of the site. A site title with other letters has no pictures.

use std::io;
use std::sync::LazyLock;

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider as _};
use zeno::{Command, Mask, Vector};

use super::style::Rgb;

/// Size of a picture that social networks require, in pixels.
pub(crate) const SIZE: (u32, u32) = (1_200, 630);
const MARGIN: f32 = 88.0;
/// Font sizes of a title, and the number of lines that fit.
const TITLES: [(f32, usize); 3] = [(84.0, 2), (68.0, 3), (54.0, 4)];
const SITE: f32 = 34.0;
const ABOUT: f32 = 34.0;
const ABOUT_LINES: usize = 2;
/// Maximum number of characters of a text. The rest is ignored.
const MOST_CHARACTERS: usize = 400;
const TEXT: Rgb = Rgb(23, 24, 28);
const MUTED: Rgb = Rgb(92, 94, 103);

macro_rules! faces {
    ($weight:literal) => {
        [
            include_bytes!(concat!("../../vendor/social/latin-", $weight, ".ttf")).as_slice(),
            include_bytes!(concat!("../../vendor/social/latin-ext-", $weight, ".ttf")).as_slice(),
            include_bytes!(concat!("../../vendor/social/cyrillic-", $weight, ".ttf")).as_slice(),
            include_bytes!(concat!("../../vendor/social/greek-", $weight, ".ttf")).as_slice(),
            include_bytes!(concat!("../../vendor/social/vietnamese-", $weight, ".ttf")).as_slice(),
        ]
    };
}

static MEDIUM: LazyLock<Letters> = LazyLock::new(|| Letters::of(faces!("500")));
static BOLD: LazyLock<Letters> = LazyLock::new(|| Letters::of(faces!("700")));

/// Content of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Card {
    title: String,
    site: String,
    about: String,
    color: Rgb,
}

impl Card {
    /// Returns the card of a page. `None` if the font lacks letters of the site's title.
    pub(crate) fn new(title: &str, site: &str, about: Option<&str>, color: Rgb) -> Option<Self> {
        let site = written(site).filter(|site| !site.is_empty())?;
        let title = written(title).filter(|title| !title.is_empty() && *title != site);
        let about = about.and_then(written).unwrap_or_default();
        Some(match title {
            Some(title) => Self { title, site, about, color },
            None => Self { title: site, site: String::new(), about, color },
        })
    }

    /// Returns a text that is unique to the card.
    pub(crate) fn key(&self) -> String {
        [&self.title, &self.site, &self.about, &self.color.css()].map(String::as_str).join("\0")
    }

    /// Draws the card as PNG.
    ///
    /// # Errors
    /// If the encoder fails. This does not depend on the card, since it writes to memory.
    pub(crate) fn png(&self) -> io::Result<Vec<u8>> {
        let mut picture = Picture::new();
        let (width, height) = (wide(SIZE.0), wide(SIZE.1));
        picture.fill((0.0, 0.0), (24.0, height), self.color);
        let room = width - 2.0 * MARGIN;
        if !self.site.is_empty() {
            picture.fill((MARGIN, 78.0), (MARGIN + 12.0, 114.0), self.color);
            let site = MEDIUM.lines(&self.site, SITE, room - 36.0, 1);
            site.iter().for_each(|line| picture.write(&MEDIUM, line, (MARGIN + 32.0, 108.0), SITE, MUTED));
        }
        let mut fitting =
            TITLES.iter().map(|(size, most)| (BOLD.lines(&self.title, *size, room, *most), *size));
        let is_whole =
            |(lines, _): &(Vec<String>, f32)| !lines.last().is_some_and(|line| line.ends_with('…'));
        let last = || TITLES.last().map(|(size, most)| (BOLD.lines(&self.title, *size, room, *most), *size));
        let (lines, size) = fitting.find(is_whole).or_else(last).unwrap_or_default();
        let about = MEDIUM.lines(&self.about, ABOUT, room, ABOUT_LINES);
        let line_height = size * 1.18;
        let total = wide(lines.len()) * line_height
            + if about.is_empty() { 0.0 } else { 28.0 }
            + wide(about.len()) * ABOUT * 1.4;
        // Centered vertically below the title of the site.
        let mut y = ((height + 90.0 - total) / 2.0).max(150.0) + size * 0.82;
        for line in &lines {
            picture.write(&BOLD, line, (MARGIN, y), size, TEXT);
            y += line_height;
        }
        y += 28.0 - size * 0.82 + ABOUT;
        for line in &about {
            picture.write(&MEDIUM, line, (MARGIN, y), ABOUT, MUTED);
            y += ABOUT * 1.4;
        }
        picture.png()
    }
}

/// Returns a text without symbols that the font lacks. `None` if the font lacks one of its letters.
fn written(text: &str) -> Option<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text: String = text.chars().take(MOST_CHARACTERS).collect();
    let has = |character: char| character == ' ' || BOLD.find(character).is_some();
    if text.chars().any(|character| character.is_alphanumeric() && !has(character)) {
        return None;
    }
    let text: String = text.chars().filter(|character| has(*character)).collect();
    Some(text.trim().to_owned())
}

/// Fonts of one weight, one per script.
struct Letters(Vec<Face>);

/// Font for one script.
struct Face {
    font: FontRef<'static>,
    /// Ratio of an em to the height of a line.
    em: f32,
}

impl Face {
    fn of(file: &'static [u8]) -> Option<Self> {
        let font = FontRef::new(file).ok()?;
        let metrics = font.metrics(Size::unscaled(), LocationRef::default());
        Some(Self { font, em: f32::from(metrics.units_per_em) / (metrics.ascent - metrics.descent) })
    }

    fn size(&self, size: f32) -> Size {
        Size::new(size * self.em)
    }

    fn advance(&self, glyph: GlyphId, size: f32) -> f32 {
        let metrics = self.font.glyph_metrics(self.size(size), LocationRef::default());
        metrics.advance_width(glyph).unwrap_or_default()
    }
}

/// Outline of a letter in a picture, where `y` grows downwards.
struct Outline {
    commands: Vec<Command>,
    left: f32,
    baseline: f32,
}

impl Outline {
    fn at(&self, x: f32, y: f32) -> Vector {
        Vector::new(self.left + x, self.baseline - y)
    }
}

impl OutlinePen for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.commands.push(Command::MoveTo(self.at(x, y)));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.commands.push(Command::LineTo(self.at(x, y)));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.commands.push(Command::QuadTo(self.at(x1, y1), self.at(x, y)));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.commands.push(Command::CurveTo(self.at(x1, y1), self.at(x2, y2), self.at(x, y)));
    }

    fn close(&mut self) {
        self.commands.push(Command::Close);
    }
}

impl Letters {
    fn of<const N: usize>(files: [&'static [u8]; N]) -> Self {
        Self(files.into_iter().filter_map(Face::of).collect())
    }

    /// Returns the font that contains a letter, and the glyph.
    fn find(&self, character: char) -> Option<(&Face, GlyphId)> {
        self.0.iter().find_map(|face| {
            let glyph = face.font.charmap().map(character)?;
            (glyph != GlyphId::NOTDEF).then_some((face, glyph))
        })
    }

    fn width(&self, text: &str, size: f32) -> f32 {
        let advance = |character| {
            let (face, glyph) = self.find(character)?;
            Some(face.advance(glyph, size))
        };
        text.chars().filter_map(advance).sum()
    }

    /// Breaks a text into lines of a maximum width. Text that does not fit ends with an ellipsis.
    fn lines(&self, text: &str, size: f32, room: f32, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            let joined = lines.last().map(|line| format!("{line} {word}"));
            match (joined.filter(|joined| self.width(joined, size) <= room), lines.last_mut()) {
                (Some(joined), Some(line)) => *line = joined,
                _ => lines.push(word.to_owned()),
            }
        }
        let is_cut = lines.len() > most;
        lines.truncate(most);
        for (index, line) in (1..).zip(lines.iter_mut()) {
            let ends = is_cut && index == most;
            if ends || self.width(line, size) > room {
                while !line.is_empty() && self.width(&format!("{line}…"), size) > room {
                    line.pop();
                }
                *line = format!("{}…", line.trim_end());
            }
        }
        lines
    }
}

/// Picture as red, green and blue of each pixel.
struct Picture(Vec<u8>);

impl Picture {
    /// Returns a white picture.
    fn new() -> Self {
        Self(vec![u8::MAX; usize::try_from(SIZE.0 * SIZE.1 * 3).unwrap_or_default()])
    }

    fn fill(&mut self, from: (f32, f32), to: (f32, f32), color: Rgb) {
        for y in whole(from.1)..whole(to.1) {
            for x in whole(from.0)..whole(to.0) {
                self.mix(x, y, color, 1.0);
            }
        }
    }

    /// Blends a color into a pixel within the picture. `part` is the opacity from 0 to 1.
    fn mix(&mut self, x: i64, y: i64, Rgb(red, green, blue): Rgb, part: f32) {
        let (width, height) = (i64::from(SIZE.0), i64::from(SIZE.1));
        if !((0..width).contains(&x) && (0..height).contains(&y)) {
            return;
        }
        let start = usize::try_from((y * width + x) * 3).unwrap_or_default();
        for (pixel, color) in self.0.iter_mut().skip(start).take(3).zip([red, green, blue]) {
            let mixed = f32::from(*pixel) * (1.0 - part) + f32::from(color) * part;
            *pixel = u8::try_from(whole(mixed + 0.5)).unwrap_or(u8::MAX);
        }
    }

    /// Draws a line of text with its baseline at `y`.
    fn write(&mut self, letters: &Letters, line: &str, (x, y): (f32, f32), size: f32, color: Rgb) {
        let mut left = x;
        for character in line.chars() {
            let Some((face, glyph)) = letters.find(character) else { continue };
            self.draw(face, glyph, (left, y), size, color);
            left += face.advance(glyph, size);
        }
    }

    fn draw(&mut self, face: &Face, glyph: GlyphId, (left, baseline): (f32, f32), size: f32, color: Rgb) {
        let mut outline = Outline { commands: Vec::new(), left, baseline };
        let settings = DrawSettings::unhinted(face.size(size), LocationRef::default());
        let drawn = face.font.outline_glyphs().get(glyph).map(|glyph| glyph.draw(settings, &mut outline));
        if !matches!(drawn, Some(Ok(_))) || outline.commands.is_empty() {
            return;
        }
        let (coverage, bounds) = Mask::new(&outline.commands).render();
        let width = usize::try_from(bounds.width).unwrap_or_default().max(1);
        for (row, y) in coverage.chunks(width).zip(i64::from(bounds.top)..) {
            for (part, x) in row.iter().zip(i64::from(bounds.left)..) {
                if *part > 0 {
                    self.mix(x, y, color, f32::from(*part) / 255.0);
                }
            }
        }
    }

    fn png(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, SIZE.0, SIZE.1);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.0)?;
        writer.finish()?;
        Ok(bytes)
    }
}

/// Returns the integer part of a coordinate.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "coordinates are small, and a float converts no other way"
)]
fn whole(value: f32) -> i64 {
    value.floor() as i64
}

/// Converts a small number to a coordinate.
fn wide(value: impl TryInto<u16>) -> f32 {
    f32::from(value.try_into().unwrap_or(u16::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLUE: Rgb = Rgb(52, 81, 178);

    #[test]
    fn cards_are_pictures_of_one_size() {
        let long = "word ".repeat(60);
        for title in ["Install", "Größe ändern", "Установка", "Εγκατάσταση", &long, &"x".repeat(300)]
        {
            let card = Card::new(title, "Ferry", Some(&long), BLUE).unwrap();
            let png = card.png().unwrap();
            let reader = png::Decoder::new(io::Cursor::new(&png)).read_info().unwrap();
            assert_eq!((reader.info().width, reader.info().height), SIZE, "{title}");
            assert!(png.len() < 120_000, "{title}: {}", png.len());
        }
    }

    #[test]
    fn titles_without_letters_are_those_of_the_site() {
        let card = |title: &str, site: &str| Card::new(title, site, None, BLUE).map(|card| card.title);
        assert_eq!(card("安装", "Ferry").as_deref(), Some("Ferry"));
        assert_eq!(card("🚀 Start", "Ferry").as_deref(), Some("Start"));
        assert_eq!(card("🚀", "Ferry").as_deref(), Some("Ferry"));
        assert_eq!(card("Install", "文档"), None);
    }

    #[test]
    fn letters_are_upright_on_their_baseline() {
        let mut picture = Picture::new();
        picture.write(&BOLD, "L", (100.0, 400.0), 300.0, TEXT);
        let is_dark = |x: usize, y: usize| picture.0[(y * 1_200 + x) * 3] < 128;
        assert!(is_dark(135, 300), "stem");
        assert!(is_dark(200, 390), "foot");
        for (x, y) in [(220, 300), (135, 410), (135, 200)] {
            assert!(!is_dark(x, y), "{x} {y}");
        }
    }

    #[test]
    fn lines_fit() {
        let lines = BOLD.lines("one two three four five", 80.0, 400.0, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| BOLD.width(line, 80.0) <= 400.0), "{lines:?}");
        assert!(lines.last().unwrap().ends_with('…'));
    }
}
