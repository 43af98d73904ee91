//! Detection of passwords that are easy to guess.

use zxcvbn::{Score, zxcvbn};

/// Number of characters that are estimated. The work grows with the square of the length, and longer passwords are not
/// among the common ones.
const ESTIMATED: usize = 64;

/// Returns whether a password is common or close to a common one, a simple sequence, or made of `own_words`: the e-mail
/// address and the name of the person. There are no rules about kinds of characters.
#[must_use]
pub fn is_guessable(password: &str, own_words: &[&str]) -> bool {
    let estimated: String = password.chars().take(ESTIMATED).collect();
    let words: Vec<&str> = own_words
        .iter()
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric()).chain([*text]))
        .filter(|word| !word.is_empty())
        .collect();
    // 10^6 guesses take hours within the rate limits.
    zxcvbn(&estimated, &words).score() < Score::Two
}

#[cfg(test)]
mod tests {
    use super::is_guessable;

    #[test]
    fn common_passwords_and_own_words_are_refused() {
        let own = ["ada.lovelace@example.com", "Ada Lovelace"];
        for password in [
            "password123",
            "1234567890",
            "qwertyuiop",
            "aaaaaaaaaaaa",
            "adalovelace",
            "P@ssw0rd!!",
            "Lovelace1815",
        ] {
            assert!(is_guessable(password, &own), "{password}");
        }
        for password in ["correct horse battery", "ferry lantern quilt", "vK3-mop-Zug-tal"] {
            assert!(!is_guessable(password, &own), "{password}");
        }
    }

    #[test]
    fn long_passwords_take_bounded_work() {
        assert!(is_guessable(&"a".repeat(10_000), &[]));
        let _ = is_guessable(&"añ🚢 ".repeat(10_000), &[&"x ".repeat(1_000)]);
    }
}
