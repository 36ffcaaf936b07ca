/// The errors of a format whose fields are read at a `FieldOffset`.
package protocol FieldError: Error {
    /// The error of a field that is longer than the rest of the message.
    static var truncated: Self { get }
    /// The error of a flag that is neither 0 nor 1.
    static var badValue: Self { get }
}

/// The offset of the next field of a message in a format of little-endian fields. The reads of `RawSpan` below check
/// the length, advance the offset, and throw the format's own `Failure`.
package struct FieldOffset<Failure: FieldError> {
    /// The number of bytes read so far.
    package fileprivate(set) var value = 0

    package init() {}
}

extension RawSpan {
    package func take8<Failure: FieldError>(_ offset: inout FieldOffset<Failure>) throws(Failure) -> UInt8 {
        guard let value = uint8(at: offset.value) else { throw Failure.truncated }
        offset.value += 1
        return value
    }

    package func take16<Failure: FieldError>(_ offset: inout FieldOffset<Failure>) throws(Failure) -> UInt16 {
        guard let value = uint16(at: offset.value) else { throw Failure.truncated }
        offset.value += 2
        return value.byteSwapped
    }

    package func take32<Failure: FieldError>(_ offset: inout FieldOffset<Failure>) throws(Failure) -> UInt32 {
        guard let value = uint32(at: offset.value) else { throw Failure.truncated }
        offset.value += 4
        return value.byteSwapped
    }

    package func take64<Failure: FieldError>(_ offset: inout FieldOffset<Failure>) throws(Failure) -> UInt64 {
        guard let value = uint64(at: offset.value) else { throw Failure.truncated }
        offset.value += 8
        return value.byteSwapped
    }

    /// Reads one byte, 0 or 1.
    package func takeFlag<Failure: FieldError>(_ offset: inout FieldOffset<Failure>) throws(Failure) -> Bool {
        let value = try take8(&offset)
        guard value <= 1 else { throw Failure.badValue }
        return value == 1
    }

    /// Reads `count` bytes.
    package func take<Failure: FieldError>(
        _ count: Int, _ offset: inout FieldOffset<Failure>
    ) throws(Failure) -> [UInt8] {
        guard let bytes = bytes(at: offset.value, count: count) else { throw Failure.truncated }
        offset.value += count
        return bytes
    }

    /// Reads the remaining bytes.
    package func takeRest<Failure: FieldError>(_ offset: inout FieldOffset<Failure>) throws(Failure) -> [UInt8] {
        try take(byteCount - offset.value, &offset)
    }
}
