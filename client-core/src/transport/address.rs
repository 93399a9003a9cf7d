//! Where a request goes.

/// The address of `path` at the server whose address is `base`; an empty `base` is the page's own origin.
///
/// A `base` may have a path of its own, with a slash at its end or without: a server behind a proxy (client-go
/// `rest/request.go`, `AbsPath`). The path of a request begins with one slash, so that it names no other server.
///
/// ```
/// use porthole_client_core::transport::address_of;
///
/// assert_eq!(address_of("https://host/clusters/one/", "/version"), "https://host/clusters/one/version");
/// ```
#[must_use]
pub fn address_of(base: &str, path: &str) -> String {
    format!("{}{path}", base.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_path_follows_the_path_of_its_server_after_one_slash() {
        for (base, path, address) in [
            ("", "/", "/"),
            ("", "/api/", "/api/"),
            ("/", "/api", "/api"),
            ("https://host:6443", "/", "https://host:6443/"),
            ("https://host:6443/", "/version", "https://host:6443/version"),
            ("https://host/p1/api/p2", "/api/", "https://host/p1/api/p2/api/"),
            ("https://host/k8s//", "/api", "https://host/k8s/api"),
        ] {
            assert_eq!(address_of(base, path), address);
        }
    }
}
