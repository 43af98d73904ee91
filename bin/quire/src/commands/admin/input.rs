//! Checks of the input of commands.

use quire_domain::Role;
use quire_domain::bounds::TOKEN_LABEL_MAX;
use quire_domain::direction::is_direction_control;
use quire_domain::texts::{Email, EmailDomain};

/// Bounds of the column `organizations.title`.
const TITLE: std::ops::RangeInclusive<usize> = 2..=255;
const NAME_MAX: usize = 100;

/// Parses an e-mail address. Only its syntax is checked.
pub fn email(text: &str) -> Result<String, String> {
    let address = Email::new(text).and_then(Email::into_text);
    address.map_err(|_| "it is not an e-mail address such as ada@example.com".to_owned())
}

/// Parses a person's name.
pub fn name(text: &str) -> Result<String, String> {
    bounded(text, 1..=NAME_MAX)
}

/// Parses an organization's title.
pub fn title(text: &str) -> Result<String, String> {
    bounded(text, TITLE)
}

/// Parses a percentage.
pub fn per_cent(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=100.0).contains(share));
    share.ok_or_else(|| "it is not a number from 0 to 100".to_owned())
}

/// Parses a token's label.
pub fn label(text: &str) -> Result<String, String> {
    bounded(text, 1..=usize::try_from(TOKEN_LABEL_MAX).unwrap_or(usize::MAX))
}

/// Parses a member's role; `guest` means no role.
pub fn role(text: &str) -> Result<Membership, String> {
    if text == "guest" {
        return Ok(Membership(None));
    }
    Role::ALL.into_iter().find(|role| role.as_str() == text).map(|role| Membership(Some(role))).ok_or_else(
        || {
            let names: Vec<&str> = Role::ALL.iter().map(|role| role.as_str()).collect();
            format!("it must be guest or one of {}", names.join(", "))
        },
    )
}

/// Parses a value of one of the API's enumerations, by its wire name.
pub fn word<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_value(text.into()).map_err(|error| error.to_string())
}

/// Parses a host name: at least two labels of letters, digits and `-`.
pub fn hostname(text: &str) -> Result<String, String> {
    let name = EmailDomain::new(text).and_then(EmailDomain::into_text);
    name.map_err(|_| "it is not a hostname such as docs.example.com".to_owned())
}

/// Default role of a member in an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Membership(pub Option<Role>);

fn bounded(text: &str, bounds: std::ops::RangeInclusive<usize>) -> Result<String, String> {
    let text = text.trim();
    let length = text.chars().count();
    if text.contains(char::is_control) {
        return Err("it must not contain control characters".to_owned());
    }
    if text.contains(is_direction_control) {
        return Err("it must not contain characters that change the text direction".to_owned());
    }
    if !bounds.contains(&length) {
        return Err(format!("it must have {} to {} characters, has {length}", bounds.start(), bounds.end()));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_in_addresses_are_found() {
        for text in ["ada@example.com", "a.b+c@mail.localhost", "ädä@exämple.org"] {
            assert!(email(text).is_ok(), "{text}");
        }
        for text in [
            "",
            "ada",
            "ada@",
            "@example.com",
            "a da@example.com",
            "a@b@c",
            "ada@.com",
            "ada@example.",
            "a@b.c\n",
            "a@b",
        ] {
            assert!(email(text).is_err(), "{text}");
        }
    }

    #[test]
    fn texts_are_trimmed_and_bounded() {
        assert_eq!(title(" Acme ").as_deref(), Ok("Acme"));
        assert!(title("A").unwrap_err().contains("2 to 255 characters, has 1"));
        assert!(name("a\u{202E}b").is_err());
        assert!(name("").is_err() && name("\u{0}x").is_err() && name(&"x".repeat(101)).is_err());
        assert!(label(&"x".repeat(50)).is_ok() && label(&"x".repeat(51)).is_err());
    }

    #[test]
    fn words_and_hostnames_are_checked() {
        use quire_domain::organizations::{Plan, TrialStatus};
        assert_eq!(word::<Plan>("pro_2024"), Ok(Plan::Pro2024));
        assert_eq!(word::<TrialStatus>("notapplicable"), Ok(TrialStatus::NotApplicable));
        assert!(word::<Plan>("gold").unwrap_err().contains("unknown variant"));
        assert_eq!(hostname("Docs.Example.com").as_deref(), Ok("docs.example.com"));
        assert!(hostname("docs").is_err() && hostname("a b.example").is_err());
    }

    #[test]
    fn roles_go_by_their_names_on_the_wire() {
        assert_eq!(role("review"), Ok(Membership(Some(Role::Review))));
        assert_eq!(role("guest"), Ok(Membership(None)));
        assert!(role("owner").unwrap_err().contains("guest or one of read, comment"));
    }
}
