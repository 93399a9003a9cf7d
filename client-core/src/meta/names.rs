//! Newtypes for names and ids.

use std::{borrow::Cow, fmt, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! name_from {
    ($name:ident: $(|$text:ident: $type:ty| $into:expr),*) => {$(
        impl From<$type> for $name {
            fn from($text: $type) -> Self {
                Self($into)
            }
        }
    )*};
}

macro_rules! name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The text of it.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Whether there is no text.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.0.is_empty()
            }
        }

        // One for each, so that what is none is told in words of its own.
        name_from!($name: |text: &str| text.into(), |text: &String| text.as_str().into(), |text: String| text.into(),
            |text: Arc<str>| text, |text: Box<str>| text.into(), |text: Cow<'_, str>| text.into());

        impl From<&Self> for $name {
            fn from(name: &Self) -> Self {
                name.clone()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer).map(Self::from)
            }
        }
    };
}

name! {
    /// The name of a namespace.
    Namespace
}
name! {
    /// The name of an object.
    ObjectName
}
name! {
    /// The uid the server gave an object.
    Uid
}
name! {
    /// A resource version: opaque, compared for equality only.
    ResourceVersion
}
name! {
    /// A cluster's identity: the uid of its namespace `kube-system`.
    ClusterId
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_name_is_made_of_any_text_and_of_another() {
        let (text, name) = ("a".to_owned(), ObjectName::from("a"));
        for made in [
            ObjectName::from("a"),
            ObjectName::from(&text),
            ObjectName::from(text.clone()),
            ObjectName::from(Arc::<str>::from("a")),
            ObjectName::from(Box::<str>::from("a")),
            ObjectName::from(Cow::Borrowed("a")),
            ObjectName::from(&name),
        ] {
            assert_eq!((&made, made.as_str(), made.is_empty()), (&name, "a", false));
        }
    }
}
