//! Structure of sites: sections, section groups and site spaces.

mod change;
pub mod get;
pub mod groups;
mod pages;
pub mod sections;
pub mod site_spaces;
