//! Writing the fields of a message.

/// Writes a whole number in groups of seven bits.
pub(super) fn varint(mut value: u64, out: &mut Vec<u8>) {
    loop {
        let byte = value.to_le_bytes()[0];
        value >>= 7;
        if value == 0 {
            return out.push(byte & 0x7f);
        }
        out.push(byte | 0x80);
    }
}

/// Writes a field that holds a number.
pub(super) fn number_field(number: u32, value: i64, out: &mut Vec<u8>) {
    varint(u64::from(number) << 3, out);
    varint(value.cast_unsigned(), out);
}

/// Writes a field that holds a float.
pub(super) fn float_field(number: u32, value: f64, out: &mut Vec<u8>) {
    varint((u64::from(number) << 3) | 1, out);
    out.extend_from_slice(&value.to_le_bytes());
}

/// Writes a field that holds bytes: a text or a message as well.
pub(super) fn bytes_field(number: u32, bytes: &[u8], out: &mut Vec<u8>) {
    varint((u64::from(number) << 3) | 2, out);
    varint(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}
