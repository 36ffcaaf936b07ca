/// One message between a browser and the host: a JSON object with its `type` (docs/web/protocol.md; requirement row
/// 124). It knows no transport.
///
/// Descriptions of a message contain only its type: text and keys may be a password, and tickets, secrets and
/// credentials admit anyone who has them.
public protocol RemoteMessage: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The maximum size of the message, in bytes of JSON.
    static var maximumSize: Int { get }
    /// The value of the message's JSON field `type`.
    var type: String { get }

    /// Parses a whole message from an untrusted sender. Unknown fields are ignored.
    init(parsing bytes: RawSpan) throws(RemoteWireError)
    /// Serialises the message, within `maximumSize` if each field respects its own limit.
    func serialised() -> [UInt8]
}

extension RemoteMessage {
    /// Parses a whole message from an untrusted sender. Unknown fields are ignored.
    public init(parsing bytes: [UInt8]) throws(RemoteWireError) { try self.init(parsing: bytes.span.bytes) }

    /// The message's type alone.
    public var description: String { type }
    /// The message's type alone.
    public var debugDescription: String { type }
    /// A mirror without fields.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
