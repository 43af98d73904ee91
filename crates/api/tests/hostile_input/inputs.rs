//! Input generators.

/// Generator of input of any size.
#[derive(Clone, Copy)]
pub enum Input {
    /// Prefix, repeated unit, suffix.
    Repeat(&'static str, &'static str, &'static str),
    /// Repeated opening, content, repeated closing.
    Nested(&'static str, &'static str, &'static str),
    /// Prefix, repeated unit with `{}` replaced by its index, suffix.
    Numbered(&'static str, &'static str, &'static str),
    /// Function of the size, with its maximum size.
    Made(fn(usize) -> Vec<u8>, usize),
}

impl Input {
    /// Returns the smallest size.
    pub fn least(self) -> usize {
        match self {
            Self::Made(_, most) => (most / 64).clamp(1, 64),
            _ => 64,
        }
    }

    /// Returns the largest size.
    pub fn most(self) -> usize {
        match self {
            Self::Made(_, most) => most,
            _ => usize::MAX,
        }
    }

    pub fn of_size(self, size: usize) -> Vec<u8> {
        match self {
            Self::Repeat(before, unit, behind) => {
                format!("{before}{}{behind}", unit.repeat(size)).into_bytes()
            }
            Self::Nested(open, inside, close) => {
                format!("{}{inside}{}", open.repeat(size), close.repeat(size)).into_bytes()
            }
            Self::Numbered(before, unit, behind) => {
                let lines: String = (0..size).map(|number| unit.replace("{}", &number.to_string())).collect();
                format!("{before}{lines}{behind}").into_bytes()
            }
            Self::Made(make, _) => make(size),
        }
    }
}
