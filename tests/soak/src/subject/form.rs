//! What is compared of an object, by the form it is held in.

use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret};
use porthole_client_core::{
    meta::ObjectMeta,
    object::{Compact, Object as _, PartialObjectMetadata, Unstructured, WireObject},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// A form of object whose content can be compared with what kubectl prints of it.
pub(crate) trait Form: WireObject {
    /// What it holds.
    fn content(&self) -> Result<Value, String>;

    /// What an object that kubectl printed holds in this form.
    fn expected(printed: Value) -> Result<Value, String>;
}

fn told<T>(result: Result<T, impl ToString>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

fn written(object: &impl Serialize) -> Result<Value, String> {
    told(serde_json::to_value(object)).map(bare)
}

fn read_and_written<T: Serialize + DeserializeOwned>(printed: Value) -> Result<Value, String> {
    written(&told(serde_json::from_value::<T>(printed))?)
}

/// Without what an item of a list does not say of itself.
fn bare(mut object: Value) -> Value {
    if let Value::Object(members) = &mut object {
        members.remove("apiVersion");
        members.remove("kind");
    }
    object
}

macro_rules! typed {
    ($($kind:ty),*) => {$(
        impl Form for $kind {
            fn content(&self) -> Result<Value, String> {
                written(self)
            }

            fn expected(printed: Value) -> Result<Value, String> {
                read_and_written::<Self>(printed)
            }
        }

        impl Form for Compact<$kind> {
            fn content(&self) -> Result<Value, String> {
                // Its text is kept as it came, and it can be read.
                told(self.read())?;
                told(serde_json::from_str(self.as_json())).map(bare)
            }

            fn expected(printed: Value) -> Result<Value, String> {
                Ok(bare(printed))
            }
        }
    )*};
}

typed!(ConfigMap, Pod, Secret);

impl Form for Unstructured {
    fn content(&self) -> Result<Value, String> {
        told(serde_json::from_str(self.as_json())).map(bare)
    }

    fn expected(printed: Value) -> Result<Value, String> {
        Ok(bare(printed))
    }
}

impl Form for PartialObjectMetadata {
    fn content(&self) -> Result<Value, String> {
        written(&self.metadata())
    }

    fn expected(mut printed: Value) -> Result<Value, String> {
        read_and_written::<ObjectMeta>(printed.get_mut("metadata").map(Value::take).unwrap_or_default())
    }
}
