-- Before, all conditions were CEL and had no prefix.
UPDATE site_sections SET condition = left(regexp_replace(condition, '^cel:', ''), 1024) WHERE condition IS NOT NULL;
UPDATE site_spaces SET condition = left(regexp_replace(condition, '^cel:', ''), 1024) WHERE condition IS NOT NULL;

CREATE FUNCTION pg_temp.unmarked(settings jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_set(settings, '{header,links}', coalesce(jsonb_agg(
        CASE WHEN jsonb_typeof(link -> 'condition') = 'string'
            THEN jsonb_set(link, '{condition}', to_jsonb(regexp_replace(link ->> 'condition', '^cel:', '')))
            ELSE link END
        ORDER BY place), '[]'))
    FROM jsonb_array_elements(settings #> '{header,links}') WITH ORDINALITY AS links (link, place)
$$;
UPDATE sites SET customization = pg_temp.unmarked(customization)
    WHERE jsonb_path_exists(customization, '$.header.links[*].condition');
UPDATE site_spaces SET customization = pg_temp.unmarked(customization)
    WHERE jsonb_path_exists(customization, '$.header.links[*].condition');
DROP FUNCTION pg_temp.unmarked(jsonb);

ALTER TABLE site_sections DROP CONSTRAINT site_sections_condition_check,
    ADD CONSTRAINT site_sections_condition_check CHECK (char_length(condition) BETWEEN 1 AND 1024);
ALTER TABLE site_spaces DROP CONSTRAINT site_spaces_condition_check,
    ADD CONSTRAINT site_spaces_condition_check CHECK (char_length(condition) BETWEEN 1 AND 1024);
