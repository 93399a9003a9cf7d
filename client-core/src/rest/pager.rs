//! A long list page by page: client-go's `tools/pager`.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use futures::{
    SinkExt as _, Stream, StreamExt as _,
    channel::mpsc,
    future::{AbortHandle, abortable},
};

use super::{ApiError, ListOptions};
use crate::{
    meta::ListMeta,
    platform::{MaybeSend, Platform},
};

/// A list that can come in pages.
pub trait PagedList {
    /// What it is a list of.
    type Item;

    /// What the list says of itself.
    fn metadata(&mut self) -> &mut ListMeta;

    /// What is in it.
    fn items(&mut self) -> &mut Vec<Self::Item>;
}

/// A list, and how it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed<L> {
    /// All of it. Its version is that of the first page.
    pub list: L,
    /// Whether there was more than one page, so that it is of one version whatever its options say.
    pub is_paged: bool,
}

/// Reads lists page by page, so that neither the server nor the client holds more at once than it must. `page` makes one list
/// request and is called with the options of each page.
///
/// ```
/// use porthole_client_core::{
///     meta::ListMeta,
///     platform::ready,
///     rest::{ApiError, ListOptions, PagedList, Pager},
/// };
///
/// #[derive(Default)]
/// struct Numbers { metadata: ListMeta, items: Vec<u32> }
/// impl PagedList for Numbers {
///     type Item = u32;
///     fn metadata(&mut self) -> &mut ListMeta { &mut self.metadata }
///     fn items(&mut self) -> &mut Vec<u32> { &mut self.items }
/// }
///
/// let mut pager = Pager::new(async |options: ListOptions| {
///     let mut page = Numbers::default();
///     match options.continue_token {
///         None => (page.items, page.metadata.continue_token) = (vec![1, 2], "next".into()),
///         Some(_) => page.items = vec![3],
///     }
///     Ok::<_, ApiError>(page)
/// });
/// let listed = ready(pager.list(ListOptions::default())).unwrap();
/// assert_eq!((listed.list.items, listed.is_paged), (vec![1, 2, 3], true));
/// ```
#[derive(Clone, Debug)]
pub struct Pager<F> {
    page: F,
    page_size: u32,
    pages_ahead: usize,
    lists_in_full_if_expired: bool,
}

impl<F> Pager<F> {
    /// A pager with pages of 500 items, ten pages ahead, that lists in full where its pages expire.
    #[must_use]
    pub const fn new(page: F) -> Self {
        Self { page, page_size: 500, pages_ahead: 10, lists_in_full_if_expired: true }
    }

    /// The same, with so many items a page where the options of a list do not say it.
    #[must_use]
    pub const fn with_page_size(mut self, items: u32) -> Self {
        self.page_size = items;
        self
    }

    /// The same, with [`items`](Self::items) holding so many pages that nobody has taken yet, besides the one that is read.
    #[must_use]
    pub const fn with_pages_ahead(mut self, pages: usize) -> Self {
        self.pages_ahead = pages;
        self
    }

    /// The same, with [`list`](Self::list) failing, rather than listing in full, where the version of the first page is gone
    /// before the last.
    #[must_use]
    pub const fn without_full_list(mut self) -> Self {
        self.lists_in_full_if_expired = false;
        self
    }

    fn first(&self, mut options: ListOptions) -> ListOptions {
        options.limit = options.limit.filter(|limit| *limit > 0).or(Some(self.page_size));
        options
    }

    /// The whole list.
    ///
    /// # Errors
    /// The first error of a page. Where that is [`ApiError::is_expired`] on a page after the first, the list is read once more,
    /// in one piece and with its own options, unless [`without_full_list`](Self::without_full_list) was said.
    pub async fn list<L: PagedList, P>(&mut self, options: ListOptions) -> Result<Listed<L>, ApiError>
    where
        F: FnMut(ListOptions) -> P,
        P: Future<Output = Result<L, ApiError>>,
    {
        let mut next = self.first(options.clone());
        let mut whole: Option<L> = None;
        let mut is_paged = false;
        loop {
            let mut page = match (self.page)(next.clone()).await {
                Ok(page) => page,
                Err(error) if error.is_expired() && self.lists_in_full_if_expired && next.continue_token.is_some() => {
                    let in_full = ListOptions { limit: None, continue_token: None, ..options };
                    return Ok(Listed { list: (self.page)(in_full).await?, is_paged });
                }
                Err(error) => return Err(error),
            };
            let token = std::mem::take(&mut page.metadata().continue_token);
            page.metadata().remaining_item_count = None;
            match &mut whole {
                Some(whole) => whole.items().append(page.items()),
                None => whole = Some(page),
            }
            match whole {
                Some(list) if token.is_empty() => return Ok(Listed { list, is_paged }),
                _ => (next, is_paged) = (after(next, token), true),
            }
        }
    }

    /// The items one by one, while pages are read ahead in a task of their own (`EachListItem`). An error of a page is the last
    /// item of the stream; an expired list is not read in full, because some of it is out of hand already. Dropping the stream
    /// ends the task and the request it waits for.
    ///
    /// # Errors
    /// None of its own: those of the pages are in the stream.
    pub fn items<L, P>(mut self, platform: &Arc<dyn Platform>, options: ListOptions) -> PagedItems<L>
    where
        F: FnMut(ListOptions) -> P + MaybeSend + 'static,
        P: Future<Output = Result<L, ApiError>> + MaybeSend + 'static,
        L: PagedList + MaybeSend + 'static,
    {
        let (mut pages, receiver) = mpsc::channel(self.pages_ahead);
        let mut next = self.first(options);
        let (task, abort) = abortable(async move {
            loop {
                let mut outcome = (self.page)(next.clone()).await;
                let token = outcome.as_mut().map(|page| std::mem::take(&mut page.metadata().continue_token));
                let token = token.unwrap_or_default();
                // Who no longer listens has dropped the stream, and ended this task as well.
                if pages.send(outcome).await.is_err() || token.is_empty() {
                    return;
                }
                next = after(next, token);
            }
        });
        platform.spawn(Box::pin(async move {
            // An end before the end is the wish of whoever dropped the stream.
            task.await.ok();
        }));
        PagedItems { pages: receiver, items: Vec::new().into_iter(), task: Abort(abort) }
    }
}

/// The options of the page after `options`. The server takes no version beside a token, which has its own.
fn after(options: ListOptions, token: String) -> ListOptions {
    ListOptions { continue_token: Some(token), resource_version: None, resource_version_match: None, ..options }
}

/// Ends its task when it is dropped.
struct Abort(AbortHandle);

impl Drop for Abort {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The items of a list, as [`Pager::items`] reads them.
#[must_use = "items are read as the stream is"]
pub struct PagedItems<L: PagedList> {
    pages: mpsc::Receiver<Result<L, ApiError>>,
    items: std::vec::IntoIter<L::Item>,
    #[expect(dead_code, reason = "it acts when it is dropped")]
    task: Abort,
}

/// Items are moved out of it, never pointed into.
impl<L: PagedList> Unpin for PagedItems<L> {}

impl<L: PagedList> Stream for PagedItems<L> {
    type Item = Result<L::Item, ApiError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            if let Some(item) = this.items.next() {
                return Poll::Ready(Some(Ok(item)));
            }
            match ready!(this.pages.poll_next_unpin(context)) {
                Some(Ok(mut page)) => this.items = std::mem::take(page.items()).into_iter(),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
    }
}
