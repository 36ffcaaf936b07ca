private import HelioCore

/// A value of AMF0 ([Action Message Format, AMF 0](https://rtmp.veriskope.com/pdf/amf0-file-format-specification.pdf)):
/// a byte with the type, then the contents; all numbers are big-endian.
///
/// ```
/// 00 number: 64-bit float    01 boolean: a byte    02 string: length (16), UTF-8    0C: length (32)    05 null
/// 03 object: name length (16), name, value, … 00 00 09    08 count (32), then as 03    06 undefined
/// 0A array: count (32), values    0B date: 64-bit float, zone (16)    10 class name, then as an object
/// ```
package enum AMF0Value: Sendable, Hashable {
    case number(Double)
    case boolean(Bool)
    case string(String)
    /// An object. Its properties keep their order, and a name may occur twice.
    case object([AMF0Property])
    /// An object preceded by an approximate number of its properties.
    case ecmaArray([AMF0Property])
    case array([AMF0Value])
    /// A date in milliseconds since 1970.
    case date(Double)
    case null
    case undefined

    /// The maximum nesting depth of objects and arrays.
    package static let maximumDepth = 8
    /// The maximum number of values in a message, including those in objects.
    package static let maximumCount = 2048

    /// Reads all values up to the end of the bytes; invalid UTF-8 in strings is repaired.
    ///
    /// - Parameter offset: the offset of the first value.
    package static func read(_ bytes: [UInt8], from offset: Int = 0) throws(AMF0Fault) -> [AMF0Value] {
        var reader = AMF0Reader(bytes, from: offset)
        var values: [AMF0Value] = []
        while !reader.isAtEnd { values.append(try reader.value()) }
        return values
    }

    package var text: String? { if case .string(let text) = self { text } else { nil } }
    package var number: Double? { if case .number(let number) = self { number } else { nil } }

    /// The first property of that name; `nil` for values that are not objects.
    package subscript(_ name: String) -> AMF0Value? {
        switch self {
        case .object(let properties), .ecmaArray(let properties): properties.first { $0.name == name }?.value
        default: nil
        }
    }

    package func write(into output: inout [UInt8]) {
        switch self {
        case .number(let number):
            output.append(0)
            output.append(bigEndian: number.bitPattern)
        case .boolean(let isTrue): output += [1, isTrue ? 1 : 0]
        case .string(let text):
            if let length = UInt16(exactly: text.utf8.count) {
                output.append(2)
                output.append(bigEndian: length)
            } else {
                output.append(0x0C)
                output.append(bigEndian: UInt32(text.utf8.count))
            }
            output.append(contentsOf: text.utf8)
        case .object(let properties):
            output.append(3)
            Self.write(properties, into: &output)
        case .ecmaArray(let properties):
            output.append(8)
            output.append(bigEndian: UInt32(properties.count))
            Self.write(properties, into: &output)
        case .array(let values):
            output.append(0x0A)
            output.append(bigEndian: UInt32(values.count))
            for value in values { value.write(into: &output) }
        case .date(let time):
            output.append(0x0B)
            output.append(bigEndian: time.bitPattern)
            output.append(bigEndian: UInt16(0))
        case .null: output.append(5)
        case .undefined: output.append(6)
        }
    }

    private static func write(_ properties: [AMF0Property], into output: inout [UInt8]) {
        // A property is left out if its name is empty or too long for a length of 16 bits.
        for property in properties {
            guard let length = UInt16(exactly: property.name.utf8.count), length > 0 else { continue }
            output.append(bigEndian: length)
            output.append(contentsOf: property.name.utf8)
            property.value.write(into: &output)
        }
        output += [0, 0, 9]
    }
}
