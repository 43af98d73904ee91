COMMENT ON COLUMN documents.links IS
    'Links in the order of the document: objects with reference, dependsOn and node.';
