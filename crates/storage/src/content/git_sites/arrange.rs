//! Order of the parts of a site according to its site file.

use quire_domain::ids::{SiteSectionGroupId, SiteSectionId, SiteSpaceId};
use quire_domain::sites::Sibling;

use crate::Result;
use crate::sites::LockedSite;
use crate::transaction::Tx;

impl Tx<'_> {
    /// Puts sections with their groups, and site spaces, into the order of a site file. Parts that are not in the file
    /// keep their places.
    pub(super) fn arrange_site(
        &mut self,
        site: &LockedSite,
        sections: &[(Option<SiteSectionGroupId>, SiteSectionId)],
        spaces: &[SiteSpaceId],
    ) -> Result<()> {
        let (mut top, mut groups): (Vec<Sibling>, Vec<SiteSectionGroupId>) = (Vec::new(), Vec::new());
        let mut is_changed = self.order_site_spaces(site, None, spaces)?;
        for (group, section) in sections {
            match group {
                None => {
                    is_changed |= self.move_out_of_group(site, *section)?;
                    top.push(Sibling::Section(*section));
                }
                // A group is at the position of its first section.
                Some(group) if !groups.contains(group) => {
                    groups.push(*group);
                    top.push(Sibling::Group(*group));
                }
                Some(_) => {}
            }
            is_changed |= self.order_site_spaces(site, Some(*section), spaces)?;
        }
        is_changed |= self.order_top(site, &top)?;
        for group in groups {
            let inside = sections.iter().filter(|(of, _)| *of == Some(group));
            let inside: Vec<SiteSectionId> = inside.map(|(_, section)| *section).collect();
            is_changed |= self.order_sections(site, group, &inside)?;
        }
        if is_changed { self.refresh_site(site) } else { Ok(()) }
    }
}
