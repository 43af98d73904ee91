//! Person whom a provider has identified, as an account is made from it.

use quire_domain::bounds::DISPLAY_NAME_MAX;
use quire_domain::texts::{DisplayName, Email};
use quire_storage::people::oidc::Person;

/// Returns a person with the first part of the name that an account may have. Without a name, it is called by the local
/// part of the address.
pub(crate) fn person(
    subject: String,
    verified_email: Option<String>,
    name: Option<String>,
    has_second_factor: bool,
) -> Person {
    let verified_email = verified_email.and_then(|email| Email::new(email).ok()?.into_text().ok());
    let local_part =
        verified_email.as_deref().and_then(|email| email.split('@').next()).map(ToOwned::to_owned);
    let names = [name, local_part].into_iter().flatten();
    let display_name = names.filter_map(display_name).next().unwrap_or_else(|| "Member".to_owned());
    Person { subject, verified_email, has_second_factor, display_name }
}

/// Returns the start of a name that an account may have.
fn display_name(name: String) -> Option<String> {
    let longest = usize::try_from(DISPLAY_NAME_MAX).unwrap_or(usize::MAX);
    let cut: String = name.trim().chars().filter(|character| !character.is_control()).take(longest).collect();
    DisplayName::new(cut.trim()).ok()?.into_text().ok()
}
