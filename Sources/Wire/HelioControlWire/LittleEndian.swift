import HelioCore

// Control messages are little-endian throughout (requirements, decision "Control packet"). These functions read a field
// and advance the offset; Core's reads check the length.

extension RawSpan {
    func take8(_ offset: inout Int) throws(ControlWireError) -> UInt8 {
        guard let value = uint8(at: offset) else { throw .truncated }
        offset += 1
        return value
    }

    func take16(_ offset: inout Int) throws(ControlWireError) -> UInt16 {
        guard let value = uint16(at: offset) else { throw .truncated }
        offset += 2
        return value.byteSwapped
    }

    func take32(_ offset: inout Int) throws(ControlWireError) -> UInt32 {
        guard let value = uint32(at: offset) else { throw .truncated }
        offset += 4
        return value.byteSwapped
    }

    func take64(_ offset: inout Int) throws(ControlWireError) -> UInt64 {
        guard let value = uint64(at: offset) else { throw .truncated }
        offset += 8
        return value.byteSwapped
    }

    func takePoint(_ offset: inout Int) throws(ControlWireError) -> NormalizedPoint {
        let x = Float(bitPattern: try take32(&offset))
        let y = Float(bitPattern: try take32(&offset))
        guard let point = NormalizedPoint(x: x, y: y) else { throw .badCoordinate }
        return point
    }

    /// Reads UTF-8 of `count` bytes, which has to be within `sizes`.
    func takeText(_ count: Int, in sizes: ClosedRange<Int>, _ offset: inout Int) throws(ControlWireError) -> String {
        guard sizes.contains(count) else { throw .badText }
        guard let characters = bytes(at: offset, count: count) else { throw .truncated }
        guard let text = String(validating: characters, as: UTF8.self) else { throw .badText }
        offset += count
        return text
    }

    /// Reads one byte, 0 or 1.
    func takeFlag(_ offset: inout Int) throws(ControlWireError) -> Bool {
        let value = try take8(&offset)
        guard value <= 1 else { throw .badValue }
        return value == 1
    }
}

extension [UInt8] {
    mutating func append(_ point: NormalizedPoint) {
        append(littleEndian: point.x.bitPattern)
        append(littleEndian: point.y.bitPattern)
    }

    mutating func append(flag: Bool) { append(flag ? 1 : 0) }
}
