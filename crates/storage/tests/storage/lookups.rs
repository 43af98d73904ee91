//! Authorized lookups: visible records, hidden records reported as absent, and refusals.

use quire_domain::Role;
use quire_domain::ids::{ChangeRequestId, CollectionId, OrganizationId, SiteId, SpaceId, TeamId};
use quire_domain::policy::Action;
use quire_domain::sites::{SiteType, SiteVisibility};
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::store::ContentSelector;
use quire_storage::lookup::{ContentKey, Credentials, SpaceKey};
use quire_storage::sites::published::{FoundSite, ShareKeyHash, SiteAddress, SiteKey};
use quire_storage::sites::{HostnameProof, HostnameRules};
use quire_storage::{Error, Reader, Result};
use quire_test_support::{TestStore, TestUser};

/// One resource of each kind with a lookup.
struct World {
    store: TestStore,
    admin: TestUser,
    space: SpaceId,
    change_request: ChangeRequestId,
    collection: CollectionId,
    team: TeamId,
    site: SiteId,
}

/// Lookup of one resource, or with `false` of a missing one.
type Look = Box<dyn Fn(&mut Reader<'_>, bool, Action) -> Result<()>>;

fn look(look: impl Fn(&mut Reader<'_>, bool, Action) -> Result<()> + 'static) -> Look {
    Box::new(look)
}

impl World {
    fn new() -> Self {
        let store = TestStore::new();
        let admin = store.as_role(Role::Admin);
        let space = store.create_space(&admin.credentials, "Guide");
        let change_request = store.create_change_request(&admin.credentials, space);
        let collection = store.collection(store.organization);
        let made = store.storage().transact(&admin.credentials, |tx| {
            let organization =
                tx.organization(store.organization)?.authorize(Action::AdministerOrganization)?;
            let team = tx.create_team(&organization, "Writers", &[])?.unwrap();
            let visibility = SiteVisibility::Public;
            let site = tx.create_site(&organization, SiteType::Basic, "Docs", "docs", visibility)?;
            Ok::<_, Error>((team, site))
        });
        let (team, site) = made.unwrap();
        Self { store, admin, space, change_request, collection, team, site }
    }

    /// Returns each lookup with the action that shows its resource, and an action that only administrators may do.
    fn lookups(&self) -> Vec<(&'static str, Action, Action, Look)> {
        let Self { space, change_request, collection, team, site, .. } = *self;
        let organization = self.store.organization;
        let key = move |known: bool| ChangeRequestKey::Id(if known { change_request } else { absent() });
        vec![
            (
                "organization",
                Action::ViewOrganization,
                Action::AdministerOrganization,
                look(move |reader, known, action| {
                    let id = if known { organization } else { absent::<OrganizationId>() };
                    reader.organization(id)?.authorize(action).map(drop)
                }),
            ),
            (
                "space",
                Action::ViewSpace,
                Action::AdministerSpace,
                Box::new(move |reader: &mut Reader<'_>, known, action| {
                    reader.space(if known { space } else { absent() })?.authorize(action).map(drop)
                }),
            ),
            (
                "content",
                Action::ViewSpace,
                Action::EditContent,
                Box::new(move |reader: &mut Reader<'_>, known, action| {
                    let space = if known { space } else { absent() };
                    reader.content(space, ContentSelector::Space)?.authorize(action).map(drop)
                }),
            ),
            (
                "content in its narrow form",
                Action::ViewSpace,
                Action::EditContent,
                Box::new(move |reader: &mut Reader<'_>, known, action| {
                    let space = if known { space } else { absent() };
                    reader.content_head(space, ContentSelector::Space)?.authorize(action).map(drop)
                }),
            ),
            (
                "change request",
                Action::ViewSpace,
                Action::MergeChangeRequest,
                Box::new(move |reader: &mut Reader<'_>, known, action| {
                    reader.change_request(space, key(known))?.authorize(action).map(drop)
                }),
            ),
            (
                "collection",
                Action::ViewCollection,
                Action::AdministerCollection,
                Box::new(move |reader: &mut Reader<'_>, known, action| {
                    let id = if known { collection } else { absent() };
                    reader.collection(id)?.authorize(action).map(drop)
                }),
            ),
            (
                "team",
                Action::ListTeams,
                Action::ManageTeam,
                Box::new(move |reader: &mut Reader<'_>, known, action| {
                    reader
                        .team(organization, if known { team } else { absent() })?
                        .authorize(action)
                        .map(drop)
                }),
            ),
            (
                "site",
                Action::ViewOrganizationContent,
                Action::ManageSites,
                Box::new(move |reader: &mut Reader<'_>, known, action| {
                    reader
                        .site(organization, if known { site } else { absent() })?
                        .authorize(action)
                        .map(drop)
                }),
            ),
        ]
    }

    fn look(&self, credentials: &Credentials, look: &Look, known: bool, action: Action) -> Result<()> {
        self.store.storage().read(credentials, |reader| look(reader, known, action))
    }
}

/// Returns an id that no resource has.
fn absent<T: std::str::FromStr<Err: std::fmt::Debug>>() -> T {
    "0190a5d2-7c1e-7000-8000-000000000001".parse().unwrap()
}

#[test]
fn administrators_reach_each_resource_and_readers_see_but_do_not_change_it() {
    let world = World::new();
    let reader = world.store.as_role(Role::Read);
    for (name, view, change, look) in world.lookups() {
        for action in [view, change] {
            let found = world.look(&world.admin.credentials, &look, true, action);
            assert!(found.is_ok(), "{name}: {found:?}");
        }
        let seen = world.look(&reader.credentials, &look, true, view);
        assert!(seen.is_ok(), "{name}: {seen:?}");
        let refused = world.look(&reader.credentials, &look, true, change);
        assert!(
            matches!(refused, Err(Error::Forbidden { action }) if action == change),
            "{name}: {refused:?}"
        );
    }
}

#[test]
fn a_hidden_resource_is_like_an_absent_one() {
    let world = World::new();
    let elsewhere = world.store.create_organization("Elsewhere");
    let strangers = [world.store.stranger(), world.store.member_of(elsewhere, Some(Role::Admin))];
    for (name, view, change, look) in world.lookups() {
        for (stranger, known) in
            strangers.iter().zip([true, false]).chain(strangers.iter().zip([false, true]))
        {
            for action in [view, change] {
                let hidden = world.look(&stranger.credentials, &look, known, action);
                assert!(matches!(hidden, Err(Error::NotFound)), "{name}: {hidden:?}");
            }
        }
        let absent = world.look(&world.admin.credentials, &look, false, view);
        assert!(matches!(absent, Err(Error::NotFound)), "{name}: {absent:?}");
    }
}

#[test]
fn an_invalid_token_is_refused_before_the_resource_is_looked_for() {
    let world = World::new();
    let unknown = Credentials::from_token(&format!("qr_{}", "a".repeat(43))).unwrap();
    for credentials in [Credentials::ANONYMOUS, unknown] {
        for (name, view, _, look) in world.lookups() {
            for known in [true, false] {
                let refused = world.look(&credentials, &look, known, view);
                assert!(matches!(refused, Err(Error::Unauthenticated)), "{name}: {refused:?}");
            }
        }
    }
}

#[test]
fn a_token_that_only_reads_changes_nothing_of_its_administrator() {
    let world = World::new();
    let weak = world.store.read_only(world.admin.id);
    for (name, view, change, look) in world.lookups() {
        assert!(world.look(&weak.credentials, &look, true, view).is_ok(), "{name}");
        let refused = world.look(&weak.credentials, &look, true, change);
        assert!(matches!(refused, Err(Error::Forbidden { .. })), "{name}: {refused:?}");
    }
}

#[test]
fn a_guest_sees_what_is_granted_and_nothing_else() {
    let world = World::new();
    let guest = world.store.member_of(world.store.organization, None);
    let look = |action| {
        world.store.storage().read(&guest.credentials, |reader| {
            reader.space(world.space)?.authorize(action).map(|space| space.role())
        })
    };
    assert!(matches!(look(Action::ViewSpace), Err(Error::NotFound)));
    world.store.grant(guest.id, &world.space.to_string(), Role::Edit);
    assert_eq!(look(Action::EditContent).unwrap(), Some(Role::Edit));
    assert!(matches!(look(Action::AdministerSpace), Err(Error::Forbidden { .. })));
    let other = world.store.create_space(&world.admin.credentials, "Other");
    let hidden = world
        .store
        .storage()
        .read(&guest.credentials, |reader| reader.space(other)?.authorize(Action::ViewSpace).map(drop));
    assert!(matches!(hidden, Err(Error::NotFound)));
}

#[test]
fn a_change_request_is_found_in_its_own_space_only() {
    let world = World::new();
    let other = world.store.create_space(&world.admin.credentials, "Other");
    for key in [ChangeRequestKey::Id(world.change_request), ChangeRequestKey::Number(1)] {
        let look = |space| {
            world.store.storage().read(&world.admin.credentials, |reader| {
                Ok(reader.change_request(space, key)?.authorize(Action::ViewSpace)?.item.id)
            })
        };
        assert_eq!(look(world.space).ok(), Some(world.change_request));
        let elsewhere: Result<_> = look(other);
        assert!(matches!(elsewhere, Err(Error::NotFound)), "{key:?}");
    }
}

#[test]
fn a_batch_finds_what_each_token_would_alone() {
    let world = World::new();
    let (store, space) = (&world.store, world.space);
    let other = store.create_space(&world.admin.credentials, "Other");
    let expired = Credentials::from_token(&format!("qr_{}", "x".repeat(43))).unwrap();
    let [admin, reader, stranger] =
        [world.admin.clone(), store.as_role(Role::Read), store.stranger()].map(|user| user.credentials);
    let keys = [
        (admin, space),
        (reader, other),
        (stranger, space),
        (expired, space),
        (admin, absent()),
        (admin, space),
    ];
    let heads = keys.map(|(credentials, space)| ContentKey { credentials, space, revision: None });
    let spaces = keys.map(|(credentials, space)| SpaceKey { credentials, space });
    let (heads, spaces) = store
        .storage()
        .read(&Credentials::ANONYMOUS, |reader| {
            Ok::<_, Error>((reader.content_heads(&heads)?, reader.spaces_in_batch(&spaces)?))
        })
        .unwrap();
    let found_heads = heads.into_iter().map(|found| {
        found.map(|found| {
            assert_eq!(found.tenant.organization, store.organization);
            (found.actor.user, found.found.authorize(Action::ViewSpace).map(|head| head.space))
        })
    });
    let found_spaces = spaces.into_iter().map(|found| {
        found.map(|found| (found.actor.user, found.found.authorize(Action::ViewSpace).map(|space| space.id)))
    });
    let shown = found_heads.zip(found_spaces).map(|(head, space)| {
        let head = head.map(|(user, result)| (user, result.ok()));
        assert_eq!(head, space.map(|(user, result)| (user, result.ok())));
        head.map(|(_, space)| space)
    });
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [Some(Some(space)), Some(Some(other)), Some(None), None, None, Some(Some(space))]
    );
}

#[test]
fn a_batch_notes_the_use_of_each_token_once() {
    let world = World::new();
    let (admin, space) = (world.admin.credentials, world.space);
    let keys = [ContentKey { credentials: admin, space, revision: None }; 3];
    world.store.execute("UPDATE api_tokens SET last_used_at = NULL");
    let look = |reader: &mut Reader<'_>| reader.content_heads(&keys).map(|found| found.len());
    let count = || {
        let before = world.store.storage().statements().get();
        assert_eq!(world.store.storage().read(&Credentials::ANONYMOUS, look).unwrap(), 3);
        world.store.storage().statements().get() - before
    };
    // Statements of the lookup, and once the use of the token, in a transaction that does not wait for a standby.
    assert_eq!([count(), count()], [3, 1]);
}

#[test]
fn the_narrow_form_of_content_is_that_of_the_wide_one() {
    let world = World::new();
    let (space, change_request) = (world.space, world.change_request);
    let (revision, _) = world.store.edit(&world.admin.credentials, space, ContentSelector::Space, |edit| {
        edit.page(None, "Start", "Hello.")
    });
    let selectors = [
        ContentSelector::Space,
        ContentSelector::Revision(revision),
        ContentSelector::ChangeRequest(ChangeRequestKey::Id(change_request)),
        ContentSelector::ChangeRequest(ChangeRequestKey::Number(1)),
    ];
    for selector in selectors {
        let same = world.store.storage().read(&world.admin.credentials, |reader| {
            let wide = reader.content(space, selector)?.authorize(Action::ViewSpace)?;
            let narrow = reader.content_head(space, selector)?.authorize(Action::ViewSpace)?;
            assert_eq!((narrow.revision, narrow.root), (wide.revision.id, wide.revision.root));
            assert_eq!(narrow.change_request, wide.change_request.as_ref().map(|found| found.name()));
            Ok::<_, Error>((narrow.specs() == wide.specs(), narrow.role() == wide.role()))
        });
        assert_eq!(same.unwrap(), (true, true), "{selector:?}");
    }
}

#[test]
fn only_a_lookup_for_pages_reads_the_settings_of_site_spaces() {
    let World { store, admin, space, site, .. } = World::new();
    let overrides = serde_json::Map::from_iter([("title".to_owned(), "Manual".into())]);
    let placed = store.storage().transact(&admin.credentials, |tx| {
        let site = tx.site(store.organization, site)?.authorize(Action::ManageSites)?;
        let site = tx.lock_site(site)?;
        let space = tx.space(space)?.authorize(Action::AdministerSpace)?;
        let id = tx.add_site_space(&site, &space, None, "guide", false)?;
        tx.put_site_space_customization(&site, id, Some(overrides.clone()))?;
        tx.publish_site(site, true).map(drop)
    });
    assert!(matches!(placed, Ok::<(), Error>(())));
    let address = SiteAddress::Id(store.organization, site);
    let settings =
        |found: Option<FoundSite>| found.unwrap().open(false).unwrap().spaces[0].customization.clone();
    let read = store.storage().read(&Credentials::ANONYMOUS, |reader| {
        let of_pages = settings(reader.find_site(&SiteKey { address: address.clone(), share_key: None })?);
        Ok::<_, Error>((of_pages, settings(reader.find_site_structure(&address, None)?)))
    });
    assert_eq!(read.unwrap(), (Some(overrides), None));
}

#[test]
fn sites_that_are_looked_up_together_are_those_of_their_own_keys() {
    let World { store, admin, site: docs, .. } = World::new();
    let made = store.storage().transact(&admin.credentials, |tx| {
        let organization = tx.organization(store.organization)?.authorize(Action::AdministerOrganization)?;
        let (kind, visibility) = (SiteType::Basic, SiteVisibility::ShareLink);
        let handbook = tx.create_site(&organization, kind, "Handbook", "handbook", visibility)?;
        let locked = tx.site(store.organization, handbook)?.authorize(Action::ManageSites)?;
        let locked = tx.lock_site(locked)?;
        let key = tx.create_share_link(&locked, None)?.key;
        tx.publish_site(locked, true)?;
        let locked = tx.site(store.organization, docs)?.authorize(Action::ManageSites)?;
        let locked = tx.lock_site(locked)?;
        let proof = HostnameProof { rules: &HostnameRules::default(), by_dns: &[] };
        let addresses = serde_json::json!({
            "hostname": "docs.example.com", "basename": "docs", "proxy": "www.example.com/manual",
        });
        let locked = tx.update_site(locked, serde_json::from_value(addresses).unwrap(), &proof)?;
        tx.publish_site(locked, true)?;
        Ok::<_, Error>((handbook, key))
    });
    let (handbook, key) = made.unwrap();
    let host = |name: &str| SiteAddress::Host(name.to_owned());
    let path = |name: &str| SiteAddress::Path(store.organization.to_string(), name.to_owned());
    let by_id = SiteAddress::Id(store.organization, handbook);
    let proxied = |origin: &str| SiteAddress::Proxied("www.example.com".to_owned(), vec![origin.to_owned()]);
    let keyed =
        |address: SiteAddress, key: Option<&str>| SiteKey { address, share_key: key.map(ShareKeyHash::of) };
    let cases = [
        (keyed(by_id.clone(), Some(&key)), Some(handbook)),
        (keyed(host("docs.example.com"), None), Some(docs)),
        (keyed(host("www.example.com"), None), None),
        (keyed(proxied("www.example.com/manual"), None), Some(docs)),
        (keyed(proxied("www.example.com/other"), None), None),
        (keyed(path("docs"), None), Some(docs)),
        (keyed(host("docs.example.com"), None), Some(docs)),
        (keyed(by_id, Some("another key")), None),
        (keyed(path("docs"), Some(&key)), Some(docs)),
        (keyed(path(&handbook.to_string()), Some(&key)), Some(handbook)),
        (keyed(path("nothing"), None), None),
    ];
    let read = |keys: &[SiteKey]| {
        let found = store.storage().read(&Credentials::ANONYMOUS, |reader| reader.find_sites(keys)).unwrap();
        let opened = found.into_iter().map(|found| found?.open(false));
        opened.map(|site| site.map(|site| (site.site.id, site.has_key))).collect::<Vec<_>>()
    };
    let keys: Vec<SiteKey> = cases.iter().map(|(key, _)| key.clone()).collect();
    let expected: Vec<_> = cases.iter().map(|(_, id)| id.map(|id| (id, id == handbook))).collect();
    assert_eq!(read(&keys), expected);
    let alone: Vec<_> = keys.iter().flat_map(|key| read(std::slice::from_ref(key))).collect();
    assert_eq!(alone, expected);
}
