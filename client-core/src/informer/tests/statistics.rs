//! What informers say they cost.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use futures::StreamExt as _;

use super::bench::{Bench, config_maps, following};
use crate::{
    clients::{ResourceClient, TableClient},
    informer::{InformerStatistics, ObjectSource, SameCluster, Selection, SharedInformer, TableInformer},
    object::Unstructured,
    platform::{BoxFuture, Instant, Platform},
    reflector::Following,
    rest::RestClient,
    transport::{Request, Response, Transport, TransportError},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Counts the bytes of the bodies that pass.
struct Counting(Arc<dyn Transport>, Arc<AtomicU64>);

impl Transport for Counting {
    fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        let (answer, bytes) = (self.0.send(request), Arc::clone(&self.1));
        Box::pin(async move {
            let mut answer = answer.await?;
            answer.body = Box::pin(answer.body.inspect(move |chunk| {
                let length = chunk.as_ref().map_or(0, |chunk| chunk.len() as u64);
                bytes.fetch_add(length, Ordering::Relaxed);
            }));
            Ok(answer)
        })
    }
}

fn counts(statistics: InformerStatistics) -> (usize, u64, u64, u64) {
    (statistics.objects, statistics.events, statistics.lists, statistics.watches)
}

#[test]
fn lists_watches_events_and_bytes_are_counted_as_they_pass() {
    for (way, first) in [(Following::WatchList, (2, 2, 0, 1)), (Following::Watch, (2, 0, 1, 1)), (Following::List, (2, 0, 1, 0))]
    {
        let bench = Bench::with(&["a", "b"]);
        bench.platform.advance(Duration::from_secs(5));
        let bytes = Arc::new(AtomicU64::new(0));
        let counting = Arc::new(Counting(bench.server.transport(), Arc::clone(&bytes)));
        let client = RestClient::new(counting, Arc::new(bench.platform.clone()) as Arc<dyn Platform>);
        let maps = ResourceClient::namespaced(client, config_maps(), "default");
        let source = ObjectSource::<Unstructured>::new(maps, Selection::default(), Arc::new(SameCluster));
        let informer = SharedInformer::new(Arc::new(bench.platform.clone()), source, following(way));
        let nothing = informer.statistics();
        assert_eq!((counts(nothing), nothing.bytes_received), ((0, 0, 0, 0), 0));
        assert_eq!(nothing.since, Instant::default() + Duration::from_secs(5), "{way:?}");
        informer.start();
        bench.run();
        let listed = informer.statistics();
        assert_eq!(counts(listed), first, "{way:?}");
        assert_eq!(listed.bytes_received, bytes.load(Ordering::Relaxed));
        assert!(listed.bytes_received > 0);
        if way == Following::List {
            continue;
        }
        bench.put("a", "2");
        bench.put("c", "1");
        bench.remove("b");
        bench.server.send_bookmarks();
        bench.run();
        let followed = informer.statistics();
        assert_eq!(counts(followed), (2, first.1 + 3, first.2, first.3), "{way:?}");
        assert_eq!(followed.bytes_received, bytes.load(Ordering::Relaxed));

        // A watch that ends is followed by another; what was counted stays counted.
        bench.server.end_watches();
        bench.platform.advance(Duration::from_mins(1));
        bench.run();
        assert_eq!(counts(informer.statistics()), (2, first.1 + 3, first.2, first.3 + 1), "{way:?}");
        assert_eq!(informer.statistics().since, nothing.since);
    }
}

#[test]
fn tables_are_counted_as_objects_are() {
    let bench = Bench::with(&["a", "b"]);
    let tables = TableClient::namespaced(bench.server.client(), &config_maps(), "default").unwrap();
    let informer = TableInformer::start(tables, Selection::default(), Following::Watch, Arc::new(SameCluster));
    bench.run();
    bench.put("a", "2");
    bench.run();
    assert_eq!(counts(informer.statistics()), (2, 1, 1, 1));
    assert_eq!(informer.statistics(), informer.rows().statistics());
}
