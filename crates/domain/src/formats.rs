//! Formats of texts: slugs, icons, emojis, domains and e-mail addresses.

use crate::features::ValidationError;
use crate::text::{Text, count, error, path_segment};
use crate::texts;

/// Checks an emoji: one that Unicode knows, as itself or by the hexadecimal code points that it is made of, joined with `-`.
///
/// # Errors
/// A [`ValidationError`] that says which of it doesn't hold.
#[cfg(feature = "validation")]
pub fn emoji(value: &(impl Text + ?Sized)) -> Result<(), ValidationError> {
    let Some(text) = value.text() else { return Ok(()) };
    texts::Emoji::check(text)?;
    let point = |digits: &str| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
    let by_code = || text.split('-').map(point).collect::<Option<String>>();
    let is_known = |emoji: &str| emojis::get(emoji).is_some();
    if is_known(text) || by_code().is_some_and(|emoji| is_known(&emoji)) {
        return Ok(());
    }
    Err(error("emoji", "must be one emoji"))
}

/// Checks the name of an icon: lowercase letters and digits, with `-` between them.
///
/// # Errors
/// A [`ValidationError`] that says which of it doesn't hold.
pub fn icon(value: &(impl Text + ?Sized)) -> Result<(), ValidationError> {
    let Some(text) = value.text() else { return Ok(()) };
    texts::Icon::check(text)?;
    if is_label(text) {
        return Ok(());
    }
    Err(error("icon", "must consist of lowercase letters, digits and `-`"))
}

/// Checks each of a list of emojis, and that there are at most `MAX`.
///
/// # Errors
/// A [`ValidationError`] for the first that isn't one.
#[cfg(feature = "validation")]
pub fn emojis<const MAX: u64>(values: &[String]) -> Result<(), ValidationError> {
    count::<0, MAX, _>(values)?;
    values.iter().try_for_each(emoji)
}

/// Checks the slug of a page: 1 to [`SLUG_MAX`](crate::bounds::SLUG_MAX) lowercase letters and digits of any script, `-`, `.` or `_`,
/// and neither `.` nor `..`, which a path can't hold.
///
/// # Errors
/// A [`ValidationError`] that says which of it doesn't hold.
pub fn slug(value: &(impl Text + ?Sized)) -> Result<(), ValidationError> {
    let Some(text) = value.text() else { return Ok(()) };
    texts::PageSlug::check(text)?;
    let allowed = |c: char| (c.is_alphanumeric() && !c.is_uppercase()) || "-._".contains(c);
    if !text.chars().all(allowed) {
        return Err(error("slug", "must consist of lowercase letters, digits and `-._`"));
    }
    path_segment(text)
}

/// Checks a label below the service's domain: 3 to 32 lowercase letters, digits and `-`, which doesn't stand at an end.
///
/// # Errors
/// A [`ValidationError`] that says which of it doesn't hold.
pub fn subdomain(value: &(impl Text + ?Sized)) -> Result<(), ValidationError> {
    let Some(text) = value.text() else { return Ok(()) };
    texts::SubdomainLabel::check(text)?;
    if is_label(text) {
        return Ok(());
    }
    Err(error("subdomain", "must consist of lowercase letters and digits, with `-` only between them"))
}

/// Checks a domain of e-mail addresses: two labels or more.
///
/// # Errors
/// A [`ValidationError`] that says which of it doesn't hold.
pub fn email_domain(value: &(impl Text + ?Sized)) -> Result<(), ValidationError> {
    let Some(text) = value.text() else { return Ok(()) };
    texts::EmailDomain::check(text)?;
    let lower = text.to_lowercase();
    let label = |label: &str| label.len() <= 63 && is_label(label);
    if lower.contains('.') && lower.split('.').all(label) {
        return Ok(());
    }
    Err(error("domain", "must be a domain such as example.com"))
}

/// Checks each of a list of domains of e-mail addresses.
///
/// # Errors
/// A [`ValidationError`] for the first that isn't one, or when there are too many.
pub fn email_domains(values: &[String]) -> Result<(), ValidationError> {
    count::<0, { crate::bounds::EMAIL_DOMAINS_MAX }, _>(values)?;
    values.iter().try_for_each(email_domain)
}

/// Checks an e-mail address. Whether mail arrives only sending it can tell; this finds slips.
///
/// # Errors
/// A [`ValidationError`] that says which of it doesn't hold.
pub fn email(value: &(impl Text + ?Sized)) -> Result<(), ValidationError> {
    let Some(text) = value.text() else { return Ok(()) };
    texts::Email::check(text)?;
    let odd = |c: char| c.is_whitespace() || c.is_control();
    let is_plausible = text.split_once('@').is_some_and(|(local, domain)| {
        let bounded = !local.is_empty() && !domain.is_empty() && !domain.contains('@');
        bounded && !text.contains(odd) && !domain.starts_with('.') && !domain.ends_with('.')
    });
    if is_plausible {
        return Ok(());
    }
    Err(error("email", "must be an e-mail address such as ada@example.com"))
}

/// A label of a domain name: lowercase letters, digits and `-`, which doesn't stand at an end.
fn is_label(text: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    !text.is_empty() && text.bytes().all(allowed) && !text.starts_with('-') && !text.ends_with('-')
}
