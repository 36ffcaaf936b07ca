/// A value of a message (D-Bus Specification 0.42, "Type System").
package indirect enum DBusValue: Sendable, Hashable {
    case byte(UInt8)
    case bool(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case path(String)
    case signature(String)
    /// A file descriptor, as its index among those that come with the message.
    case descriptor(UInt32)
    /// An array, with the signature of its elements.
    case array(String, [DBusValue])
    case structure([DBusValue])
    /// A key and a value of a dictionary, which is an array of these.
    case entry(DBusValue, DBusValue)
    case variant(DBusValue)

    /// Makes a dictionary of names and variants (`a{sv}`), in the order of the names.
    package static func options(_ values: [String: DBusValue]) -> DBusValue {
        .array("{sv}", values.sorted { $0.key < $1.key }.map { .entry(.string($0.key), .variant($0.value)) })
    }

    /// Makes an array of strings (`as`).
    package static func strings(_ texts: [String]) -> DBusValue { .array("s", texts.map { .string($0) }) }

    /// The signature of the value's type.
    package var typeSignature: String {
        switch self {
        case .byte: "y"
        case .bool: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .path: "o"
        case .signature: "g"
        case .descriptor: "h"
        case .array(let element, _): "a" + element
        case .structure(let fields): "(" + fields.map(\.typeSignature).joined() + ")"
        case .entry(let key, let value): "{" + key.typeSignature + value.typeSignature + "}"
        case .variant: "v"
        }
    }

    // MARK: Reading values of types that a peer chooses

    /// The value itself, or the one inside of variants.
    package var unwrapped: DBusValue {
        if case .variant(let value) = self { value.unwrapped } else { self }
    }

    /// The text of a string, path or signature; `nil` for any other type.
    package var text: String? {
        switch unwrapped {
        case .string(let text), .path(let text), .signature(let text): text
        default: nil
        }
    }

    /// The value of an integer, whatever its size; `nil` for any other type, and for what `Int` can't hold.
    package var number: Int? {
        switch unwrapped {
        case .byte(let value): Int(value)
        case .int16(let value): Int(value)
        case .uint16(let value): Int(value)
        case .int32(let value): Int(value)
        case .uint32(let value): Int(value)
        case .int64(let value): Int(value)
        case .uint64(let value): Int(exactly: value)
        case .descriptor(let index): Int(index)
        default: nil
        }
    }

    package var isTrue: Bool? {
        if case .bool(let value) = unwrapped { value } else { nil }
    }

    package var fraction: Double? {
        if case .double(let value) = unwrapped { value } else { nil }
    }

    /// The elements of an array or the fields of a structure; empty for any other type.
    package var elements: [DBusValue] {
        switch unwrapped {
        case .array(_, let elements), .structure(let elements): elements
        default: []
        }
    }

    /// The values of a dictionary with text for keys, without their variants; empty for any other type. Of a key that
    /// occurs twice, the last value counts.
    package var dictionary: [String: DBusValue] {
        var values: [String: DBusValue] = [:]
        for case .entry(let key, let value) in elements {
            if let key = key.text { values[key] = value.unwrapped }
        }
        return values
    }
}
