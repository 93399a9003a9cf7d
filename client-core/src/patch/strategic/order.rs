//! The order of a merged list: what the patch says counts, then the order the server has.

use super::{directive::is_deletion, item::position};
use crate::json::Value;

/// Sorts `items` by their places in `order`, deletions to the end. Items that `order` lacks come first
/// (`normalizeSliceOrder`).
pub(super) fn by_order(mut items: Vec<Value>, order: &[Value], merge_key: Option<&str>) -> Vec<Value> {
    items.sort_by_cached_key(|item| {
        let deletion = is_deletion(item);
        (deletion, if deletion { None } else { position(order, item, merge_key) })
    });
    items
}

/// The merged list in its order: the items that `patch_order` has as it has them, the others of the server between
/// them as near to their old places as that allows (`normalizeElementOrder`, after the split into the two).
pub(super) fn ordered(merged: Vec<Value>, patch_order: &[Value], server_order: &[Value], merge_key: Option<&str>) -> Vec<Value> {
    let (ours, others): (Vec<_>, Vec<_>) = merged.into_iter().partition(|item| position(patch_order, item, merge_key).is_some());
    let ours = by_order(ours, patch_order, merge_key);
    let others = by_order(others, server_order, merge_key);
    interleaved(others, ours, server_order, merge_key)
}

/// Puts each of `others` before the first of `ours` that the server had behind it; both keep their own order
/// (`mergeSortedSlice`).
fn interleaved(others: Vec<Value>, ours: Vec<Value>, server_order: &[Value], merge_key: Option<&str>) -> Vec<Value> {
    let mut all = Vec::with_capacity(others.len() + ours.len());
    let mut others = others.into_iter().peekable();
    for our in ours {
        let place = position(server_order, &our, merge_key);
        let before = |other: &Value| {
            let other = position(server_order, other, merge_key);
            other.zip(place).is_some_and(|(other, place)| other < place)
        };
        while let Some(other) = others.next_if(before) {
            all.push(other);
        }
        all.push(our);
    }
    all.extend(others);
    all
}
