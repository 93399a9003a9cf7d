//! Who is told by an informer.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::table_state::{TableHandler, TableNews};

/// The readers of an informer, in the order in which they came. Their lock is never held while one is called, so that
/// readers can leave just then (apimachinery's broadcaster takes care of the same, `watch/mux.go`).
#[derive(Default)]
pub(super) struct Readers(Mutex<List>);

#[derive(Default)]
struct List {
    /// The handler of one that is being called is with its caller.
    readers: Vec<(u64, Option<Box<dyn TableHandler>>)>,
    next: u64,
}

impl Readers {
    pub(super) fn add(&self, handler: Box<dyn TableHandler>) -> u64 {
        let mut list = self.lock();
        let number = list.next;
        list.next += 1;
        list.readers.push((number, Some(handler)));
        number
    }

    /// Takes one off; gives back how many are left.
    pub(super) fn remove(&self, number: u64) -> usize {
        let mut list = self.lock();
        list.readers.retain(|(other, _)| *other != number);
        list.readers.len()
    }

    /// Calls each that has not left by its turn.
    pub(super) fn tell<'a>(&self, news: impl Fn() -> TableNews<'a>) {
        let numbers: Vec<_> = self.lock().readers.iter().map(|(number, _)| *number).collect();
        for number in numbers {
            let handler = self.lock().place(number).and_then(Option::take);
            let Some(mut handler) = handler else { continue };
            handler(news());
            if let Some(place) = self.lock().place(number) {
                *place = Some(handler);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, List> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl List {
    fn place(&mut self, number: u64) -> Option<&mut Option<Box<dyn TableHandler>>> {
        self.readers.iter_mut().find(|(other, _)| *other == number).map(|(_, handler)| handler)
    }
}
