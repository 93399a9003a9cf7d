//! Go to anything: resources, namespaces, objects, actions, views; and what k9s' command line can do.

use std::sync::Arc;

use porthole_client_core::{
    discovery::{Catalog, Resource},
    meta::{GroupResource, Namespace},
};

use super::{
    actions::{ACTIONS, Action, Place, Shown, key_name},
    keys,
    rank::rank,
    resource_label::label,
    session::{Found, Session},
};
use crate::{
    bridge::ToCore,
    route::Route,
    ui::{How, PickItem, PickList},
};

/// How many entries of a section are offered at most.
const MOST: usize = 40;

/// The list.
pub(super) fn list(session: Session) -> PickList {
    let list = PickList::new(
        "Go to anything",
        "A resource, a namespace, an object, an action; or \"po kube-system /dns\"",
        "Enter goes there. A resource may be followed by a namespace, /words and label=value.",
        move |typed| items(session, typed.trim()),
        move |item, _: How| run(session, &item.id),
    );
    let look = move |typed: &str| {
        let text = typed.trim().to_owned();
        session.found.set(Found { text: text.clone(), ..Found::default() });
        if !text.is_empty() {
            session.send(&ToCore::Find { text, everywhere: false });
        }
    };
    PickList { typed: Arc::new(look), ..list }
}

fn items(session: Session, typed: &str) -> Vec<PickItem> {
    let catalog = session.catalog.get();
    let mut found = Vec::new();
    if typed.is_empty() {
        found.extend(places(session));
    }
    if let Some(catalog) = &catalog {
        found.extend(command(session, catalog, typed));
    }
    let mut ranked = |section: &'static str, all: Vec<(String, PickItem)>| {
        let mut all: Vec<_> =
            all.into_iter().filter_map(|(words, item)| Some((rank(&words, typed)?, PickItem { section, ..item }))).collect();
        all.sort_by_key(|(rank, _)| *rank);
        found.extend(all.into_iter().take(MOST).map(|(_, item)| item));
    };
    if !typed.is_empty() {
        ranked(
            "Saved views",
            session.saved.get().into_iter().map(|view| (view.name.clone(), saved(&view.name, &view.hash))).collect(),
        );
    }
    if let Some(catalog) = &catalog {
        ranked("Resources", catalog.resources().filter(|resource| resource.has("list")).map(resource).collect());
    }
    if !typed.is_empty() {
        let names = session.all_namespaces();
        ranked(
            "Namespaces",
            names
                .into_iter()
                .map(|name| (name.to_string(), item(format!("namespace {name}"), name.as_str(), "the rows of this one")))
                .collect(),
        );
        found.extend(objects(session, typed));
    }
    let actions = ACTIONS.iter().filter(|entry| is_offered(session, entry.action, entry.place)).map(|entry| {
        let key = entry.keys.first().copied().map_or("", key_name);
        (entry.title.to_owned(), PickItem { key, ..item(format!("action {}", entry.title), entry.title, "") })
    });
    let mut all: Vec<_> = actions.filter_map(|(words, item)| Some((rank(&words, typed)?, item))).collect();
    all.sort_by_key(|(rank, _)| *rank);
    found.extend(all.into_iter().map(|(_, item)| PickItem { section: "Actions", ..item }));
    found
}

fn item(id: String, title: &str, detail: &str) -> PickItem {
    PickItem { id, title: title.to_owned(), detail: detail.to_owned(), ..PickItem::default() }
}

/// Moving the cursor is nothing for a palette, and neither is opening it.
fn is_offered(session: Session, action: Action, place: Place) -> bool {
    let of_table = session.route.with(|route| route.page.is_none());
    !matches!(action, Action::Move(_) | Action::Page(_) | Action::Extend(_) | Action::Escape | Action::Show(Shown::Palette))
        && (place == Place::Anywhere || of_table)
}

/// Where a person was, and what they saved.
fn places(session: Session) -> Vec<PickItem> {
    let saved = session.saved.get().into_iter().map(|view| PickItem { section: "Saved views", ..saved(&view.name, &view.hash) });
    let here = session.route.with(Route::hash);
    let recent = session.recent.get().into_iter().filter(|hash| *hash != here).take(6);
    saved.chain(recent.map(|hash| PickItem { section: "Recent", ..recent_item(session, &hash) })).collect()
}

fn saved(name: &str, hash: &str) -> PickItem {
    item(format!("go {hash}"), name, &words(hash))
}

fn recent_item(session: Session, hash: &str) -> PickItem {
    let route = Route::parse(hash);
    let title = session.catalog.with(|catalog| {
        let resource = route.resource.as_ref()?;
        Some(catalog.as_ref().and_then(|catalog| catalog.find(resource)).map_or_else(|| resource.to_string(), label))
    });
    item(format!("go {hash}"), title.as_deref().unwrap_or_default(), &words(hash))
}

/// What a route shows beyond its resource.
fn words(hash: &str) -> String {
    let route = Route::parse(hash);
    let mut words: Vec<String> = route.namespaces.iter().map(ToString::to_string).collect();
    words.extend((!route.filter.is_empty()).then_some(route.filter));
    words.extend(route.sort.iter().map(|sort| format!("by {}", sort.column)));
    words.join(" · ")
}

fn resource(resource: &Resource) -> (String, PickItem) {
    let name = resource.group_resource();
    let mut words = [name.resource.as_str(), &resource.kind, &resource.singular, &name.group].join(" ");
    for short in &resource.short_names {
        words.extend([" ", short]);
    }
    for category in &resource.categories {
        words.extend([" ", category]);
    }
    let short = resource.short_names.first().map(|short| format!("{short}  ")).unwrap_or_default();
    (words, item(format!("resource {name}"), &label(resource), &format!("{short}{}", name.group)))
}

/// `po kube-system /dns`, as one types it in k9s: a resource by any of its names, a namespace, and what to look for.
fn command(session: Session, catalog: &Catalog, typed: &str) -> Option<PickItem> {
    let (first, rest) = typed.split_once(' ')?;
    let resource = named(catalog, first)?;
    let mut route = Route { resource: Some(resource.group_resource()), ..Route::default() };
    let known = session.all_namespaces();
    let mut filter: Vec<String> = Vec::new();
    for word in rest.split_whitespace() {
        if let Some(words) = word.strip_prefix('/') {
            filter.push(words.to_owned());
        } else if word.contains('=') {
            filter.push(format!("-l {word}"));
        } else if word == "all" || word == "*" {
            route.namespaces.clear();
        } else if filter.is_empty() || known.iter().any(|name| name.as_str() == word) {
            route.namespaces.extend(word.split(',').filter(|name| !name.is_empty()).map(Namespace::from));
        } else {
            filter.push(word.to_owned());
        }
    }
    route.filter = filter.join(" ");
    let hash = route.hash();
    Some(PickItem { section: "Command", ..item(format!("go {hash}"), &label(resource), &words(&hash)) })
}

/// The resource that a person calls this: by its plural, singular, kind, or a short name; with its group or without.
pub(super) fn named<'a>(catalog: &'a Catalog, name: &str) -> Option<&'a Resource> {
    let name = name.to_ascii_lowercase();
    let wanted = GroupResource::from(name.as_str());
    let can = |resource: &&Resource| resource.has("list");
    catalog.find(&wanted).filter(can).or_else(|| {
        catalog.resources().filter(can).find(|resource| {
            resource.identity.resource == name
                || resource.singular == name
                || resource.kind.eq_ignore_ascii_case(&name)
                || resource.short_names.contains(&name)
        })
    })
}

/// Objects of what is cached, and the offer to ask for others.
fn objects(session: Session, typed: &str) -> Vec<PickItem> {
    let found = session.found.get();
    let catalog = session.catalog.get();
    let mut items: Vec<_> = found
        .objects
        .iter()
        .map(|object| {
            let kind =
                catalog.as_ref().and_then(|catalog| catalog.find(&object.resource)).map_or("", |resource| resource.kind.as_str());
            let place = object.namespace.as_ref().map(|namespace| format!(" in {namespace}")).unwrap_or_default();
            let namespace = object.namespace.as_ref().map(Namespace::as_str).unwrap_or_default();
            let id = format!("object {} {namespace} {}", object.resource, object.name);
            PickItem { section: "Objects", ..item(id, &object.name, &format!("{kind}{place}")) }
        })
        .collect();
    let ask = match found.left {
        None => Some(format!("\"{typed}\", in all kinds that are not shown")),
        Some(0) => None,
        Some(left) => Some(format!("… {left} kinds are still to be asked")),
    };
    items.extend(
        ask.map(|title| PickItem { section: "Objects", ..item("find".to_owned(), &title, "asks the server for this very name") }),
    );
    items
}

/// Does what the entry says.
fn run(session: Session, id: &str) {
    let (what, rest) = id.split_once(' ').unwrap_or((id, ""));
    if what == "find" {
        session.found.update(|found| found.left = Some(0));
        let text = session.found.with_untracked(|found| found.text.clone());
        session.send(&ToCore::Find { text, everywhere: true });
        return;
    }
    session.close_dialog();
    match what {
        "go" => session.open_hash(rest),
        "resource" => session.open(rest.into()),
        "namespace" => session.choose_namespaces(vec![rest.into()]),
        "object" => {
            let mut parts = rest.splitn(3, ' ');
            let (resource, namespace, name) = (parts.next(), parts.next(), parts.next());
            let (Some(resource), Some(name)) = (resource, name) else { return };
            session.go(|route| {
                *route = Route {
                    resource: Some(resource.into()),
                    namespaces: namespace.filter(|namespace| !namespace.is_empty()).map(Namespace::from).into_iter().collect(),
                    filter: format!("-f metadata.name={name}"),
                    ..Route::default()
                };
            });
        }
        "action" => {
            if let Some(entry) = ACTIONS.iter().find(|entry| entry.title == rest) {
                keys::run(session, entry.action);
            }
        }
        _ => {}
    }
}
