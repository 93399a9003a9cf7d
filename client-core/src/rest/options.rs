//! What each verb can be asked for: `metav1`'s `ListOptions`, `GetOptions`, `CreateOptions`, `UpdateOptions` and
//! `PatchOptions`, as query parameters.

use std::time::Duration;

use super::{Query, QueryOptions};
use crate::meta::ResourceVersion;

/// How a list takes its resource version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResourceVersionMatch {
    /// The answer is of just this version.
    Exact,
    /// The answer is of this version or a newer one.
    NotOlderThan,
}

impl ResourceVersionMatch {
    /// The word the server takes.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "Exact",
            Self::NotOlderThan => "NotOlderThan",
        }
    }
}

/// Which objects of a collection, and how. The default is all of them, as they are now.
///
/// ```
/// use porthole_client_core::rest::{ListOptions, Query, QueryOptions as _};
///
/// let mut query = Query::default();
/// ListOptions { label_selector: Some("app=web".into()), limit: Some(500), ..ListOptions::default() }.add_to(&mut query);
/// assert_eq!(query.on("/api/v1/pods"), "/api/v1/pods?pretty=false&labelSelector=app%3Dweb&limit=500");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ListOptions {
    /// A label selector, as kubectl's `-l` takes it; [`LabelSelector`](crate::selector::LabelSelector) prints one.
    pub label_selector: Option<String>,
    /// A field selector; [`FieldSelector`](crate::selector::FieldSelector) prints one.
    pub field_selector: Option<String>,
    /// Of a list: the version the answer shall have, as `resource_version_match` says; `None` for the newest and `"0"`
    /// for any. Of a watch: where to go on from; `None` for a consistent start.
    pub resource_version: Option<ResourceVersion>,
    /// What `resource_version` means for a list.
    pub resource_version_match: Option<ResourceVersionMatch>,
    /// The most items of a page; `None` for all.
    pub limit: Option<u32>,
    /// The token of the page before.
    pub continue_token: Option<String>,
    /// When the server shall end the watch; whole seconds. For a list or the deletion of a collection by one of the
    /// [`clients`](crate::clients) it is how long the request may take.
    pub timeout: Option<Duration>,
    /// Whether a watch may bring bookmarks: versions to go on from, when nothing changed.
    pub allow_watch_bookmarks: bool,
    /// Whether a watch brings what there is first, and then a bookmark that says so. The server wants
    /// [`NotOlderThan`](ResourceVersionMatch::NotOlderThan) and bookmarks with it.
    pub send_initial_events: Option<bool>,
}

impl QueryOptions for ListOptions {
    fn add_to(&self, query: &mut Query) {
        query.add_some("labelSelector", self.label_selector.as_deref());
        query.add_some("fieldSelector", self.field_selector.as_deref());
        query.add_some("resourceVersion", self.resource_version.as_ref().map(ResourceVersion::as_str));
        query.add_some("resourceVersionMatch", self.resource_version_match.map(ResourceVersionMatch::as_str));
        query.add_some("limit", self.limit.map(|limit| limit.to_string()));
        query.add_some("continue", self.continue_token.as_deref());
        query.add_some("timeoutSeconds", self.timeout.map(|timeout| timeout.as_secs().to_string()));
        query.add_flag("allowWatchBookmarks", self.allow_watch_bookmarks);
        query.add_some("sendInitialEvents", self.send_initial_events.map(|send| send.to_string()));
    }
}

impl ListOptions {
    /// The default, as a constant: a borrow of it outlives whatever it is handed to.
    pub const DEFAULT: Self = Self {
        label_selector: None,
        field_selector: None,
        resource_version: None,
        resource_version_match: None,
        limit: None,
        continue_token: None,
        timeout: None,
        allow_watch_bookmarks: false,
        send_initial_events: None,
    };
}

/// How one object is read (`metav1.GetOptions`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct GetOptions {
    /// The version the answer must not be older than; `None` for the newest, `"0"` for any.
    pub resource_version: Option<ResourceVersion>,
}

impl GetOptions {
    /// The default, as a constant: a borrow of it outlives whatever it is handed to, such as one of many gets that are made first
    /// and awaited together.
    pub const DEFAULT: Self = Self { resource_version: None };
}

impl QueryOptions for GetOptions {
    fn add_to(&self, query: &mut Query) {
        query.add_some("resourceVersion", self.resource_version.as_ref().map(ResourceVersion::as_str));
    }
}

/// What the server does about fields it does not know, and fields that are there twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldValidation {
    /// It drops them without a word.
    Ignore,
    /// It drops them and sends a Warning: the server's default.
    Warn,
    /// It refuses the object.
    Strict,
}

impl FieldValidation {
    /// The word the server takes.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ignore => "Ignore",
            Self::Warn => "Warn",
            Self::Strict => "Strict",
        }
    }
}

/// How an object is created or updated: `metav1` `CreateOptions` and `UpdateOptions`, which are alike.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct WriteOptions {
    /// Whether the server does all but store the object.
    pub dry_run: bool,
    /// Who owns the fields; the server takes the user agent's first word where it is `None`.
    pub field_manager: Option<String>,
    /// What the server does about fields it does not know.
    pub field_validation: Option<FieldValidation>,
}

impl WriteOptions {
    /// The default, as a constant: a borrow of it outlives whatever it is handed to.
    pub const DEFAULT: Self = Self { dry_run: false, field_manager: None, field_validation: None };

    /// The default, as this owner of fields.
    #[must_use]
    pub fn by(field_manager: impl Into<String>) -> Self {
        Self { field_manager: Some(field_manager.into()), ..Self::DEFAULT }
    }
}

impl QueryOptions for WriteOptions {
    fn add_to(&self, query: &mut Query) {
        query.add_some("dryRun", self.dry_run.then_some("All"));
        query.add_some("fieldManager", self.field_manager.as_deref());
        query.add_some("fieldValidation", self.field_validation.map(FieldValidation::as_str));
    }
}

/// How an object is patched: all that [`WriteOptions`] has, and `force`.
///
/// ```
/// use porthole_client_core::rest::{PatchOptions, Query, QueryOptions as _};
///
/// let mut query = Query::default();
/// PatchOptions::by("shop-controller").forced().add_to(&mut query);
/// assert_eq!(query.on("/path"), "/path?pretty=false&fieldManager=shop-controller&force=true");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PatchOptions {
    /// What every write has. An apply needs a field manager.
    pub write: WriteOptions,
    /// Whether an apply takes fields from other managers. The server refuses it for other patches.
    pub force: Option<bool>,
}

impl PatchOptions {
    /// The default, as a constant: a borrow of it outlives whatever it is handed to.
    pub const DEFAULT: Self = Self { write: WriteOptions::DEFAULT, force: None };

    /// The default, as this owner of fields: what an apply needs at least.
    #[must_use]
    pub fn by(field_manager: impl Into<String>) -> Self {
        Self { write: WriteOptions::by(field_manager), force: None }
    }

    /// The same, taking fields from other managers: for an apply.
    #[must_use]
    pub fn forced(self) -> Self {
        Self { force: Some(true), ..self }
    }
}

impl QueryOptions for PatchOptions {
    fn add_to(&self, query: &mut Query) {
        self.write.add_to(query);
        query.add_some("force", self.force.map(|force| force.to_string()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn query(options: &impl QueryOptions) -> String {
        let mut query = Query::default();
        options.add_to(&mut query);
        query.on("")
    }

    #[test]
    fn options_that_are_not_set_add_nothing() {
        for text in [
            query(&ListOptions::default()),
            query(&GetOptions::default()),
            query(&WriteOptions::default()),
            query(&PatchOptions::default()),
        ] {
            assert_eq!(text, "?pretty=false");
        }
    }

    #[test]
    fn every_option_of_a_list_has_its_parameter() {
        let options = ListOptions {
            label_selector: Some("a".into()),
            field_selector: Some("b".into()),
            resource_version: Some("7".into()),
            resource_version_match: Some(ResourceVersionMatch::Exact),
            limit: Some(5),
            continue_token: Some("c".into()),
            timeout: Some(Duration::from_millis(61_900)),
            allow_watch_bookmarks: true,
            send_initial_events: Some(false),
        };
        assert_eq!(
            query(&options),
            "?pretty=false&labelSelector=a&fieldSelector=b&resourceVersion=7&resourceVersionMatch=Exact&limit=5&continue=c\
             &timeoutSeconds=61&allowWatchBookmarks=true&sendInitialEvents=false"
        );
    }

    #[test]
    fn a_patch_can_be_asked_for_all_that_an_update_can() {
        let write = WriteOptions {
            dry_run: true,
            field_manager: Some("porthole".into()),
            field_validation: Some(FieldValidation::Strict),
        };
        let update = query(&write);
        assert_eq!(update, "?pretty=false&dryRun=All&fieldManager=porthole&fieldValidation=Strict");
        assert_eq!(query(&PatchOptions { write, force: Some(true) }), format!("{update}&force=true"));
    }
}
