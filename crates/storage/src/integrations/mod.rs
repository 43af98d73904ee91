//! Integrations: published, found, listed, and installed on organizations, spaces and sites.

mod find;
mod images;
mod installations;
mod on_sites;
mod on_spaces;
mod placed;
mod publish;

pub use find::{IntegrationAt, IntegrationRecord};
pub use images::{Image, StoredImage};
pub use installations::InstallationRecord;
pub use on_sites::SiteInstallationRecord;
pub use on_spaces::SpaceInstallationRecord;
pub use placed::{Installed, PlacedInstallation, Target};
pub use publish::{NewIntegration, Program, Published};
