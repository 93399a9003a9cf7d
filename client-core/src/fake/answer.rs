//! From a request to its answer (apiserver `endpoints/request`, `endpoints/handlers`).

use std::sync::Arc;

use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};

use super::{
    deletion::Deletion,
    discovery,
    listing::{Listed, Selection},
    patching::{read_object, unsupported},
    projection::{Form, Include, check_form, negotiate, project, project_list, status_value},
    query::Target,
    state::{Place, State, meta, meta_field, object},
    watching::WatchPlan,
    write::WriteContext,
};
use crate::{
    json::Value,
    meta::{GroupVersion, Status, StatusReason},
    transport::Request,
};

/// An answer before it is bytes.
pub(super) struct Reply {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: ReplyBody,
}

pub(super) enum ReplyBody {
    Text(String),
    Watch(Box<WatchPlan>),
}

impl Reply {
    fn json(code: u16, body: &Value) -> Self {
        Self::text(code, "application/json", body.to_string())
    }

    pub(super) fn text(code: u16, content_type: &'static str, body: String) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        let status = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self { status, headers, body: ReplyBody::Text(body) }
    }

    /// A refusal, with the `Retry-After` that it suggests.
    pub(super) fn refusal(status: &Status) -> Self {
        let mut reply = Self::json(status.code, &status_value(status));
        if status.details.retry_after_seconds > 0 {
            reply.headers.insert(header::RETRY_AFTER, HeaderValue::from(status.details.retry_after_seconds));
        }
        reply
    }

    fn with(mut self, name: HeaderName, value: &str) -> Self {
        // A text that no header can have is left out.
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.append(name, value);
        }
        self
    }
}

fn text_header<'r>(request: &'r Request, name: &HeaderName) -> &'r str {
    request.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

fn unknown_page() -> Reply {
    Reply::text(404, "text/plain; charset=utf-8", "404 page not found\n".to_owned())
}

fn unknown_resource() -> Status {
    Status::failure(404, StatusReason::NOT_FOUND, "the server could not find the requested resource")
}

fn wrong_method() -> Status {
    Status::failure(405, StatusReason::METHOD_NOT_ALLOWED, "the server does not allow this method on the requested resource")
}

impl State {
    /// Does a request and answers it.
    pub(super) fn answer(&mut self, request: &Request) -> Reply {
        if request.body.len() > self.largest_body {
            let message = format!("limit is {}", self.largest_body);
            return Reply::refusal(&Status::request_entity_too_large(&message));
        }
        let target = Target::of(&request.path);
        let segments: Vec<&str> = target.segments.iter().map(String::as_str).collect();
        let (group_version, rest) = match segments.as_slice() {
            ["version"] => return Reply::json(200, &discovery::version()),
            ["healthz" | "livez" | "readyz", ..] => return Reply::text(200, "text/plain; charset=utf-8", "ok".to_owned()),
            ["openapi", "v3"] => return Reply::json(200, &discovery::openapi_index()),
            ["api"] => return self.groups(request, true),
            ["apis"] => return self.groups(request, false),
            ["apis", group] => {
                return discovery::group(&self.definitions, group).map_or_else(unknown_page, |group| Reply::json(200, &group));
            }
            ["api", version, rest @ ..] => (GroupVersion::new("", *version), rest),
            ["apis", group, version, rest @ ..] => (GroupVersion::new(*group, *version), rest),
            _ => return unknown_page(),
        };
        if rest.is_empty() {
            let list = discovery::resource_list(&self.definitions, &group_version);
            return list.map_or_else(unknown_page, |list| Reply::json(200, &list));
        }
        if !self.definitions.iter().any(|definition| definition.group_version == group_version) {
            return unknown_page();
        }
        let mut context = WriteContext::of(&target, text_header(request, &header::USER_AGENT));
        let outcome = self.place(&group_version, rest).and_then(|place| self.serve(request, &target, &place, &mut context));
        let reply = outcome.unwrap_or_else(|status| Reply::refusal(&status));
        context.warnings.iter().fold(reply, |reply, warning| {
            let quoted = warning.replace('\\', "\\\\").replace('"', "\\\"");
            reply.with(header::WARNING, &format!("299 - \"{quoted}\""))
        })
    }

    fn groups(&self, request: &Request, core: bool) -> Reply {
        let accept = text_header(request, &header::ACCEPT);
        let wanted = accept.split(',').find_map(|range| {
            let has = |part: &str| range.split(';').any(|own| own.trim() == part);
            let aggregated = has("g=apidiscovery.k8s.io") && has("as=APIGroupDiscoveryList");
            let version = ["v2", "v2beta1"].into_iter().find(|version| has(&format!("v={version}")));
            version.filter(|_| aggregated)
        });
        let Some(version) = wanted else {
            let legacy =
                if core { discovery::core_versions(&self.definitions) } else { discovery::group_list(&self.definitions) };
            return Reply::json(200, &legacy);
        };
        let body = discovery::aggregated(&self.definitions, core, version);
        let etag = discovery::etag(&body);
        let content_type = match version {
            "v2" => "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
            _ => "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList",
        };
        let known = text_header(request, &header::IF_NONE_MATCH) == etag;
        let reply =
            if known { Reply::text(304, content_type, String::new()) } else { Reply::text(200, content_type, body.to_string()) };
        reply.with(header::ETAG, &etag).with(header::VARY, "Accept")
    }

    /// The place that a path names.
    fn place(&self, group_version: &GroupVersion, rest: &[&str]) -> Result<Place, Status> {
        let (namespace, rest) = match rest {
            // `namespaces/x` and `namespaces/x/status` are the namespace itself.
            ["namespaces", namespace, rest @ ..] if !matches!(rest, [] | ["status" | "finalize"]) => (*namespace, rest),
            rest => ("", rest),
        };
        let (plural, name, subresource) = match rest {
            [plural] => (*plural, "", ""),
            [plural, name] => (*plural, *name, ""),
            [plural, name, subresource] => (*plural, *name, *subresource),
            _ => return Err(unknown_resource()),
        };
        let found = self
            .definitions
            .iter()
            .enumerate()
            .find(|(_, definition)| definition.group_version == *group_version && definition.plural == plural);
        let (resource, definition) = found.ok_or_else(unknown_resource)?;
        let fits = match (definition.namespaced, namespace.is_empty()) {
            (true, true) => name.is_empty(),
            (namespaced, no_namespace) => namespaced != no_namespace,
        };
        let known = match subresource {
            "" => true,
            "status" => definition.has_status,
            "scale" => definition.has_scale,
            _ => false,
        };
        if !fits || !known {
            return Err(unknown_resource());
        }
        let [namespace, name, subresource] = [namespace, name, subresource].map(str::to_owned);
        Ok(Place { resource, namespace, name, subresource })
    }

    fn serve(&mut self, request: &Request, target: &Target, place: &Place, context: &mut WriteContext) -> Result<Reply, Status> {
        let is_collection = place.name.is_empty();
        let has_namespace = !self.definition(place)?.namespaced || !place.namespace.is_empty();
        let verb = match (&request.method, is_collection) {
            (&Method::GET, true) if target.flag("watch") => "watch",
            (&Method::GET, true) => "list",
            (&Method::GET, false) => "get",
            (&Method::POST, true) if has_namespace => "create",
            (&Method::PUT, false) => "update",
            (&Method::PATCH, false) => "patch",
            (&Method::DELETE, true) if has_namespace => "deletecollection",
            (&Method::DELETE, false) if place.subresource.is_empty() => "delete",
            _ => return Err(wrong_method()),
        };
        if !self.definition(place)?.has_verb(verb) {
            return Err(wrong_method());
        }
        let form = negotiate(text_header(request, &header::ACCEPT), self.definition(place)?)?;
        let include = match target.parameter("includeObject") {
            "None" => Include::None,
            "Object" => Include::Object,
            _ => Include::Metadata,
        };
        if matches!(verb, "create" | "update") {
            let content_type = text_header(request, &header::CONTENT_TYPE);
            if !content_type.is_empty() && !content_type.starts_with("application/json") {
                return Err(unsupported(&format!(
                    "the body of the request was in an unknown format - accepted media types include: application/json; not {content_type}"
                )));
            }
        }
        if place.subresource == "scale" {
            return self.scale(request, place, target, context);
        }
        let (code, whole) = match verb {
            "watch" => {
                let plan = self.plan_watch(place, target, form, include)?;
                let mut reply = Reply::text(200, "application/json", String::new());
                reply.body = ReplyBody::Watch(Box::new(plan));
                return Ok(reply);
            }
            "list" => {
                let listed = self.list(place, target)?;
                return self.list_reply(form, include, &listed, place);
            }
            "deletecollection" => {
                let listed = self.delete_collection(place, target, &request.body)?;
                return self.list_reply(form, include, &listed, place);
            }
            "get" => {
                let asked = super::listing::number(target.parameter("resourceVersion"));
                let asked = asked.map_err(|message| Status::bad_request(format!("invalid resource version: {message}")))?;
                if asked > self.history.version() {
                    let delay = u32::from(self.definition(place)?.watch_cache);
                    return Err(super::listing::too_large(asked, self.history.version(), delay));
                }
                self.history.wait_for(place.resource, asked);
                (200, self.object(place)?)
            }
            "create" => (201, self.create(place, read_object(&request.body, false)?, context)?),
            "update" => (200, self.update(place, read_object(&request.body, false)?, context)?),
            "patch" => {
                let content_type = text_header(request, &header::CONTENT_TYPE);
                let (whole, created) = self.patch(place, target, content_type, &request.body, context)?;
                (if created { 201 } else { 200 }, whole)
            }
            _ => {
                let deletion = Deletion::of(target, &request.body)?;
                let answer = self.delete(place, &deletion)?;
                if answer.field("kind").and_then(Value::as_str) == Some("Status") {
                    return Ok(Reply::json(200, &answer));
                }
                (200, Arc::new(answer))
            }
        };
        let definition = self.definition(place)?;
        check_form(form, false, definition)?;
        let projected = project(form, include, true, &whole, definition, self.platform.wall_time());
        Ok(Reply::json(code, &projected))
    }

    fn list_reply(&self, form: Form, include: Include, listed: &Listed, place: &Place) -> Result<Reply, Status> {
        let definition = self.definition(place)?;
        check_form(form, true, definition)?;
        Ok(Reply::json(200, &project_list(form, include, listed, definition, self.platform.wall_time())))
    }

    /// Deletes what a list has, and answers with that list.
    fn delete_collection(&mut self, place: &Place, target: &Target, body: &[u8]) -> Result<Listed, Status> {
        let deletion = Deletion::of(target, body)?;
        Selection::of(target, self.definition(place)?)?;
        let listed = self.list(place, target)?;
        for whole in &listed.objects {
            let place = Place { name: meta(whole, "name").to_owned(), ..place.clone() };
            match self.delete(&place, &deletion) {
                Err(status) if !status.is_not_found() => return Err(status),
                _ => {}
            }
        }
        Ok(listed)
    }

    /// Reads and writes the scale of an object (`autoscaling/v1`).
    fn scale(&mut self, request: &Request, place: &Place, target: &Target, context: &mut WriteContext) -> Result<Reply, Status> {
        let place = Place { subresource: String::new(), ..place.clone() };
        let live = self.object(&place)?;
        let mut current = (*live).clone();
        if request.method != Method::GET {
            let mut wanted = scale_of(&live);
            match text_header(request, &header::CONTENT_TYPE) {
                content_type if request.method == Method::PATCH && content_type.contains("json-patch") => {
                    return Err(unsupported(&format!("a scale cannot be patched with {content_type}")));
                }
                _ if request.method == Method::PATCH => {
                    crate::patch::merge_patch::apply(&mut wanted, &read_object(&request.body, false)?);
                }
                _ => wanted = read_object(&request.body, false)?,
            }
            let replicas = wanted.nested(&["spec", "replicas"]).ok().flatten().cloned().unwrap_or_else(|| 0_i64.into());
            current.set_nested(&["spec", "replicas"], replicas).map_err(|error| Status::bad_request(error.to_string()))?;
            let version = meta(&wanted, "resourceVersion");
            if !version.is_empty() {
                super::state::set_meta(&mut current, "resourceVersion", version);
            }
            context.dry_run = target.dry_run();
            current = (*self.replace(&place, &live, current, context)?).clone();
        }
        Ok(Reply::json(200, &scale_of(&current)))
    }
}

fn scale_of(whole: &Value) -> Value {
    let field = |path: &[&str]| whole.nested(path).ok().flatten().cloned();
    let mut own = object([]);
    for name in ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"] {
        if let (Some(value), Some(fields)) = (meta_field(whole, name), own.as_object_mut()) {
            fields.insert(name.to_owned(), value.clone());
        }
    }
    let replicas = |path: &[&str]| object([("replicas", field(path).unwrap_or_else(|| 0_i64.into()))]);
    object([
        ("kind", "Scale".into()),
        ("apiVersion", "autoscaling/v1".into()),
        ("metadata", own),
        ("spec", replicas(&["spec", "replicas"])),
        ("status", replicas(&["status", "replicas"])),
    ])
}
