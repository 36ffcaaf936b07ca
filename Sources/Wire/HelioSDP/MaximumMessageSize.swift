/// `a=max-message-size:262144`: the longest message that this end takes on a data channel (RFC 8841 section 6).
package struct MaximumMessageSize: AttributeValue {
    package static let attributeName = "max-message-size"
    /// What holds where nothing is said.
    package static let usual: UInt64 = 65_536
    /// Bytes; 0 for no limit.
    package var bytes: UInt64

    package init(_ bytes: UInt64) { self.bytes = bytes }
    package init?(attributeValue: String?) {
        guard let attributeValue, let bytes = Text.decimal(attributeValue) else { return nil }
        self.bytes = bytes
    }
    package var attributeValue: String? { String(bytes) }
}
