COMMENT ON COLUMN documents.links IS
    'An object: links, in the order of the document, with reference, dependsOn, node and condition, the number of the innermost if block; conditions, the if blocks in that order, with expression and parent. In rows of 0.1.0 the links alone.';
