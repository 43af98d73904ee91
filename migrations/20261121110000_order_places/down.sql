DROP INDEX spaces_deleted;
CREATE INDEX spaces_listing ON spaces (organization_id, id) WHERE deleted_at IS NULL;
DROP INDEX collections_order;
DROP INDEX spaces_order;
