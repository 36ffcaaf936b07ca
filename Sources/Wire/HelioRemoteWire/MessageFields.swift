import HelioCore
import HelioJSON

/// The fields of a message. Each read checks the field's type, range and length.
///
/// `null` counts as a missing field, unless a message specifies otherwise.
struct MessageFields {
    let type: String
    private let object: JSONObject
    /// The path of the object in the message, for errors, such as `list.`.
    private let path: String

    /// The maximum length of a `type`, in bytes.
    static let longestType = 32
    /// 2^53 - 1, the largest integer up to which JavaScript's numbers are exact.
    static let largestInteger = 9_007_199_254_740_991

    init(parsing bytes: RawSpan, limits: JSONLimits) throws(RemoteWireError) {
        let value: JSON
        do { value = try JSON(parsing: bytes, limits: limits) } catch { throw .notJSON(error) }
        guard let message = Self(message: value) else { throw .untyped }
        self = message
    }

    /// Makes the fields of a message; `nil` if the value is not an object with a valid `type`.
    private init?(message value: JSON) {
        guard case .object(let object) = value, case .string(let type)? = object["type"],
            (1...Self.longestType).contains(type.utf8.count)
        else { return nil }
        self.init(object, type: type, path: "")
    }

    private init(_ object: JSONObject, type: String, path: String) {
        self.object = object
        self.type = type
        self.path = path
    }

    func malformed(_ name: String) -> RemoteWireError { .malformed(type: type, field: path + name) }

    /// The value of a field; `nil` if it is missing, or `null`.
    func value(_ name: String) -> JSON? {
        guard let value = object[name], value != .null else { return nil }
        return value
    }

    /// Returns true if the field is present and `null`.
    func isNull(_ name: String) -> Bool { object[name] == .null }

    // MARK: Required fields

    func number(_ name: String, in range: ClosedRange<Double>) throws(RemoteWireError) -> Double {
        guard case .number(let number)? = object[name], range.contains(number) else { throw malformed(name) }
        return number
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(RemoteWireError) -> Int {
        guard case .number(let number)? = object[name], let integer = Int(exactly: number), range.contains(integer)
        else { throw malformed(name) }
        return integer
    }

    func flag(_ name: String) throws(RemoteWireError) -> Bool {
        guard case .bool(let flag)? = object[name] else { throw malformed(name) }
        return flag
    }

    /// Reads a flag; a missing one is false.
    func optionalFlag(_ name: String) throws(RemoteWireError) -> Bool { value(name) == nil ? false : try flag(name) }

    /// Reads text; `size` is in bytes of UTF-8.
    func text(_ name: String, size: ClosedRange<Int>) throws(RemoteWireError) -> String {
        guard case .string(let text)? = object[name], size.contains(text.utf8.count) else { throw malformed(name) }
        return text
    }

    /// Reads base64url text that decodes to `count` bytes.
    func bytes(_ name: String, count: ClosedRange<Int>) throws(RemoteWireError) -> [UInt8] {
        guard case .string(let text)? = object[name], text.utf8.count <= (count.upperBound * 4 + 2) / 3,
            let bytes = Base64URL.decode(text), count.contains(bytes.count)
        else { throw malformed(name) }
        return bytes
    }

    func bytes(_ name: String, count: Int) throws(RemoteWireError) -> [UInt8] {
        try bytes(name, count: count...count)
    }

    func name<Value: RawRepresentable<String>>(
        _ name: String, of _: Value.Type
    ) throws(RemoteWireError) -> Value {
        guard case .string(let text)? = object[name], let value = Value(rawValue: text) else { throw malformed(name) }
        return value
    }

    /// Reads a list of at most `most` objects.
    func list(_ name: String, most: Int) throws(RemoteWireError) -> [MessageFields] {
        guard case .array(let values)? = object[name], values.count <= most else { throw malformed(name) }
        var list: [MessageFields] = []
        for value in values {
            guard case .object(let object) = value else { throw malformed(name) }
            list.append(MessageFields(object, type: type, path: "\(path)\(name)."))
        }
        return list
    }

    /// Reads a list of `count` messages; `nil` for each element that is not a message.
    func messages(_ name: String, count: ClosedRange<Int>) throws(RemoteWireError) -> [MessageFields?] {
        guard case .array(let values)? = object[name], count.contains(values.count) else { throw malformed(name) }
        return values.map { MessageFields(message: $0) }
    }

    /// Reads a list of at most `most` texts; `size` is in bytes of UTF-8.
    func texts(_ name: String, most: Int, size: ClosedRange<Int>) throws(RemoteWireError) -> [String] {
        guard case .array(let values)? = object[name], values.count <= most else { throw malformed(name) }
        var list: [String] = []
        for value in values {
            guard case .string(let text) = value, size.contains(text.utf8.count) else { throw malformed(name) }
            list.append(text)
        }
        return list
    }

    // MARK: Optional fields

    func optionalText(_ name: String, size: ClosedRange<Int>) throws(RemoteWireError) -> String? {
        value(name) == nil ? nil : try text(name, size: size)
    }

    func optionalBytes(_ name: String, count: Int) throws(RemoteWireError) -> [UInt8]? {
        value(name) == nil ? nil : try bytes(name, count: count)
    }
}
