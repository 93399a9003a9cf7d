//! Workers and those who give them work, on threads that do come at the same time.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use futures::executor::block_on;

use super::*;

#[test]
fn nothing_is_lost_and_nothing_shared() {
    const ITEMS: usize = 20;
    let (_, queue) = queue::<usize>();
    let added: Vec<_> = (0..ITEMS).map(|_| AtomicUsize::new(0)).collect();
    let seen: Vec<_> = (0..ITEMS).map(|_| AtomicUsize::new(0)).collect();
    let busy: Vec<_> = (0..ITEMS).map(|_| AtomicUsize::new(0)).collect();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(item) = block_on(queue.get()) {
                    assert_eq!(busy[*item].fetch_add(1, Ordering::SeqCst), 0, "nobody else has it");
                    seen[*item].store(added[*item].load(Ordering::SeqCst), Ordering::SeqCst);
                    thread::yield_now();
                    busy[*item].fetch_sub(1, Ordering::SeqCst);
                }
            });
        }
        let producers: Vec<_> = (0..4)
            .map(|number| {
                let (queue, added) = (&queue, &added);
                scope.spawn(move || {
                    for round in 0..2000 {
                        let item = (round * 7 + number) % ITEMS;
                        added[item].fetch_add(1, Ordering::SeqCst);
                        queue.add(item);
                    }
                })
            })
            .collect();
        for producer in producers {
            producer.join().unwrap();
        }
        block_on(queue.shut_down_with_drain());
    });
    let counts = |counts: &[AtomicUsize]| counts.iter().map(|count| count.load(Ordering::SeqCst)).collect::<Vec<_>>();
    assert_eq!(counts(&seen), counts(&added), "each was looked at after it was last added");
}
