//! Documents that describe the service (RFC 7643, 5 to 7).

use serde_json::{Map, Value, json};

/// URN of users.
pub const USER_SCHEMA: &str = "urn:ietf:params:scim:schemas:core:2.0:User";
/// URN of groups.
pub const GROUP_SCHEMA: &str = "urn:ietf:params:scim:schemas:core:2.0:Group";
/// URN of lists.
pub const LIST_SCHEMA: &str = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

/// Resource type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Users: members of the organization.
    User,
    /// Groups: teams of the organization.
    Group,
}

impl Kind {
    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "User",
            Self::Group => "Group",
        }
    }

    /// Returns the path below the address of the service.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::User => "Users",
            Self::Group => "Groups",
        }
    }

    /// Returns the URN.
    #[must_use]
    pub const fn schema(self) -> &'static str {
        match self {
            Self::User => USER_SCHEMA,
            Self::Group => GROUP_SCHEMA,
        }
    }

    /// Returns the attributes that only the server changes.
    pub(super) const fn read_only(self) -> &'static [&'static str] {
        match self {
            Self::User => &["id", "meta", "schemas", "groups"],
            Self::Group => &["id", "meta", "schemas"],
        }
    }

    /// Returns the attributes that resources have.
    #[must_use]
    pub const fn attributes(self) -> &'static [&'static str] {
        match self {
            Self::User => &[
                "id",
                "meta",
                "schemas",
                "externalId",
                "userName",
                "name",
                "displayName",
                "active",
                "emails",
                "groups",
            ],
            Self::Group => &["id", "meta", "schemas", "externalId", "displayName", "members"],
        }
    }

    /// Returns the attributes with several values.
    pub(super) const fn lists(self) -> &'static [&'static str] {
        match self {
            Self::User => &["emails"],
            Self::Group => &["members"],
        }
    }
}

/// Returns the configuration of the service at an address.
#[must_use]
pub fn service_provider_configuration(base: &str) -> Value {
    json!({
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
        "documentationUri": "https://datatracker.ietf.org/doc/html/rfc7644",
        "patch": {"supported": true},
        "bulk": {"supported": false, "maxOperations": 0, "maxPayloadSize": 0},
        "filter": {"supported": true, "maxResults": crate::bounds::SCIM_PAGE_MAX},
        "changePassword": {"supported": false},
        "sort": {"supported": false},
        "etag": {"supported": false},
        "authenticationSchemes": [{
            "type": "oauthbearertoken",
            "name": "Bearer token",
            "description": "The SCIM token of the organization, in the Authorization header.",
            "specUri": "https://datatracker.ietf.org/doc/html/rfc6750",
            "primary": true,
        }],
        "meta": {"resourceType": "ServiceProviderConfig", "location": format!("{base}/ServiceProviderConfig")},
    })
}

/// Returns the resource types of the service at an address.
#[must_use]
pub fn resource_types(base: &str) -> Vec<Value> {
    let describe = |kind: Kind, description: &str| {
        json!({
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
            "id": kind.name(),
            "name": kind.name(),
            "endpoint": format!("/{}", kind.path()),
            "description": description,
            "schema": kind.schema(),
            "meta": {"resourceType": "ResourceType", "location": format!("{base}/ResourceTypes/{}", kind.name())},
        })
    };
    vec![
        describe(Kind::User, "Members of the organization"),
        describe(Kind::Group, "Teams of the organization"),
    ]
}

/// Returns the schemas of the service at an address.
#[must_use]
pub fn schemas(base: &str) -> Vec<Value> {
    let describe = |kind: Kind, description: &str, attributes: Value| {
        json!({
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
            "id": kind.schema(),
            "name": kind.name(),
            "description": description,
            "attributes": attributes,
            "meta": {"resourceType": "Schema", "location": format!("{base}/Schemas/{}", kind.schema())},
        })
    };
    vec![
        describe(Kind::User, "User account", user_attributes()),
        describe(Kind::Group, "Group", group_attributes()),
    ]
}

fn user_attributes() -> Value {
    let text = |name, description| Attribute::new(name, "string", description);
    json!([
        Attribute {
            is_required: true,
            uniqueness: "server",
            ..text("userName", "Name at the identity provider")
        }
        .json(),
        text("name", "Parts of the name")
            .with(&[text("givenName", "Given name"), text("familyName", "Family name")]),
        text("displayName", "Name that others see").json(),
        Attribute::new("active", "boolean", "Whether the user has access").json(),
        Attribute {
            is_list: true,
            ..text("emails", "E-mail addresses; the primary one is that of the account")
        }
        .with(&[
            text("value", "Address"),
            text("type", "Label, such as work"),
            Attribute::new("primary", "boolean", "Whether it is the address of the account"),
        ]),
        Attribute { is_list: true, mutability: "readOnly", ..text("groups", "Teams of the user") }.with(&[
            text("value", "Id of the team").read_only(),
            text("display", "Title of the team").read_only(),
            Attribute { references: &["Group"], ..Attribute::new("$ref", "reference", "URL of the team") }
                .read_only(),
        ]),
    ])
}

fn group_attributes() -> Value {
    let text = |name, description| Attribute::new(name, "string", description);
    json!([
        Attribute { is_required: true, ..text("displayName", "Title of the team, at most 64 characters") }
            .json(),
        Attribute { is_list: true, ..text("members", "Members") }.with(&[
            Attribute { mutability: "immutable", ..text("value", "Id of the user") },
            Attribute {
                references: &["User"],
                mutability: "immutable",
                ..Attribute::new("$ref", "reference", "URL of the user")
            },
        ]),
    ])
}

/// Attribute of a schema.
#[derive(Clone, Copy)]
struct Attribute {
    name: &'static str,
    kind: &'static str,
    description: &'static str,
    is_list: bool,
    is_required: bool,
    mutability: &'static str,
    uniqueness: &'static str,
    references: &'static [&'static str],
}

impl Attribute {
    const fn new(name: &'static str, kind: &'static str, description: &'static str) -> Self {
        Self {
            name,
            kind,
            description,
            is_list: false,
            is_required: false,
            mutability: "readWrite",
            uniqueness: "none",
            references: &[],
        }
    }

    const fn read_only(self) -> Self {
        Self { mutability: "readOnly", ..self }
    }

    fn json(self) -> Value {
        Value::Object(self.written())
    }

    fn written(self) -> Map<String, Value> {
        let mut written = Map::from_iter([
            ("name".to_owned(), json!(self.name)),
            ("type".to_owned(), json!(self.kind)),
            ("multiValued".to_owned(), json!(self.is_list)),
            ("description".to_owned(), json!(self.description)),
            ("required".to_owned(), json!(self.is_required)),
            ("caseExact".to_owned(), json!(false)),
            ("mutability".to_owned(), json!(self.mutability)),
            ("returned".to_owned(), json!("default")),
            ("uniqueness".to_owned(), json!(self.uniqueness)),
        ]);
        if !self.references.is_empty() {
            written.insert("referenceTypes".to_owned(), json!(self.references));
        }
        written
    }

    /// Writes a complex attribute with its parts.
    fn with(self, parts: &[Self]) -> Value {
        let mut written = Self { kind: "complex", ..self }.written();
        written.insert("subAttributes".to_owned(), parts.iter().map(|part| part.json()).collect());
        Value::Object(written)
    }
}
