import HelioCore

/// Reads AMF0 values from bytes, one after the other.
struct AMF0Reader {
    private let bytes: [UInt8]
    private var offset: Int
    private var count = 0

    init(_ bytes: [UInt8], from offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    var isAtEnd: Bool { offset >= bytes.count }

    mutating func value(depth: Int = 0) throws(AMF0Fault) -> AMF0Value {
        count += 1
        guard count <= AMF0Value.maximumCount, depth <= AMF0Value.maximumDepth else { throw .tooMany }
        switch try byte() {
        case 0: return .number(try double())
        case 1: return .boolean(try byte() != 0)
        case 2: return .string(try text(Int(try uint16())))
        case 3: return .object(try properties(depth))
        case 5: return .null
        // Undefined (6), and "unsupported" (0D), which replaces a value that the sender could not express in AMF0.
        case 6, 0x0D: return .undefined
        case 8:
            // The number of properties is only a hint; an end marker ends the list.
            _ = try uint32()
            return .ecmaArray(try properties(depth))
        case 0x0A:
            let length = Int(try uint32())
            // Each value takes at least one byte.
            guard length <= bytes.count - offset else { throw .cutShort }
            var values: [AMF0Value] = []
            for _ in 0..<length { values.append(try value(depth: depth + 1)) }
            return .array(values)
        case 0x0B:
            let time = try double()
            _ = try uint16()
            return .date(time)
        // A long string, and XML, which has the same format.
        case 0x0C, 0x0F: return .string(try text(Int(try uint32())))
        case 0x10:
            _ = try text(Int(try uint16()))
            return .object(try properties(depth))
        default: throw .unsupported
        }
    }

    private mutating func properties(_ depth: Int) throws(AMF0Fault) -> [AMF0Property] {
        var properties: [AMF0Property] = []
        while true {
            let length = Int(try uint16())
            if length == 0 {
                guard try byte() == 9 else { throw .unsupported }
                return properties
            }
            let name = try text(length)
            properties.append(AMF0Property(name, try value(depth: depth + 1)))
        }
    }

    private mutating func byte() throws(AMF0Fault) -> UInt8 {
        guard let value = bytes.span.bytes.uint8(at: offset) else { throw .cutShort }
        offset += 1
        return value
    }

    private mutating func uint16() throws(AMF0Fault) -> UInt16 {
        guard let value = bytes.span.bytes.uint16(at: offset) else { throw .cutShort }
        offset += 2
        return value
    }

    private mutating func uint32() throws(AMF0Fault) -> UInt32 {
        guard let value = bytes.span.bytes.uint32(at: offset) else { throw .cutShort }
        offset += 4
        return value
    }

    private mutating func double() throws(AMF0Fault) -> Double {
        guard let value = bytes.span.bytes.uint64(at: offset) else { throw .cutShort }
        offset += 8
        return Double(bitPattern: value)
    }

    private mutating func text(_ length: Int) throws(AMF0Fault) -> String {
        guard length <= bytes.count - offset else { throw .cutShort }
        defer { offset += length }
        return String(decoding: bytes[offset..<offset + length], as: UTF8.self)
    }
}
