//! Encoding of numbers in a string: six bits per ASCII character, least significant first. All characters but the last
//! have the seventh bit set.

const BITS: u32 = 6;
const MORE: u8 = 1 << BITS;
/// Maximum number of bits of a number.
const LARGEST: u32 = 30;

/// Appends a number.
pub(super) fn push(number: usize, to: &mut String) {
    let mut rest = number;
    while let Some(more) = std::num::NonZero::new(rest >> BITS) {
        to.push(char::from(low(rest) | MORE));
        rest = more.get();
    }
    to.push(char::from(low(rest)));
}

fn low(number: usize) -> u8 {
    number.to_le_bytes().first().map_or(0, |byte| byte & (MORE - 1))
}

/// Decodes and removes the number at the beginning of bytes; `None` if there is no number.
pub(super) fn take(bytes: &mut &[u8]) -> Option<usize> {
    let mut number = 0;
    for shift in (0..LARGEST).step_by(usize::try_from(BITS).ok()?) {
        let byte = *bytes.split_off_first()?;
        number |= usize::from(byte & (MORE - 1)) << shift;
        if byte < MORE {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{push, take};

    #[test]
    fn numbers_are_read_back() {
        let numbers = [0, 1, 63, 64, 4_095, 4_096, 1_000_000, (1 << 30) - 1];
        let mut text = String::new();
        for number in numbers {
            push(number, &mut text);
        }
        assert_eq!(text.len(), 1 + 1 + 1 + 2 + 2 + 3 + 4 + 5);
        let mut bytes = text.as_bytes();
        assert_eq!(numbers.map(|_| take(&mut bytes)), numbers.map(Some));
        assert_eq!(take(&mut bytes), None);
        assert_eq!(take(&mut [0x7f; 9].as_slice()), None);
    }
}
