//! What stands on sites: sections, site spaces, groups of sections.

mod change;
pub mod groups;
mod pages;
pub mod sections;
pub mod site_spaces;
