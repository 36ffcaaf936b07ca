/// `a=sctp-port:5000`: SCTP's port inside DTLS (RFC 8841 section 5).
package struct SCTPPort: AttributeValue {
    package static let attributeName = "sctp-port"
    /// The port that data channels use by default.
    package static let usual: UInt16 = 5000
    package var port: UInt16

    package init(_ port: UInt16) { self.port = port }
    package init?(attributeValue: String?) {
        guard let attributeValue, let port = Text.decimal(attributeValue).flatMap({ UInt16(exactly: $0) }), port > 0
        else { return nil }
        self.port = port
    }
    package var attributeValue: String? { String(port) }
}

/// `a=max-message-size:262144`: the longest message that this end accepts on a data channel (RFC 8841 section 6).
package struct MaximumMessageSize: AttributeValue {
    package static let attributeName = "max-message-size"
    /// The limit if the attribute is missing, in bytes.
    package static let usual: UInt64 = 65_536
    /// The limit in bytes; 0 for no limit.
    package var bytes: UInt64

    package init(_ bytes: UInt64) { self.bytes = bytes }
    package init?(attributeValue: String?) {
        guard let attributeValue, let bytes = Text.decimal(attributeValue) else { return nil }
        self.bytes = bytes
    }
    package var attributeValue: String? { String(bytes) }
}
