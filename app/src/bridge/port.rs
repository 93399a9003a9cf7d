//! Messages as bytes over a `MessagePort`.

use js_sys::{Array, Uint8Array};
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::{JsCast as _, closure::Closure};
use web_sys::{MessageEvent, MessagePort};

/// One end. Dropping it closes it.
pub(crate) struct Port {
    port: MessagePort,
    _listener: Closure<dyn FnMut(MessageEvent)>,
}

impl Port {
    /// Listens at `port`. Bytes that are no message (of another build, say) are told on the console.
    pub(crate) fn new<M: DeserializeOwned>(port: MessagePort, mut receive: impl FnMut(M) + 'static) -> Self {
        let listener = Closure::new(move |event: MessageEvent| {
            let bytes = Uint8Array::new(&event.data()).to_vec();
            match postcard::from_bytes(&bytes) {
                Ok(message) => receive(message),
                Err(error) => leptos::logging::error!("a message of {} bytes could not be read: {error}", bytes.len()),
            }
        });
        port.set_onmessage(Some(listener.as_ref().unchecked_ref()));
        Self { port, _listener: listener }
    }

    /// Sends `message`; the other side may be gone, which shows by its silence.
    pub(crate) fn send(&self, message: &impl Serialize) {
        match postcard::to_allocvec(message) {
            Ok(bytes) => {
                let array = Uint8Array::from(bytes.as_slice());
                let buffer = Array::of1(&array.buffer());
                if let Err(error) = self.port.post_message_with_transferable(&array.buffer(), &buffer) {
                    leptos::logging::error!("a message could not be sent: {error:?}");
                }
            }
            Err(error) => leptos::logging::error!("a message could not be written: {error}"),
        }
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        self.port.set_onmessage(None);
        self.port.close();
    }
}
