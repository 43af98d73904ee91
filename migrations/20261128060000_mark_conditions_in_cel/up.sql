-- Conditions are JavaScript from now on. Those stored before are CEL and keep their meaning with this prefix.
ALTER TABLE site_sections DROP CONSTRAINT site_sections_condition_check,
    ADD CONSTRAINT site_sections_condition_check CHECK (char_length(condition) BETWEEN 1 AND 1028);
ALTER TABLE site_spaces DROP CONSTRAINT site_spaces_condition_check,
    ADD CONSTRAINT site_spaces_condition_check CHECK (char_length(condition) BETWEEN 1 AND 1028);

UPDATE site_sections SET condition = 'cel:' || condition WHERE condition IS NOT NULL;
UPDATE site_spaces SET condition = 'cel:' || condition WHERE condition IS NOT NULL;

-- The conditions of links in headers.
CREATE FUNCTION pg_temp.marked(settings jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_set(settings, '{header,links}', coalesce(jsonb_agg(
        CASE WHEN jsonb_typeof(link -> 'condition') = 'string'
            THEN jsonb_set(link, '{condition}', to_jsonb('cel:' || (link ->> 'condition')))
            ELSE link END
        ORDER BY place), '[]'))
    FROM jsonb_array_elements(settings #> '{header,links}') WITH ORDINALITY AS links (link, place)
$$;
UPDATE sites SET customization = pg_temp.marked(customization)
    WHERE jsonb_path_exists(customization, '$.header.links[*].condition');
UPDATE site_spaces SET customization = pg_temp.marked(customization)
    WHERE jsonb_path_exists(customization, '$.header.links[*].condition');
DROP FUNCTION pg_temp.marked(jsonb);
