//! Lists in pages.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use futures::{FutureExt as _, StreamExt as _};

use crate::{
    meta::{ListMeta, ResourceVersion, Status},
    platform::{BoxFuture, FakePlatform, Platform, is_ready, ready},
    rest::{ApiError, ListOptions, Listed, PagedItems, PagedList, Pager, ResourceVersionMatch},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[derive(Clone, Debug, Default, PartialEq)]
struct Numbers {
    metadata: ListMeta,
    items: Vec<usize>,
}

impl PagedList for Numbers {
    type Item = usize;

    fn metadata(&mut self) -> &mut ListMeta {
        &mut self.metadata
    }

    fn items(&mut self) -> &mut Vec<usize> {
        &mut self.items
    }
}

fn version() -> ResourceVersion {
    "rv:20".into()
}

fn whole(count: usize) -> Numbers {
    let metadata = ListMeta { resource_version: version(), ..ListMeta::default() };
    Numbers { metadata, items: (0..count).collect() }
}

/// A collection that is listed page by page, and what it was asked.
#[derive(Clone, Default)]
struct Collection {
    count: usize,
    /// The page, from 1, at which the version of the list is gone.
    expires_at: Option<usize>,
    asked: Arc<Mutex<Vec<ListOptions>>>,
}

impl Collection {
    fn of(count: usize) -> Self {
        Self { count, ..Self::default() }
    }

    fn page(&self, options: ListOptions) -> Result<Numbers, ApiError> {
        let mut asked = self.asked.lock().unwrap();
        asked.push(options.clone());
        let continues = options.continue_token.is_some();
        if continues && self.expires_at == Some(asked.len()) {
            return Err(ApiError::Refused(Box::new(Status::expired("this list has expired"))));
        }
        if continues && (options.resource_version.is_some() || options.resource_version_match.is_some()) {
            return Err(ApiError::Refused(Box::new(Status::bad_request("no version beside a token"))));
        }
        let start: usize = options.continue_token.map_or(0, |token| token.parse().unwrap());
        let end = options.limit.map_or(self.count, |limit| self.count.min(start + limit as usize));
        let mut metadata = ListMeta { resource_version: version(), ..ListMeta::default() };
        if end < self.count {
            metadata.continue_token = end.to_string();
            metadata.remaining_item_count = i64::try_from(self.count - end).ok();
        }
        Ok(Numbers { metadata, items: (start..end).collect() })
    }

    fn pager(&self) -> Pager<impl FnMut(ListOptions) -> BoxFuture<'static, Result<Numbers, ApiError>> + 'static> {
        let collection = self.clone();
        let page = move |options| -> BoxFuture<'static, _> { Box::pin(std::future::ready(collection.page(options))) };
        Pager::new(page).with_page_size(10)
    }

    fn asked(&self) -> Vec<ListOptions> {
        self.asked.lock().unwrap().clone()
    }

    fn list(&self, options: ListOptions) -> Result<Listed<Numbers>, ApiError> {
        ready(self.pager().list(options))
    }
}

#[test]
fn a_list_has_the_items_of_all_its_pages_and_the_version_of_the_first() {
    for (count, pages) in [(0, 1), (9, 1), (10, 1), (11, 2), (21, 3)] {
        let collection = Collection::of(count);
        let listed = collection.list(ListOptions::default()).unwrap();
        assert_eq!(listed, Listed { list: whole(count), is_paged: pages > 1 });
        assert_eq!(collection.asked().len(), pages);
    }
}

#[test]
fn pages_have_500_items_unless_it_is_said_otherwise() {
    let collection = Collection::of(501);
    let same = collection.clone();
    let mut pager = Pager::new(move |options| std::future::ready(same.page(options)));
    ready(pager.list(ListOptions::default())).unwrap();
    ready(pager.list(ListOptions { limit: Some(300), ..ListOptions::default() })).unwrap();
    ready(pager.list(ListOptions { limit: Some(0), ..ListOptions::default() })).unwrap();
    let limits: Vec<_> = collection.asked().into_iter().filter_map(|options| options.limit).collect();
    assert_eq!(limits, [500, 500, 300, 300, 500, 500]);
}

#[test]
fn a_version_is_asked_for_with_the_first_page_alone_and_a_selector_with_each() {
    let options = ListOptions {
        label_selector: Some("app=web".into()),
        resource_version: Some("rv:10".into()),
        resource_version_match: Some(ResourceVersionMatch::NotOlderThan),
        ..ListOptions::default()
    };
    let listed = Collection::of(21);
    assert_eq!(listed.list(options.clone()).unwrap(), Listed { list: whole(21), is_paged: true });
    let streamed = Collection::of(21);
    let ((items, error), _) = take(&streamed, streamed.pager(), options.clone(), usize::MAX);
    assert!(items == whole(21).items && error.is_none());
    for asked in [listed.asked(), streamed.asked()] {
        let after = |token: &str| ListOptions {
            limit: Some(10),
            continue_token: Some(token.to_owned()),
            label_selector: Some("app=web".into()),
            ..ListOptions::default()
        };
        assert_eq!(asked, [ListOptions { limit: Some(10), ..options.clone() }, after("10"), after("20")]);
    }
}

#[test]
fn a_list_that_expires_between_pages_is_listed_in_full_or_an_error() {
    let expiring = || Collection { expires_at: Some(2), ..Collection::of(21) };
    let collection = expiring();
    let error = ready(collection.pager().without_full_list().list(ListOptions::default())).unwrap_err();
    assert!(error.is_expired() && collection.asked().len() == 2);

    let (collection, options) = (expiring(), ListOptions { resource_version: Some("0".into()), ..ListOptions::default() });
    assert_eq!(collection.list(options.clone()).unwrap(), Listed { list: whole(21), is_paged: true });
    let asked = collection.asked();
    assert_eq!((asked.len(), &asked[2]), (3, &options));
}

#[test]
fn another_error_ends_a_list_and_so_does_one_of_the_first_page() {
    let refuse = |status: Status, at: usize| {
        let (collection, mut calls) = (Collection::of(21), 0);
        let mut pager = Pager::new(|options| {
            calls += 1;
            let refused = Err(ApiError::Refused(Box::new(status.clone())));
            std::future::ready(if calls == at { refused } else { collection.page(options) })
        })
        .with_page_size(10);
        let error = ready(pager.list(ListOptions::default())).unwrap_err();
        (error.to_string(), calls)
    };
    assert_eq!(refuse(Status::expired("gone at once"), 1), ("gone at once".into(), 1));
    assert_eq!(refuse(Status::service_unavailable("later"), 2), ("later".into(), 2));
}

/// What was taken, and the error after it.
type Taken = (Vec<usize>, Option<ApiError>);

/// The first `most` items of a collection, or those before an error; and how often it was asked.
fn take(
    collection: &Collection,
    pager: Pager<impl FnMut(ListOptions) -> BoxFuture<'static, Result<Numbers, ApiError>> + crate::platform::MaybeSend + 'static>,
    options: ListOptions,
    most: usize,
) -> (Taken, usize) {
    let clock = FakePlatform::default();
    let platform: Arc<dyn Platform> = Arc::new(clock.clone());
    let mut items = pager.items(&platform, options);
    let mut task = clock.tasks().pop().unwrap();
    let mut taken = Vec::new();
    let mut task_ended = false;
    let error = loop {
        if taken.len() == most {
            break None;
        }
        match items.next().now_or_never() {
            Some(Some(Ok(item))) => taken.push(item),
            Some(Some(Err(error))) => break Some(error),
            Some(None) => break None,
            None => task_ended = task_ended || is_ready(&mut task),
        }
    };
    // What is read ahead is read while an item is worked on.
    if !task_ended {
        is_ready(&mut task);
    }
    ((taken, error), collection.asked().len())
}

#[test]
fn items_come_one_by_one_in_order() {
    for (count, pages) in [(0, 1), (9, 1), (10, 1), (11, 2), (21, 3)] {
        let collection = Collection::of(count);
        let ((items, error), asked) = take(&collection, collection.pager(), ListOptions::default(), usize::MAX);
        assert_eq!((items, asked), (whole(count).items, pages));
        assert!(error.is_none());
    }
}

#[test]
fn items_before_an_error_come_and_the_error_is_the_last() {
    let collection = Collection { expires_at: Some(2), ..Collection::of(21) };
    let ((items, error), asked) = take(&collection, collection.pager(), ListOptions::default(), usize::MAX);
    assert_eq!((items, asked), (whole(10).items, 2));
    assert!(error.unwrap().is_expired());
}

#[test]
fn so_many_pages_are_read_ahead_and_no_more() {
    for (pages, ahead, worked_on, asked) in
        [(1, 0, 1, 1), (5, 0, 1, 2), (5, 0, 2, 3), (5, 0, 5, 5), (5, 1, 1, 3), (5, 1, 5, 5), (5, 10, 1, 5), (20, 10, 1, 12)]
    {
        let collection = Collection::of(pages * 10);
        // One item of the last page that is worked on is enough to hold it.
        let most = (worked_on - 1) * 10 + 1;
        let pager = collection.pager().with_pages_ahead(ahead);
        let ((items, _), lists) = take(&collection, pager, ListOptions::default(), most);
        assert_eq!((items.len(), lists), (most, asked), "{pages} pages, {ahead} ahead, {worked_on} worked on");
    }
}

#[test]
fn dropping_the_stream_ends_the_task_and_what_it_waits_for() {
    let clock = FakePlatform::default();
    let platform: Arc<dyn Platform> = Arc::new(clock.clone());
    let collection = Collection::of(51);
    let (slow, host, held) = (collection.clone(), Arc::clone(&platform), Arc::new(()));
    let within = Arc::clone(&held);
    let pager = Pager::new(move |options| {
        let (slow, sleep, held) = (slow.clone(), host.sleep(Duration::from_secs(1)), Arc::clone(&within));
        async move {
            sleep.await;
            drop(held);
            slow.page(options)
        }
    });
    let mut items: PagedItems<Numbers> = pager.with_page_size(10).items(&platform, ListOptions::default());
    let mut task = clock.tasks().pop().unwrap();
    assert!(!is_ready(&mut task));
    clock.advance(Duration::from_secs(1));
    assert!(!is_ready(&mut task));
    assert_eq!(items.next().now_or_never().unwrap().unwrap().unwrap(), 0);
    // The second page is under way.
    assert_eq!(Arc::strong_count(&held), 3);
    drop(items);
    assert!(is_ready(&mut task));
    drop(task);
    assert_eq!(Arc::strong_count(&held), 1);
    assert_eq!(collection.asked().len(), 1);
}
