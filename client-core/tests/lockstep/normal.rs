//! What may differ between two servers is made alike: ids by the order they came in, versions by the writes they are of, times
//! not at all.

use std::collections::HashMap;

use serde_json::Value;

/// What is known of one of the servers.
#[derive(Default)]
pub(crate) struct Side {
    /// The versions of the writes that were seen, in order.
    pub(crate) versions: Vec<u64>,
    /// The version of the last write to each collection.
    last_of: HashMap<String, u64>,
    uids: HashMap<String, usize>,
    /// The continue tokens, in order.
    pub(crate) tokens: Vec<String>,
    uid_of: HashMap<String, String>,
}

/// Objects that controllers made: who owns their fields is not compared.
const FOREIGN: [&str; 2] = ["kube-root-ca.crt", "default"];

impl Side {
    /// Puts this server's values in place of the marks of a request: `{rv:-3}` for the version of the third write from the
    /// end, `{token:2}` for the last continue token but one, `{uid:name}` for the uid of the object that was last seen under a name,
    /// `{of:path}` for the version of the last write to a collection.
    pub(crate) fn fill(&self, text: &str) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some(start) = rest.find("{@") {
            filled.push_str(&rest[..start]);
            let end = start + rest[start..].find('}').unwrap();
            let mark = &rest[start + 2..end];
            match mark.split_once(':') {
                Some(("rv", back)) => {
                    let back: usize = back.parse().unwrap();
                    let at = self.versions.len().saturating_sub(back);
                    filled.push_str(&self.versions.get(at).copied().unwrap_or(1).to_string());
                }
                Some(("of", path)) => filled.push_str(&self.last_of.get(path).copied().unwrap_or(1).to_string()),
                Some(("uid", name)) => filled.push_str(self.uid_of.get(name).map_or("none", String::as_str)),
                Some((_, back)) => {
                    let back: usize = back.parse().unwrap();
                    let at = self.tokens.len().saturating_sub(back);
                    filled.push_str(self.tokens.get(at).map_or("", String::as_str));
                }
                None => unreachable!("{mark}"),
            }
            rest = &rest[end + 1..];
        }
        filled + rest
    }

    /// The version of a write that the answer tells; `None` where it tells none.
    pub(crate) fn told(&self, body: &Value) -> Option<u64> {
        let body = if body["kind"] == "Table" { &body["rows"][0]["object"] } else { body };
        if body["kind"] == "Status" || body["items"].is_array() {
            return None;
        }
        let version: Option<u64> = body["metadata"]["resourceVersion"].as_str().and_then(|text| text.parse().ok());
        version.filter(|version| self.last() < *version)
    }

    /// The version of the last write of all.
    pub(crate) fn last(&self) -> u64 {
        self.versions.last().copied().unwrap_or_default()
    }

    /// Remembers the version of a write.
    pub(crate) fn wrote(&mut self, collection: &str, version: u64) {
        self.versions.push(version);
        self.last_of.insert(collection.to_owned(), version);
    }

    fn rank(&self, version: &str) -> String {
        let version: u64 = version.parse().unwrap();
        format!("#{}", self.versions.iter().filter(|known| **known <= version).count())
    }

    /// The same value as the other server would say it.
    pub(crate) fn normal(&mut self, value: &mut Value) {
        match value {
            Value::Object(fields) => {
                if let Some(meta) = fields.get_mut("metadata").and_then(Value::as_object_mut) {
                    let name = meta.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
                    if FOREIGN.contains(&name.as_str()) {
                        meta.remove("managedFields");
                    }
                    if let Some(uid) = meta.get("uid").and_then(Value::as_str) {
                        self.uid_of.insert(name.clone(), uid.to_owned());
                    }
                    if let Some(prefix) = meta.get("generateName").and_then(Value::as_str) {
                        let made = format!("{prefix}?");
                        meta.insert("name".to_owned(), made.into());
                    }
                    if let Some(entries) = meta.get_mut("managedFields").and_then(Value::as_array_mut) {
                        let key = |entry: &Value| {
                            ["operation", "manager", "subresource"]
                                .map(|name| entry[name].as_str().unwrap_or_default().to_owned())
                        };
                        entries.sort_by_key(key);
                    }
                }
                if fields.get("columnDefinitions").is_some() && fields.get("kind").is_some_and(|kind| kind == "Table") {
                    // Each server describes its columns in its own words.
                    for column in fields.get_mut("columnDefinitions").and_then(Value::as_array_mut).into_iter().flatten() {
                        column.as_object_mut().unwrap().remove("description");
                    }
                }
                // Go walks through managers in no order.
                if let Some(causes) = fields.get_mut("causes").and_then(Value::as_array_mut) {
                    causes.sort_by_key(|cause| (cause["field"].to_string(), cause["message"].to_string()));
                }
                fields.retain(|name, value| !(name == "creationTimestamp" && value.is_null()));
                for (name, field) in fields.iter_mut() {
                    match (name.as_str(), field.as_str().map(str::to_owned)) {
                        ("uid", Some(uid)) => {
                            let next = self.uids.len();
                            *field = format!("uid{}", self.uids.entry(uid).or_insert(next)).into();
                        }
                        ("resourceVersion", Some(version)) if !version.is_empty() => *field = self.rank(&version).into(),
                        ("creationTimestamp" | "deletionTimestamp" | "time", Some(_)) => *field = "T".into(),
                        ("continue", Some(token)) if !token.is_empty() => {
                            self.tokens.push(token);
                            *field = "C".into();
                        }
                        ("message", Some(message)) => *field = words(&message).into(),
                        ("cells", _) => {
                            for cell in field.as_array_mut().unwrap() {
                                if cell.as_str().is_some_and(is_age) {
                                    *cell = "age".into();
                                }
                            }
                        }
                        _ => self.normal(field),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.normal(item)),
            _ => {}
        }
    }
}

fn is_age(text: &str) -> bool {
    text == "<unknown>"
        || text == "<invalid>"
        || (text.starts_with(|first: char| first.is_ascii_digit())
            && text.ends_with(['s', 'm', 'h'])
            && text.chars().all(|letter| letter.is_ascii_digit() || "smh".contains(letter)))
}

/// A message without numbers and ids.
fn words(message: &str) -> String {
    let mut out = String::new();
    for word in message.split_inclusive([' ', '(', ')', ',', '"']) {
        let bare = word.trim_end_matches([' ', '(', ')', ',', '"', '.']);
        let is_id = bare.len() == 36 && bare.matches('-').count() == 4;
        if is_id || (!bare.is_empty() && bare.chars().all(|letter| letter.is_ascii_digit())) {
            out.push('#');
            out.push_str(&word[bare.len()..]);
        } else {
            out.push_str(word);
        }
    }
    out
}
