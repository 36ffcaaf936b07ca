/// One message between a browser and the host: a JSON object with its `type` (docs/web/protocol.md).
///
/// Descriptions of a message name its type and nothing else: text and keys may be a password, and tickets, secrets and
/// credentials admit whoever has them.
package protocol RemoteMessage: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The most bytes of JSON text.
    static var maximumSize: Int { get }
    /// The message's `type`.
    var type: String { get }

    /// Parses a whole message; the bytes may be anyone's. Fields that are not known are passed over.
    init(parsing bytes: RawSpan) throws(RemoteWireError)
    /// Writes the text, no longer than `maximumSize` if each field keeps its own limit.
    func serialised() -> [UInt8]
}

extension RemoteMessage {
    package init(parsing bytes: [UInt8]) throws(RemoteWireError) { try self.init(parsing: bytes.span.bytes) }

    package var description: String { type }
    package var debugDescription: String { type }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
