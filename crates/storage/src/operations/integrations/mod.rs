//! Integrations: publication, lookups, lists, and installation on organizations, spaces and sites.

mod images;
mod installations;
mod publish;
mod queries;
mod scoped;
mod site_installations;
mod space_installations;

pub use images::{Image, StoredImage};
pub use installations::InstallationRecord;
pub use publish::{Program, Published};
pub use queries::{IntegrationAt, IntegrationRecord};
pub use scoped::{Installed, ScopedInstallation, Target};
pub use site_installations::SiteInstallationRecord;
pub use space_installations::SpaceInstallationRecord;
