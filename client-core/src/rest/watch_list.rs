//! When a list can be streamed: client-go's `util/watchlist`.

use super::{ListOptions, ResourceVersionMatch};

/// The options of a watch that brings what a list with `options` would (a streaming list), or `None` where no watch brings the
/// same (`PrepareWatchListOptionsFromListOptions`).
///
/// That is so for a list of just one version, for a page of a list, and for what is no valid list. A limit is no page where any
/// version will do, because the server's cache then answers with all of it. The objects come as `ADDED`, then a
/// [`Bookmark`](crate::wire::Bookmark) that ends the initial events.
///
/// ```
/// use porthole_client_core::rest::{ListOptions, watch_list_options};
///
/// let watch = watch_list_options(&ListOptions::default()).unwrap();
/// assert!(watch.send_initial_events == Some(true) && watch.allow_watch_bookmarks);
/// assert!(watch_list_options(&ListOptions { limit: Some(500), ..ListOptions::default() }).is_none());
/// ```
#[must_use]
pub fn watch_list_options(options: &ListOptions) -> Option<ListOptions> {
    let version = options.resource_version.as_ref().map_or("", |version| version.as_str());
    let is_page = options.continue_token.as_ref().is_some_and(|token| !token.is_empty())
        || (options.limit.is_some_and(|limit| limit > 0) && version != "0");
    let streams = match options.resource_version_match {
        None => true,
        Some(ResourceVersionMatch::NotOlderThan) => !version.is_empty(),
        Some(ResourceVersionMatch::Exact) => false,
    };
    (streams && !is_page && options.send_initial_events.is_none()).then(|| ListOptions {
        limit: None,
        continue_token: None,
        resource_version_match: Some(ResourceVersionMatch::NotOlderThan),
        allow_watch_bookmarks: true,
        send_initial_events: Some(true),
        ..options.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn list(version_match: Option<ResourceVersionMatch>, version: &str, limit: Option<u32>, token: Option<&str>) -> ListOptions {
        ListOptions {
            label_selector: Some("app=web".into()),
            resource_version: (!version.is_empty()).then(|| version.into()),
            resource_version_match: version_match,
            limit,
            continue_token: token.map(str::to_owned),
            ..ListOptions::default()
        }
    }

    #[test]
    fn a_list_can_be_streamed_where_a_watch_brings_the_same() {
        use ResourceVersionMatch::{Exact, NotOlderThan};
        for (version_match, version, limit, token, streams) in [
            (None, "", None, None, true),
            (None, "0", None, None, true),
            (None, "100", None, None, true),
            (None, "0", Some(4), None, true),
            (None, "", Some(0), Some(""), true),
            (None, "", Some(4), None, false),
            (None, "100", Some(4), None, false),
            (None, "0", None, Some("token"), false),
            (Some(NotOlderThan), "", None, None, false),
            (Some(NotOlderThan), "0", None, None, true),
            (Some(NotOlderThan), "100", None, None, true),
            (Some(NotOlderThan), "0", Some(4), None, true),
            (Some(NotOlderThan), "0", None, Some("token"), false),
            (Some(Exact), "", None, None, false),
            (Some(Exact), "0", None, None, false),
            (Some(Exact), "100", None, None, false),
            (Some(Exact), "0", Some(4), None, false),
            (Some(Exact), "0", None, Some("token"), false),
        ] {
            let options = list(version_match, version, limit, token);
            let watch = ListOptions {
                allow_watch_bookmarks: true,
                send_initial_events: Some(true),
                ..list(Some(NotOlderThan), version, None, None)
            };
            assert_eq!(watch_list_options(&options), streams.then_some(watch), "{options:?}");
        }
    }

    #[test]
    fn what_is_a_streaming_list_already_is_no_list() {
        let watch = watch_list_options(&ListOptions::default()).unwrap();
        assert_eq!(watch_list_options(&watch), None);
    }
}
