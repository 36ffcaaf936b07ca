/// One message between a browser and the host: a JSON object with its `type` (docs/web/protocol.md).
///
/// What describes a message names its type and nothing else: text and keys may be a password, and tickets, secrets and
/// credentials let somebody in.
package protocol RemoteMessage: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Bytes of JSON text.
    static var maximumSize: Int { get }
    /// As in `type`.
    var type: String { get }

    /// Takes a whole message; the bytes may be anyone's. Fields that are not known are passed over.
    init(parsing bytes: RawSpan) throws(RemoteWireError)
    /// The text, no longer than `maximumSize` where each field keeps its own limit.
    func serialised() -> [UInt8]
}

extension RemoteMessage {
    package init(parsing bytes: [UInt8]) throws(RemoteWireError) { try self.init(parsing: bytes.span.bytes) }

    package var description: String { type }
    package var debugDescription: String { type }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
