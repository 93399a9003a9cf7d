//! Discovery that remembers, in memory and in storage.

mod documents;
mod memory;
mod stored;

pub use documents::DocumentCache;
pub use memory::MemoryCache;
pub use stored::StoredCache;

#[cfg(test)]
mod tests;
