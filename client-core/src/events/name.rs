//! The names of events.

use super::moments::Moment;
use crate::{meta::ObjectName, platform::Platform, selector::is_dns_name};

/// The name of an event about `regarding` at this time; a name by chance where that would be none that an event can have
/// (client-go `tools/record/util`, `GenerateEventName`).
pub(super) fn event_name(regarding: &ObjectName, moment: Moment, platform: &dyn Platform) -> ObjectName {
    let name = format!("{regarding}.{:x}", moment.0);
    if is_dns_name(&name) { name.into() } else { uuid(platform).into() }
}

/// A random UUID (RFC 9562, version 4).
fn uuid(platform: &dyn Platform) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from zero to the greatest there is")]
    let bits = (0..4).fold(0_u128, |bits, _| bits << 32 | u128::from((platform.random() * 4_294_967_296.0) as u32));
    let bits = bits & !(0xf << 76 | 0x3 << 62) | 0x4 << 76 | 0x2 << 62;
    let part = |shift: u32, digits: usize| format!("{:0digits$x}", (bits >> shift) & ((1 << (digits * 4)) - 1));
    [part(96, 8), part(80, 4), part(64, 4), part(48, 4), part(0, 12)].join("-")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::platform::FakePlatform;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn an_event_is_named_after_its_object_and_its_time_or_by_chance_where_that_is_no_name() {
        let platform = FakePlatform::default();
        platform.set_seed(1);
        let name = |of: &str| event_name(&of.into(), Moment(105_999_103_295_324_396), &platform).to_string();
        assert_eq!(name("test-pod"), "test-pod.178959f726d80ec");
        let long = "x".repeat(300);
        for no_name in [&long, "test.POD", "test.pod/invalid!chars?", "--test.pod/invalid!chars?", "2001:db8::123", ""] {
            let names: BTreeSet<_> = (0..50).map(|_| name(no_name)).collect();
            assert_eq!(names.len(), 50, "each another");
            for name in names {
                assert!(is_dns_name(&name), "{name}");
                let lengths: Vec<_> = name.split('-').map(str::len).collect();
                assert_eq!(lengths, [8, 4, 4, 4, 12], "{name}");
                let bytes = name.as_bytes();
                assert!(bytes[14] == b'4' && matches!(bytes[19], b'8' | b'9' | b'a' | b'b'), "{name} is a UUID of version 4");
            }
        }
    }
}
