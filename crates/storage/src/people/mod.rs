//! People: users, sign-in methods, organizations with their members, teams and grants, and messages to users.

mod claim_rules;
pub mod first_run;
pub mod inbox;
pub mod invites;
pub mod mails;
pub mod members;
pub mod notifications;
pub mod oidc;
pub mod organizations;
pub mod passkeys;
pub mod passwords;
pub mod permissions;
mod providers;
pub mod saml;
pub mod scim;
pub mod second_factors;
pub mod sign_in_links;
pub mod teams;
pub mod tokens;
pub mod user_sessions;
pub mod users;
