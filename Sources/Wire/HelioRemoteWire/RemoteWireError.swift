public import HelioJSON

/// The reason why bytes can't be parsed as a message of the expected kind. The receiver drops and counts such messages,
/// and sends a report.
public enum RemoteWireError: Error, Hashable, Sendable {
    /// The bytes are no JSON (RFC 8259), or too long or too deep.
    case notJSON(JSONError)
    /// The message is not an object, or has no `type` of 1 ... 32 bytes.
    case untyped
    /// The type is unknown, or only valid in the other direction.
    case unknownType(String)
    /// A required field is missing, or a field has the wrong type, range or length.
    case malformed(type: String, field: String)

    /// The kinds of errors, with names for counts.
    public enum Reason: String, Sendable, CaseIterable, Hashable {
        case notJSON = "not-json"
        case untyped
        case unknownType = "unknown-type"
        case malformed
    }

    /// The kind of the error.
    public var reason: Reason {
        switch self {
        case .notJSON: .notJSON
        case .untyped: .untyped
        case .unknownType: .unknownType
        case .malformed: .malformed
        }
    }

    /// The `type` of the rejected message, if it is known.
    public var about: String? {
        switch self {
        case .notJSON, .untyped: nil
        case .unknownType(let type), .malformed(let type, _): type
        }
    }

    /// The report to send to the rejected message's sender.
    public var answer: RemoteErrorReport {
        let message =
            switch self {
            case .notJSON(let error): "not JSON: \(error)"
            case .untyped: "not an object with a type"
            case .unknownType: "unknown type"
            case .malformed(_, let field): "bad or missing field: \(field)"
            }
        return RemoteErrorReport(message: message, about: about)
    }
}

extension RemoteWireError: CustomStringConvertible, CustomReflectable {
    /// The reason, without any text from the sender.
    public var description: String { reason.rawValue }
    /// A mirror without the sender's text.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
