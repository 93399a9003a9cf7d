//! What paths of one form have in common.

/// The form of a request's path, with placeholders for what tells one request from another of its form: for counting requests
/// without counting each object (`finalURLTemplate` in client-go's `rest/request.go`).
///
/// A namespace is `{namespace}`, the name of an object `{name}`, each value of a parameter `{value}`, what follows `proxy`
/// `{path}`. A path that is not of the API is `/{prefix}`, unless it has one segment at most. A namespace is known by the word
/// `namespaces` before it; client-go takes the place alone, and so takes some subresources for resources.
///
/// ```
/// use porthole_client_core::rest::url_template;
///
/// let path = "/apis/apps/v1/namespaces/shop/deployments/web/scale?pretty=false";
/// assert_eq!(url_template(path), "/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale?pretty={value}");
/// ```
#[must_use]
pub fn url_template(path: &str) -> String {
    let (path, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
    let mut segments: Vec<&str> = path.split('/').skip(1).collect();
    if segments.len() > 1 {
        let resource_at = match segments.first() {
            Some(&"api") => 2,
            Some(&"apis") => 3,
            _ => return "/{prefix}".to_owned(),
        };
        if let Some((_, resource)) = segments.split_at_mut_checked(resource_at) {
            name_parts(resource);
        }
        if let Some(proxy) = segments.iter().skip(resource_at + 1).position(|segment| *segment == "proxy") {
            let after = resource_at + 1 + proxy + 1;
            if segments.len() > after {
                segments.truncate(after);
                segments.push("{path}");
            }
        }
    }
    let mut template: String = segments.iter().flat_map(|segment| ["/", segment]).collect();
    for (index, parameter) in query.unwrap_or_default().split('&').filter(|parameter| !parameter.is_empty()).enumerate() {
        let name = parameter.split('=').next().unwrap_or_default();
        template.extend([if index == 0 { "?" } else { "&" }, name, "={value}"]);
    }
    template
}

/// Puts placeholders into a resource's segments: `pods`, `pods/p`, `pods/p/log`, or `namespaces/n` and one of these. The
/// subresources of namespaces, `finalize` and `status`, are no resources in one.
fn name_parts(segments: &mut [&str]) {
    match segments {
        [_, name] | [_, name, "finalize" | "status"] => *name = "{name}",
        ["namespaces", namespace, _] | ["namespaces", namespace, _, "finalize" | "status"] => *namespace = "{namespace}",
        ["namespaces", namespace, _, name, ..] => (*namespace, *name) = ("{namespace}", "{name}"),
        [_, name, ..] => *name = "{name}",
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn names_namespaces_and_values_become_placeholders() {
        for (path, template) in [
            ("/api/v1/namespaces/ns/r1/nm?p0=v0", "/api/v1/namespaces/{namespace}/r1/{name}?p0={value}"),
            ("/api/v1/namespaces/ns/r1/nm?a=1&a=2&b", "/api/v1/namespaces/{namespace}/r1/{name}?a={value}&a={value}&b={value}"),
            ("/api/v1/namespaces/ns/r1", "/api/v1/namespaces/{namespace}/r1"),
            ("/api/v1/r1/name1", "/api/v1/r1/{name}"),
            ("/api/v1/r1", "/api/v1/r1"),
            ("/api/v1/namespaces/ns", "/api/v1/namespaces/{name}"),
            ("/api/v1/namespaces/ns/pods/p/log", "/api/v1/namespaces/{namespace}/pods/{name}/log"),
            ("/api/v1/nodes/n/proxy", "/api/v1/nodes/{name}/proxy"),
            ("/api/v1/nodes/n/proxy/logs/kubelet.log", "/api/v1/nodes/{name}/proxy/{path}"),
            ("/apis/g1/v1/namespaces/ns/r1/name1", "/apis/g1/v1/namespaces/{namespace}/r1/{name}"),
            ("/apis/g1/v1/namespaces/ns/r1", "/apis/g1/v1/namespaces/{namespace}/r1"),
            ("/apis/g1/v1/r1/name1", "/apis/g1/v1/r1/{name}"),
            ("/apis/g1/v1", "/apis/g1/v1"),
            ("/apis/g1", "/apis/g1"),
            ("/apis", "/apis"),
            ("/version?pretty=false", "/version?pretty={value}"),
            ("/", "/"),
            ("/pre1/v1/namespaces/ns/r1/nm?p0=v0", "/{prefix}"),
            ("/pre1/namespaces/namespaces", "/{prefix}"),
        ] {
            assert_eq!(url_template(path), template);
        }
    }

    /// A resource, a group, a version, a namespace and an object can all have this name.
    #[test]
    fn a_resource_is_told_from_a_namespace_by_its_place() {
        for (count, ending, kept) in [
            (7, "", "namespaces/{namespace}/namespaces/{name}"),
            (7, "/finalize", "namespaces/{namespace}/namespaces/{name}/finalize"),
            (6, "", "namespaces/{namespace}/namespaces"),
            (6, "/finalize", "namespaces/{namespace}/namespaces/finalize"),
            (6, "/status", "namespaces/{namespace}/namespaces/status"),
            (5, "", "namespaces/{name}"),
            (5, "/finalize", "namespaces/{name}/finalize"),
            (5, "/status", "namespaces/{name}/status"),
            (4, "", "namespaces"),
        ] {
            let path = format!("/apis{}{ending}", "/namespaces".repeat(count - 1));
            assert_eq!(url_template(&path), format!("/apis/namespaces/namespaces/{kept}"), "{path}");
        }
    }
}
