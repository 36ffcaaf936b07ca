import HelioCore
import HelioJSON

/// Writes one message: its type first, then its fields in the order in which they are set.
struct MessageText {
    private var object = JSONObject()

    init(_ type: String) { object["type"] = .string(type) }

    /// Makes an object within a message; unlike a message it has no type.
    private init() {}

    static func part(_ write: (inout MessageText) -> Void) -> JSON {
        var part = MessageText()
        write(&part)
        return .object(part.object)
    }

    /// Makes a message that is nested in another message.
    static func message(_ type: String, _ write: (inout MessageText) -> Void) -> JSON {
        var message = MessageText(type)
        write(&message)
        return .object(message.object)
    }

    func serialised() -> [UInt8] { JSON.object(object).serialised() }

    mutating func set(_ name: String, _ value: JSON) { object[name] = value }
    mutating func set(_ name: String, _ number: Double) { object[name] = .number(number) }
    mutating func set(_ name: String, _ integer: some BinaryInteger) { object[name] = JSON(integer) }
    mutating func set(_ name: String, _ flag: Bool) { object[name] = .bool(flag) }

    /// Sets a text field, or omits it if the text is `nil`.
    mutating func set(_ name: String, _ text: String?) { object[name] = text.map(JSON.string) }
    mutating func set(_ name: String, _ bytes: [UInt8]?) { object[name] = bytes.map { .string(Base64URL.encode($0)) } }

    /// Sets human-readable text, truncated to `limit` bytes of UTF-8.
    mutating func set(_ name: String, _ text: String, cutTo limit: Int) {
        var scalars = String.UnicodeScalarView()
        var size = 0
        for scalar in text.unicodeScalars {
            size += UTF8.width(scalar)
            if size > limit { break }
            scalars.append(scalar)
        }
        object[name] = .string(String(scalars))
    }
}
