//! Integrations: published, found, listed, and installed on organizations and spaces.

mod find;
mod images;
mod installations;
mod on_spaces;
mod publish;

pub use find::{IntegrationAt, IntegrationRecord};
pub use images::{Image, StoredImage};
pub use installations::{InstallationChanges, InstallationRecord};
pub use on_spaces::SpaceInstallationRecord;
pub use publish::{NewIntegration, Program, Published};
