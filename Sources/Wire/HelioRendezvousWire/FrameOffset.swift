import HelioCore

/// The offset of the next field of a frame, whose fields are big-endian. The reads of `RawSpan` below check the length
/// and advance the offset.
struct FrameOffset {
    /// The number of bytes read so far.
    fileprivate(set) var value = 0
}

extension RawSpan {
    func take8(_ offset: inout FrameOffset) throws(RendezvousWireError) -> UInt8 {
        guard let value = uint8(at: offset.value) else { throw .truncated }
        offset.value += 1
        return value
    }

    func take32(_ offset: inout FrameOffset) throws(RendezvousWireError) -> UInt32 {
        guard let value = uint32(at: offset.value) else { throw .truncated }
        offset.value += 4
        return value
    }

    /// Reads `count` bytes.
    func take(_ count: Int, _ offset: inout FrameOffset) throws(RendezvousWireError) -> [UInt8] {
        guard let bytes = bytes(at: offset.value, count: count) else { throw .truncated }
        offset.value += count
        return bytes
    }

    /// Reads the remaining bytes, at most `limit`.
    func takeRest(limit: Int, _ offset: inout FrameOffset) throws(RendezvousWireError) -> [UInt8] {
        guard byteCount - offset.value <= limit else { throw .tooLarge }
        return try take(byteCount - offset.value, &offset)
    }

    /// Reads one byte, the number of elements that follow.
    func takeCount(limit: Int, _ offset: inout FrameOffset) throws(RendezvousWireError) -> Int {
        let count = Int(try take8(&offset))
        guard count <= limit else { throw .tooLarge }
        return count
    }

    /// Reads a text of at most `limit` bytes, which its length in one byte precedes.
    func takeText(limit: Int, _ offset: inout FrameOffset) throws(RendezvousWireError) -> String {
        let count = try takeCount(limit: limit, &offset)
        guard let text = String(validating: try take(count, &offset), as: UTF8.self) else { throw .badText }
        return text
    }

    /// Reads one byte, the raw value of an enum.
    func takeCase<Value: RawRepresentable>(
        _: Value.Type, _ offset: inout FrameOffset
    ) throws(RendezvousWireError) -> Value where Value.RawValue == UInt8 {
        guard let value = Value(rawValue: try take8(&offset)) else { throw .badValue }
        return value
    }

    /// Checks that the frame ends here.
    func end(_ offset: FrameOffset) throws(RendezvousWireError) {
        guard offset.value == byteCount else { throw .trailingBytes }
    }
}

extension [UInt8] {
    /// Appends a text, its length in one byte before it. The caller ensures that it has at most `limit` bytes.
    mutating func append(text: String, limit: Int) {
        precondition(text.utf8.count <= limit, "a text is too long for its field")
        append(UInt8(text.utf8.count))
        append(contentsOf: text.utf8)
    }
}
