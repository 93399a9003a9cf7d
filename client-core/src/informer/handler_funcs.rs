//! A handler made of closures.

use std::sync::Arc;

use super::EventHandler;
use crate::platform::MaybeSend;

type Add<T> = fn(&Arc<T>, bool);
type Update<T> = fn(&Arc<T>, &Arc<T>);
type Delete<T> = fn(&Arc<T>, bool);

/// A handler made of up to three closures (client-go `tools/cache/controller.go`, `ResourceEventHandlerFuncs` and
/// `ResourceEventHandlerDetailedFuncs`). Of what none was given for it hears nothing. Who wants all changes in one place has
/// [`on_change`](super::SharedInformer::on_change).
///
/// ```
/// use std::sync::Arc;
/// use porthole_client_core::{informer::HandlerFuncs, object::{Object as _, Unstructured}};
///
/// let handler = HandlerFuncs::<Unstructured>::new()
///     .on_add(|object, is_in_initial_list| println!("+ {} {is_in_initial_list}", object.name()))
///     .on_delete(|last, _is_final_state_unknown| println!("- {}", last.name()));
/// # drop(handler);
/// ```
#[derive(Clone, Debug)]
pub struct HandlerFuncs<T, A = Add<T>, U = Update<T>, D = Delete<T>> {
    add: A,
    update: U,
    delete: D,
    /// What the closures are called with, so that they need not say it.
    of: std::marker::PhantomData<fn(T)>,
}

impl<T> HandlerFuncs<T> {
    /// A handler that hears of nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self { add: |_, _| {}, update: |_, _| {}, delete: |_, _| {}, of: std::marker::PhantomData }
    }
}

impl<T> Default for HandlerFuncs<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, A, U, D> HandlerFuncs<T, A, U, D> {
    /// Calls this with each object that is new, and whether it was there before: [`EventHandler::on_add`].
    #[must_use]
    pub fn on_add<F: FnMut(&Arc<T>, bool)>(self, add: F) -> HandlerFuncs<T, F, U, D> {
        HandlerFuncs { add, update: self.update, delete: self.delete, of: self.of }
    }

    /// Calls this with each object that changed, before and after: [`EventHandler::on_update`].
    #[must_use]
    pub fn on_update<F: FnMut(&Arc<T>, &Arc<T>)>(self, update: F) -> HandlerFuncs<T, A, F, D> {
        HandlerFuncs { add: self.add, update, delete: self.delete, of: self.of }
    }

    /// Calls this with each object that is gone, and whether it went unseen: [`EventHandler::on_delete`].
    #[must_use]
    pub fn on_delete<F: FnMut(&Arc<T>, bool)>(self, delete: F) -> HandlerFuncs<T, A, U, F> {
        HandlerFuncs { add: self.add, update: self.update, delete, of: self.of }
    }
}

impl<T, A, U, D> EventHandler<T> for HandlerFuncs<T, A, U, D>
where
    T: 'static,
    A: FnMut(&Arc<T>, bool) + MaybeSend + 'static,
    U: FnMut(&Arc<T>, &Arc<T>) + MaybeSend + 'static,
    D: FnMut(&Arc<T>, bool) + MaybeSend + 'static,
{
    fn on_add(&mut self, object: &Arc<T>, is_in_initial_list: bool) {
        (self.add)(object, is_in_initial_list);
    }

    fn on_update(&mut self, before: &Arc<T>, after: &Arc<T>) {
        (self.update)(before, after);
    }

    fn on_delete(&mut self, last: &Arc<T>, is_final_state_unknown: bool) {
        (self.delete)(last, is_final_state_unknown);
    }
}
