//! A space in its table, which can be locked, unlike the view that authorizes.

use diesel::dsl;
use diesel::prelude::*;

use crate::schema::spaces;

/// Returns the columns of a [`SpaceRecord`](crate::content::spaces::SpaceRecord), in the order of its fields.
#[dsl::auto_type]
pub(crate) fn space_table_columns() -> _ {
    (
        spaces::id,
        spaces::organization_id,
        spaces::collection_id,
        spaces::position,
        spaces::title,
        spaces::emoji,
        spaces::icon,
        spaces::language,
        spaces::edit_mode,
        spaces::default_level,
        spaces::head_revision,
        spaces::comments_open,
        spaces::change_requests,
        spaces::change_requests_open,
        spaces::change_requests_draft,
        spaces::created_at,
        spaces::updated_at,
        spaces::deleted_at,
        spaces::merge_rules,
        spaces::git_sync,
        (spaces::site_visibility.assume_not_null(), spaces::site_address.assume_not_null()).nullable(),
    )
}
