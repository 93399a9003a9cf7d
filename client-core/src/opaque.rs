//! `Debug` of what holds connections, caches and secrets: its name, so that what holds it can be shown.

macro_rules! opaque_debug {
    ($($type:ident $(<$($parameter:ident),+>)?),* $(,)?) => {$(
        impl$(<$($parameter),+>)? std::fmt::Debug for $type$(<$($parameter),+>)? {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.debug_struct(stringify!($type)).finish_non_exhaustive()
            }
        }
    )*};
}
