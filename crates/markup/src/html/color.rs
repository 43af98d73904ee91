//! Mapping of colors to the color names of documents.

/// Returns the name of a text color. Colors near black, white or grey are the default.
pub(crate) fn of_text(value: &str) -> &'static str {
    parse(value).map_or("default", |rgb| name(rgb, 0.35))
}

/// Returns the name of a background color. Colors near white or grey are the default.
pub(crate) fn of_background(value: &str) -> &'static str {
    parse(value).map_or("default", |rgb| name(rgb, 0.2))
}

/// Returns a name by hue for colors with at least `least` chroma, from 0 to 1.
fn name((red, green, blue): (u8, u8, u8), least: f64) -> &'static str {
    let [red, green, blue] = [red, green, blue].map(|part| f64::from(part) / 255.0);
    let (max, min) = (red.max(green).max(blue), red.min(green).min(blue));
    let chroma = max - min;
    // Light tints have little chroma and still look colored as backgrounds.
    let colored = chroma >= least || (least < 0.3 && max > 0.9 && chroma >= 0.06);
    if !colored {
        return "default";
    }
    let sector = if max == red {
        ((green - blue) / chroma).rem_euclid(6.0)
    } else if max == green {
        (blue - red) / chroma + 2.0
    } else {
        (red - green) / chroma + 4.0
    };
    match sector * 60.0 {
        hue if !(15.0..345.0).contains(&hue) => "red",
        hue if hue < 42.0 => "orange",
        hue if hue < 70.0 => "yellow",
        hue if hue < 170.0 => "green",
        hue if hue < 255.0 => "blue",
        hue if hue < 300.0 => "purple",
        _ => "pink",
    }
}

/// Parses `#rgb`, `#rrggbb`, `rgb(…)` and common names.
fn parse(value: &str) -> Option<(u8, u8, u8)> {
    let value = value.trim();
    if let Some(hex) = value.strip_prefix('#') {
        return of_hex(hex);
    }
    if let Some(inner) =
        value.split_once('(').filter(|(kind, _)| kind.starts_with("rgb")).map(|(_, inner)| inner)
    {
        let inner = inner.trim_end_matches(')');
        let mut parts = inner.split([',', ' ', '/']).filter(|part| !part.is_empty());
        let mut part = || parts.next()?.trim().parse::<f64>().ok();
        let (red, green, blue) = (part()?, part()?, part()?);
        let opacity = part().unwrap_or(1.0);
        return (opacity > 0.05).then(|| (byte(red), byte(green), byte(blue)));
    }
    // In `yellow none repeat`, the first word is the color.
    let word = value.split_ascii_whitespace().next()?;
    NAMES.iter().find(|(known, _)| *known == word).and_then(|(_, hex)| of_hex(hex))
}

/// Rounds a number to a byte.
fn byte(number: f64) -> u8 {
    (0..=u8::MAX).rev().find(|byte| f64::from(*byte) <= number).unwrap_or(0)
}

/// Parses three or six hexadecimal digits; ignores an opacity after them.
pub(crate) fn of_hex(hex: &str) -> Option<(u8, u8, u8)> {
    let digit = |at: usize, length: usize| u8::from_str_radix(hex.get(at..at + length)?, 16).ok();
    match hex.len() {
        3 | 4 => Some((digit(0, 1)? * 17, digit(1, 1)? * 17, digit(2, 1)? * 17)),
        6 | 8 => Some((digit(0, 2)?, digit(2, 2)?, digit(4, 2)?)),
        _ => None,
    }
}

/// Common color names, and the sixteen highlighter colors of office programs.
const NAMES: [(&str, &str); 38] = [
    ("red", "ff0000"),
    ("darkred", "8b0000"),
    ("crimson", "dc143c"),
    ("firebrick", "b22222"),
    ("maroon", "800000"),
    ("brown", "a52a2a"),
    ("tomato", "ff6347"),
    ("orange", "ffa500"),
    ("darkorange", "ff8c00"),
    ("coral", "ff7f50"),
    ("gold", "ffd700"),
    ("yellow", "ffff00"),
    ("darkyellow", "808000"),
    ("khaki", "f0e68c"),
    ("olive", "808000"),
    ("lime", "00ff00"),
    ("green", "008000"),
    ("darkgreen", "006400"),
    ("lightgreen", "90ee90"),
    ("limegreen", "32cd32"),
    ("seagreen", "2e8b57"),
    ("teal", "008080"),
    ("cyan", "00ffff"),
    ("darkcyan", "008b8b"),
    ("aqua", "00ffff"),
    ("blue", "0000ff"),
    ("darkblue", "00008b"),
    ("navy", "000080"),
    ("lightblue", "add8e6"),
    ("skyblue", "87ceeb"),
    ("steelblue", "4682b4"),
    ("royalblue", "4169e1"),
    ("purple", "800080"),
    ("darkmagenta", "8b008b"),
    ("indigo", "4b0082"),
    ("violet", "ee82ee"),
    ("magenta", "ff00ff"),
    ("pink", "ffc0cb"),
];
