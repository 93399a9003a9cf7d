//! Objects by name: those of the caches at once; others by asking for them, kind by kind.

use futures::{StreamExt as _, stream};
use porthole_client_core::{
    clients::TableClient,
    discovery::Resource,
    meta::{GroupResource, Namespace},
    rest::{ListOptions, ResourcePath},
};

use super::server::Core;
use crate::bridge::{FoundObject, ToPage};

/// How many objects of the caches are told at most.
const MOST: usize = 60;
/// How many kinds are asked at once: connections are a budget.
const AT_ONCE: usize = 2;
/// How many objects of one name a kind is asked for at most.
const MOST_OF_KIND: u32 = 50;

impl Core {
    /// Tells a tab of the objects whose names hold `text`; with `everywhere` also of those of exactly this name that no cache has.
    pub(super) fn find(&self, tab: u32, text: String, everywhere: bool) {
        if !everywhere {
            let objects = self.find_cached(&text);
            self.tell(tab, &ToPage::Found { text, objects, left: None });
            return;
        }
        let cached: Vec<GroupResource> = self
            .0
            .streams
            .borrow()
            .iter()
            .filter(|stream| stream.key.is_whole())
            .map(|stream| stream.key.resource.group_resource())
            .collect();
        let wanted: Vec<Resource> = self.0.catalog.borrow().as_ref().map_or_else(Vec::new, |catalog| {
            let can = |resource: &&Resource| resource.has("list") && !cached.contains(&resource.group_resource());
            catalog.resources().filter(can).cloned().collect()
        });
        let core = self.clone();
        self.0.platform.spawn(Box::pin(async move {
            let mut left = u32::try_from(wanted.len()).unwrap_or(u32::MAX);
            let asked: Vec<_> = wanted.iter().map(|resource| core.ask_by_name(resource, &text)).collect();
            let mut answers = stream::iter(asked).buffer_unordered(AT_ONCE);
            while let Some(objects) = answers.next().await {
                left -= 1;
                core.tell(tab, &ToPage::Found { text: text.clone(), objects, left: Some(left) });
            }
        }));
    }

    fn find_cached(&self, text: &str) -> Vec<FoundObject> {
        let text = text.to_ascii_lowercase();
        let mut found = Vec::new();
        for stream in self.0.streams.borrow().iter() {
            let resource = stream.key.resource.group_resource();
            stream.informer.read(|state| {
                for (_, row) in state.rows.iter_unsorted().filter(|(_, row)| row.name.as_str().contains(&text)) {
                    let object =
                        FoundObject { resource: resource.clone(), namespace: row.namespace.clone(), name: row.name.to_string() };
                    if !found.contains(&object) {
                        found.push(object);
                    }
                    if found.len() >= MOST {
                        break;
                    }
                }
            });
        }
        found
    }

    /// The objects of this name. A kind that may not be listed, or does not answer, has none to tell of.
    async fn ask_by_name(&self, resource: &Resource, name: &str) -> Vec<FoundObject> {
        let Ok(path) = ResourcePath::collection(&resource.identity, None) else { return Vec::new() };
        let options = ListOptions {
            field_selector: Some(format!("metadata.name={name}")),
            limit: Some(MOST_OF_KIND),
            ..ListOptions::default()
        };
        let Ok(list) = TableClient::new(self.0.client.clone(), path).list(&options).await else { return Vec::new() };
        let object =
            |namespace: Option<Namespace>| FoundObject { resource: resource.group_resource(), namespace, name: name.to_owned() };
        list.rows.into_iter().map(|row| object(row.namespace)).collect()
    }
}
