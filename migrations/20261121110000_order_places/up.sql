-- Spaces and collections are listed in the order of their places, and a new place is found between its neighbours. The root is
-- written as the nil id: `IS NOT DISTINCT FROM` reads no index.
CREATE INDEX spaces_order ON spaces (organization_id, coalesce(collection_id, '00000000-0000-0000-0000-000000000000'), position, id);
CREATE INDEX collections_order ON collections (organization_id, coalesce(parent_id, '00000000-0000-0000-0000-000000000000'), position, id);
DROP INDEX spaces_listing;

-- Deleted spaces whose time to be restored is over are found by the clock.
CREATE INDEX spaces_deleted ON spaces (deleted_at, id) WHERE deleted_at IS NOT NULL;
