mod contract;
mod indexes;
mod versions;
