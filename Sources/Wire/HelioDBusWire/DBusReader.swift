/// Reads values of either byte order. What it reads is a peer's: nothing is taken for granted.
struct DBusReader {
    private let bytes: ArraySlice<UInt8>
    private let isBigEndian: Bool
    private var at: Int
    /// The values that may still be read, as a byte of an array is a value of many bytes here.
    private var budget = 65_536

    /// - Parameter bytes: alignment counts from the first of these.
    init(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
        self.bytes = bytes
        self.isBigEndian = isBigEndian
        at = bytes.startIndex
    }

    /// The number of bytes that are not read yet.
    var rest: Int { bytes.endIndex - at }

    /// Reads the values of a signature.
    mutating func values(_ signature: String) throws(DBusFault) -> [DBusValue] {
        var values: [DBusValue] = []
        for type in try DBusSignature.types(in: signature) { values.append(try value(type, depth: 0)) }
        return values
    }

    mutating func align(to alignment: Int) throws(DBusFault) {
        while (at - bytes.startIndex) % alignment != 0 {
            guard at < bytes.endIndex else { throw .truncated }
            guard bytes[at] == 0 else { throw .malformed }
            at += 1
        }
    }

    private mutating func value(_ type: String, depth: Int) throws(DBusFault) -> DBusValue {
        budget -= 1
        guard budget >= 0, depth <= DBusSignature.mostDepth else { throw .tooLarge }
        switch type.utf8.first {
        case UInt8(ascii: "y"): return .byte(try integer())
        case UInt8(ascii: "b"):
            let value: UInt32 = try integer()
            guard value <= 1 else { throw .malformed }
            return .bool(value == 1)
        case UInt8(ascii: "n"): return .int16(Int16(bitPattern: try integer()))
        case UInt8(ascii: "q"): return .uint16(try integer())
        case UInt8(ascii: "i"): return .int32(Int32(bitPattern: try integer()))
        case UInt8(ascii: "u"): return .uint32(try integer())
        case UInt8(ascii: "x"): return .int64(Int64(bitPattern: try integer()))
        case UInt8(ascii: "t"): return .uint64(try integer())
        case UInt8(ascii: "d"): return .double(Double(bitPattern: try integer()))
        case UInt8(ascii: "s"): return .string(try text(Int(try integer() as UInt32)))
        case UInt8(ascii: "o"): return .path(try text(Int(try integer() as UInt32)))
        case UInt8(ascii: "g"): return .signature(try text(Int(try integer() as UInt8)))
        case UInt8(ascii: "h"): return .descriptor(try integer())
        case UInt8(ascii: "v"):
            let types = try DBusSignature.types(in: try text(Int(try integer() as UInt8)))
            guard types.count == 1 else { throw .badSignature }
            return .variant(try value(types[0], depth: depth + 1))
        case UInt8(ascii: "a"): return try array(String(type.dropFirst()), depth: depth)
        case UInt8(ascii: "("):
            try align(to: 8)
            var fields: [DBusValue] = []
            for field in try DBusSignature.types(in: String(type.dropFirst().dropLast())) {
                fields.append(try value(field, depth: depth + 1))
            }
            return .structure(fields)
        case UInt8(ascii: "{"):
            try align(to: 8)
            let types = try DBusSignature.types(in: String(type.dropFirst().dropLast()))
            guard types.count == 2 else { throw .badSignature }
            return .entry(try value(types[0], depth: depth + 1), try value(types[1], depth: depth + 1))
        default: throw .badSignature
        }
    }

    private mutating func array(_ element: String, depth: Int) throws(DBusFault) -> DBusValue {
        let size = Int(try integer() as UInt32)
        try align(to: DBusSignature.alignment(of: element))
        guard size <= rest else { throw .truncated }
        let end = at + size
        var values: [DBusValue] = []
        while at < end { values.append(try value(element, depth: depth + 1)) }
        guard at == end else { throw .malformed }
        return .array(element, values)
    }

    private mutating func text(_ size: Int) throws(DBusFault) -> String {
        guard size < rest else { throw .truncated }
        let utf8 = bytes[at..<at + size]
        guard bytes[at + size] == 0, !utf8.contains(0) else { throw .malformed }
        at += size + 1
        return String(decoding: utf8, as: UTF8.self)
    }

    private mutating func integer<Value: FixedWidthInteger>() throws(DBusFault) -> Value {
        let size = Value.bitWidth / 8
        try align(to: size)
        guard size <= rest else { throw .truncated }
        var value: Value = 0
        for index in 0..<size {
            value =
                value << (size > 1 ? 8 : 0)
                | Value(truncatingIfNeeded: bytes[isBigEndian ? at + index : at + size - 1 - index])
        }
        at += size
        return value
    }
}
