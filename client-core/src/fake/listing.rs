//! Lists: at which version, which objects, and how many of them (apiserver `storage/etcd3/store.go`,
//! `apis/meta/internalversion/validation`).

use std::sync::Arc;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};

use super::{
    query::Target,
    resource::ResourceDefinition,
    state::{Place, State, meta, meta_field},
    write::cause,
};
use crate::{
    json::Value,
    meta::{Cause, GroupKind, ListMeta, Status, StatusReason},
    selector::{FieldSelector, LabelSelector},
};

/// The objects that are asked for.
#[derive(Clone, Debug)]
pub(super) struct Selection {
    labels: LabelSelector,
    fields: FieldSelector,
}

impl Selection {
    pub(super) fn of(target: &Target, definition: &ResourceDefinition) -> Result<Self, Status> {
        let labels: LabelSelector =
            target.parameter("labelSelector").parse().map_err(|error| Status::bad_request(format!("{error}")))?;
        let fields: FieldSelector =
            target.parameter("fieldSelector").parse().map_err(|error| Status::bad_request(format!("{error}")))?;
        for requirement in fields.requirements().unwrap_or_default() {
            let field = requirement.field();
            if !matches!(field, "metadata.name" | "metadata.namespace")
                && !definition.selectable_fields.iter().any(|own| own == field)
            {
                let message = if definition.custom {
                    format!("field label not supported: {field}")
                } else {
                    format!("{field:?} is not a known field selector: only \"metadata.name\", \"metadata.namespace\"")
                };
                return Err(Status::bad_request(message));
            }
        }
        Ok(Self { labels, fields })
    }

    pub(super) fn matches(&self, object: &Value) -> bool {
        let labels = meta_field(object, "labels");
        let label = |key: &str| labels.and_then(|labels| labels.field(key)).and_then(Value::as_str);
        let field = |path: &str| {
            let names: Vec<&str> = path.split('.').collect();
            object.nested(&names).ok().flatten().and_then(Value::as_str)
        };
        self.labels.matches_with(label) && self.fields.matches_with(field)
    }

    fn is_everything(&self) -> bool {
        self.labels.is_everything() && self.fields.is_everything()
    }
}

/// A page of a list.
pub(super) struct Listed {
    pub(super) meta: ListMeta,
    pub(super) objects: Vec<Arc<Value>>,
}

/// What a list is made from.
struct Read {
    /// The version that the list says it is of.
    version: u64,
    /// The version whose objects it has.
    state: u64,
    /// Where it begins.
    start: String,
}

/// What a continue token holds, in the form that the server gives it.
#[derive(Serialize, Deserialize)]
struct Token {
    v: String,
    rv: i64,
    start: String,
}

const TOO_OLD: &str = "The resourceVersion for the provided list is too old.";
const INCONSISTENT: &str = "The provided continue parameter is too old to display a consistent list result. You can start a new \
list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. \
Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the \
time the first chunk was returned and now may show up in the list.";

impl State {
    /// Lists a collection.
    pub(super) fn list(&mut self, place: &Place, target: &Target) -> Result<Listed, Status> {
        let faults = list_faults(target);
        if !faults.is_empty() {
            return Err(invalid_options(faults));
        }
        let definition = self.definition(place)?;
        let selection = Selection::of(target, definition)?;
        let is_in_one_place = !definition.namespaced || !place.namespace.is_empty();
        // One object that is named is asked for alone, unless a list is continued.
        let alone = is_in_one_place
            && target.parameter("continue").is_empty()
            && selection.fields.requires_exact_match("metadata.name").is_some();
        let watch_cache = definition.watch_cache;
        let Read { version, state, start } = self.read(place, target, alone)?;
        let asked = target.parameter("resourceVersion");
        let mut limit = target.parameter("limit").parse::<usize>().unwrap_or_default();
        // What comes from a cache, however old, comes whole.
        if asked == "0" && watch_cache {
            limit = 0;
        }
        let prefix = place.prefix();
        let all = self.history.at(state, place.resource, &prefix);
        let start = format!("{prefix}{}", start.trim_start_matches('/'));
        let mut rest = all.range(start..);
        let mut objects = Vec::new();
        let mut last = "";
        for (key, object) in rest.by_ref() {
            last = key;
            if selection.matches(object) && (place.name.is_empty() || meta(object, "name") == place.name) {
                objects.push(Arc::clone(object));
            }
            if limit > 0 && objects.len() == limit {
                break;
            }
        }
        let mut meta = ListMeta { resource_version: version.to_string().into(), ..ListMeta::default() };
        // Whether what is left is selected is not looked at.
        let left = if alone { 0 } else { rest.count() };
        if left > 0 {
            meta.continue_token = write_token(version, format!("/{}\u{0}", last.strip_prefix(&prefix).unwrap_or_default()));
            meta.remaining_item_count = selection.is_everything().then(|| i64::try_from(left).unwrap_or(i64::MAX));
        }
        Ok(Listed { meta, objects })
    }

    /// From which state a list is read, and by whom: the storage, or the watch cache of the resource, which tells how far it
    /// has come itself (apiserver `storage/cacher/delegator`). `alone`: one object by its name.
    fn read(&mut self, place: &Place, target: &Target, alone: bool) -> Result<Read, Status> {
        let watch_cache = self.definition(place)?.watch_cache;
        if !watch_cache {
            self.history.catch_up(place.resource);
        }
        let current = self.history.version();
        let asked = target.parameter("resourceVersion");
        let token = target.parameter("continue");
        if !token.is_empty() {
            if !asked.is_empty() && asked != "0" {
                return Err(Status::bad_request("specifying resource version is not allowed when using continue"));
            }
            let token = read_token(token)?;
            // A token that was given in place of one that had expired asks for what is there now.
            let Ok(version) = u64::try_from(token.rv) else {
                return Ok(Read { version: self.history.catch_up(place.resource), state: current, start: token.start });
            };
            if version < self.history.compacted() {
                return Err(inconsistent(&token.start));
            }
            if version > current {
                return Err(too_large(version, current, u32::from(watch_cache)));
            }
            self.history.wait_for(place.resource, version);
            return Ok(Read { version, state: version, start: token.start });
        }
        let number = number(asked).map_err(|message| Status::bad_request(format!("invalid resource version: {message}")))?;
        let limited = target.parameter("limit").parse::<usize>().is_ok_and(|limit| limit > 0);
        let exact = match target.parameter(VERSION_MATCH) {
            "Exact" => true,
            "" => limited && number > 0,
            _ => false,
        };
        // Who asks the storage itself is not asked to come again.
        let from_storage = !watch_cache || (alone && exact);
        if number > current {
            return Err(too_large(number, current, u32::from(!from_storage)));
        }
        let now = |version: u64| Read { version, state: current, start: String::new() };
        Ok(match target.parameter(VERSION_MATCH) {
            // The storage knows no such rule of one object.
            "" if alone && exact => now(current),
            _ if exact && number < self.history.compacted() => return Err(Status::expired(TOO_OLD)),
            _ if exact => {
                if !from_storage {
                    self.history.wait_for(place.resource, number);
                }
                Read { version: number, state: number, start: String::new() }
            }
            _ if asked.is_empty() => now(self.history.catch_up(place.resource)),
            _ => now(self.history.wait_for(place.resource, number)),
        })
    }
}

/// The number that a resource version is; 0 where none is given.
pub(super) fn number(version: &str) -> Result<u64, String> {
    if version.is_empty() {
        return Ok(0);
    }
    version.parse().map_err(|_unreadable| {
        format!("resourceVersion: Invalid value: {version:?}: strconv.ParseUint: parsing {version:?}: invalid syntax")
    })
}

/// The version lies ahead of all that was written.
pub(super) fn too_large(version: u64, current: u64, retry_after: u32) -> Status {
    let mut status = Status::timeout(&format!("Too large resource version: {version}, current: {current}"), retry_after);
    status.details.causes = vec![Cause {
        reason: "ResourceVersionTooLarge".into(),
        message: "Too large resource version".into(),
        ..Cause::default()
    }];
    status
}

pub(super) fn invalid_options(faults: Vec<Cause>) -> Status {
    Status::invalid(&GroupKind { group: "meta.k8s.io".into(), kind: "ListOptions".into() }, "", faults)
}

fn inconsistent(start: &str) -> Status {
    let mut status = Status::expired(INCONSISTENT);
    status.metadata.continue_token = encode(&Token { v: "meta.k8s.io/v1".into(), rv: -1, start: start.to_owned() });
    status
}

fn write_token(version: u64, start: String) -> String {
    encode(&Token { v: "meta.k8s.io/v1".into(), rv: i64::try_from(version).unwrap_or(i64::MAX), start })
}

fn encode(token: &Token) -> String {
    URL_SAFE_NO_PAD.encode(serde_json::to_vec(token).unwrap_or_default())
}

fn read_token(text: &str) -> Result<Token, Status> {
    let wrong = |why: String| Status::bad_request(format!("invalid continue token: continue key is not valid: {why}"));
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|error| wrong(error.to_string()))?;
    let token: Token = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
    if token.v != "meta.k8s.io/v1" || token.start.is_empty() || token.rv == 0 {
        return Err(wrong("it is of another server".to_owned()));
    }
    Ok(token)
}

const VERSION_MATCH: &str = "resourceVersionMatch";

fn forbidden(field: &str, message: &str) -> Cause {
    cause("FieldValueForbidden", format!("Forbidden: {message}"), field)
}

/// What is wrong with the options of a list or a watch, as far as the match of versions goes.
fn match_faults(target: &Target) -> Vec<Cause> {
    let (wanted, version) = (target.parameter(VERSION_MATCH), target.parameter("resourceVersion"));
    let mut faults = Vec::new();
    if wanted.is_empty() {
        return faults;
    }
    if version.is_empty() {
        faults.push(forbidden(VERSION_MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
    }
    if !target.parameter("continue").is_empty() {
        faults.push(forbidden(VERSION_MATCH, "resourceVersionMatch is forbidden when continue is provided"));
    }
    if !matches!(wanted, "Exact" | "NotOlderThan") {
        let message = format!("Unsupported value: {wanted:?}: supported values: \"Exact\", \"NotOlderThan\", \"\"");
        faults.push(cause("FieldValueNotSupported", message, VERSION_MATCH));
    }
    if wanted == "Exact" && version == "0" {
        faults.push(forbidden(VERSION_MATCH, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
    }
    faults
}

fn list_faults(target: &Target) -> Vec<Cause> {
    let mut faults = match_faults(target);
    if target.has("sendInitialEvents") {
        faults.push(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
    }
    faults
}

/// What is wrong with the options of a watch.
pub(super) fn watch_faults(target: &Target) -> Vec<Cause> {
    let wanted = target.parameter(VERSION_MATCH);
    match (target.has("sendInitialEvents"), wanted) {
        (true, "NotOlderThan") | (false, "") => Vec::new(),
        (true, "") => vec![forbidden(VERSION_MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan")],
        (true, other) => {
            let message = format!("Unsupported value: {other:?}: supported values: \"NotOlderThan\"");
            vec![cause("FieldValueNotSupported", message, VERSION_MATCH)]
        }
        (false, _) => {
            vec![forbidden(VERSION_MATCH, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided")]
        }
    }
}

/// The server could read the version of a watch of which it kept nothing.
pub(super) fn unreadable_version(message: String) -> Status {
    Status::failure(500, StatusReason::UNKNOWN, message)
}
