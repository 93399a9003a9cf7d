//! A value that views follow, for as long as the page lives.
//!
//! Guarantees: whoever read the value and followed it is told of each change; one who reads for another purpose is not.
//! Leptos' own signals do the same for values that come and go, at two to three kilobytes of code for each type.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use leptos::{
    prelude::{Notify as _, Track as _},
    reactive::signal::ArcTrigger,
};

/// A value that views follow. It is never freed, so it is for what there is once in a page.
pub(crate) struct Live<T: 'static>(&'static Inner<T>);

struct Inner<T> {
    value: RwLock<T>,
    changed: ArcTrigger,
}

impl<T> Clone for Live<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Live<T> {}

impl<T> Live<T> {
    /// A value.
    pub(crate) fn new(value: T) -> Self {
        Self(Box::leak(Box::new(Inner { value: RwLock::new(value), changed: ArcTrigger::new() })))
    }

    /// Looks at it, and follows it.
    pub(crate) fn with<R>(self, look: impl FnOnce(&T) -> R) -> R {
        self.track();
        look(&self.read())
    }

    /// Looks at it.
    pub(crate) fn with_untracked<R>(self, look: impl FnOnce(&T) -> R) -> R {
        look(&self.read())
    }

    /// Follows it.
    pub(crate) fn track(self) {
        track(&self.0.changed);
    }

    /// Puts another in its place.
    pub(crate) fn set(self, value: T) {
        // The one before is dropped when nothing is locked any more.
        let before = std::mem::replace(&mut *self.write(), value);
        notify(&self.0.changed);
        drop(before);
    }

    /// Changes it.
    pub(crate) fn update(self, change: impl FnOnce(&mut T)) {
        change(&mut self.write());
        notify(&self.0.changed);
    }

    /// Changes what nobody follows.
    pub(crate) fn update_untracked<R>(self, change: impl FnOnce(&mut T) -> R) -> R {
        change(&mut self.write())
    }

    fn read(self) -> RwLockReadGuard<'static, T> {
        self.0.value.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(self) -> RwLockWriteGuard<'static, T> {
        self.0.value.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Clone> Live<T> {
    /// A copy of it; who asks follows it.
    pub(crate) fn get(self) -> T {
        self.track();
        self.read().clone()
    }

    /// A copy of it.
    pub(crate) fn get_untracked(self) -> T {
        self.read().clone()
    }
}

impl<T: PartialEq> Live<T> {
    /// Puts another in its place, where it is another.
    pub(crate) fn set_changed(self, value: T) {
        let same = *self.read() == value;
        if !same {
            self.set(value);
        }
    }
}

#[inline(never)]
fn track(changed: &ArcTrigger) {
    changed.track();
}

#[inline(never)]
fn notify(changed: &ArcTrigger) {
    changed.notify();
}
