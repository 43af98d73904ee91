//! Schema of overrides: the schema of the settings, with keys that may be absent or null.

use std::borrow::Cow;

use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::{ANNOUNCEMENT, Customization, CustomizationOverrides, GROUPS, OF_SITE};

type Named = Vec<(String, RefOr<Schema>)>;

const DESCRIPTION: &str = "\
Request body to override the customization of a site for a site space. Absent keys leave their values unchanged,
`null` removes an override. Defaults that are named here are those of the site. A title without `localizedTitle` also
replaces the titles of the site in other languages. The announcement is removed only by deleting all overrides.";
const OF_GROUP: &str =
    "Overrides of settings. Absent keys leave their values unchanged, `null` removes an override.";

impl PartialSchema for CustomizationOverrides {
    fn schema() -> RefOr<Schema> {
        overrides(Customization::schema(), DESCRIPTION, &mut Vec::new())
    }
}

impl ToSchema for CustomizationOverrides {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("CustomizationOverrides")
    }

    fn schemas(schemas: &mut Named) {
        let mut groups = Vec::new();
        overrides(Customization::schema(), DESCRIPTION, &mut groups);
        Customization::schemas(schemas);
        while let Some((name, settings)) = groups.pop() {
            let Some(settings) = find(schemas, &settings) else { continue };
            let mut schema = overrides(settings, OF_GROUP, &mut groups);
            if let RefOr::T(Schema::Object(object)) = &mut schema {
                let group = GROUPS.iter().find(|group| group.name == name);
                object.required.extend(group.and_then(|group| group.required).map(str::to_owned));
            }
            schemas.push((name, schema));
        }
    }
}

/// Returns the schema that a reference refers to.
fn find(schemas: &Named, reference: &RefOr<Schema>) -> Option<RefOr<Schema>> {
    let RefOr::Ref(reference) = reference else { return None };
    let name = reference.ref_location.rsplit('/').next()?;
    schemas.iter().find(|(other, _)| other == name).map(|(_, schema)| schema.clone())
}

/// Returns the schema of the overrides of settings. Adds the schemas of its groups to `groups` and refers to them.
fn overrides(settings: RefOr<Schema>, description: &str, groups: &mut Named) -> RefOr<Schema> {
    let RefOr::T(Schema::Object(mut object)) = settings else { return settings };
    object.description = Some(description.to_owned());
    object.required.clear();
    object.properties.retain(|key, _| !OF_SITE.contains(&key.as_str()));
    for (key, property) in &mut object.properties {
        let setting = std::mem::take(property);
        *property = match reference(&setting) {
            Some(mut settings) => match GROUPS.iter().find(|group| group.key == key) {
                Some(group) => {
                    let mut overrides = Ref::from_schema_name(group.name);
                    overrides.description.clone_from(&settings.description);
                    groups.push((group.name.to_owned(), settings.into()));
                    overrides.into()
                }
                None => {
                    settings.default = None;
                    settings.into()
                }
            },
            None => setting,
        };
        if key != ANNOUNCEMENT {
            *property = nullable(std::mem::take(property));
        }
    }
    object.into()
}

/// Returns the reference of a property. A property with a default is a union of the reference and a schema with the
/// default.
fn reference(property: &RefOr<Schema>) -> Option<Ref> {
    match property {
        RefOr::Ref(reference) => Some(reference.clone()),
        RefOr::T(Schema::AllOf(both)) => both.items.iter().find_map(reference),
        RefOr::T(_) => None,
    }
}

/// Returns the schema of an override, which may be null.
fn nullable(setting: RefOr<Schema>) -> RefOr<Schema> {
    let with_null = |kind: SchemaType| match kind {
        SchemaType::Type(kind) => SchemaType::from_iter([kind, Type::Null]),
        kind => kind,
    };
    match setting {
        RefOr::T(Schema::Object(mut value)) => {
            value.schema_type = with_null(value.schema_type);
            value.default = None;
            value.into()
        }
        RefOr::T(Schema::Array(mut list)) => {
            list.schema_type = with_null(list.schema_type);
            list.default = None;
            list.into()
        }
        reference => {
            OneOfBuilder::new().item(reference).item(ObjectBuilder::new().schema_type(Type::Null)).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    #[test]
    fn listed_keys_are_those_of_settings_and_each_group_has_a_schema() {
        let mut schemas = Vec::new();
        CustomizationOverrides::schemas(&mut schemas);
        schemas.push(("Customization".to_owned(), Customization::schema()));
        let mut keys = BTreeSet::new();
        for (_, schema) in &schemas {
            let schema = serde_json::to_value(schema).unwrap();
            let properties = schema.get("properties").and_then(Value::as_object).cloned();
            keys.extend(properties.into_iter().flatten().map(|(key, _)| key));
        }
        for key in GROUPS.iter().map(|group| group.key).chain(OF_SITE).chain([ANNOUNCEMENT]) {
            assert!(keys.contains(key), "{key}");
        }
        for group in &GROUPS {
            let schema = schemas.iter().find(|(name, _)| name == group.name);
            let schema = serde_json::to_value(&schema.unwrap().1).unwrap();
            assert_eq!(schema["required"].get(0).and_then(Value::as_str), group.required, "{}", group.key);
        }
    }
}
