-- First position after another among the spaces and collections of one parent.
-- $1 organization, $2 parent (nil for the root), $3 space or collection to leave out, $4 other position.
SELECT least(
    (SELECT min(position)
       FROM spaces
      WHERE organization_id = $1 AND coalesce(collection_id, '00000000-0000-0000-0000-000000000000') = $2
        AND id <> $3 AND position > $4),
    (SELECT min(position)
       FROM collections
      WHERE organization_id = $1 AND coalesce(parent_id, '00000000-0000-0000-0000-000000000000') = $2
        AND id <> $3 AND position > $4))
