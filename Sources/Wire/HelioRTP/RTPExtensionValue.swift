import HelioCore

/// A header extension element's value, which converts from and to the element's data.
///
/// SDP assigns the element's ID to the URI (RFC 8285 section 5).
package protocol RTPExtensionValue: Hashable, Sendable {
    static var uri: String { get }
    /// Reads the data; `nil` if it is malformed.
    init?(data: RawSpan)
    /// Appends the data without the element's header.
    func write(into data: inout [UInt8])
}

extension RTPExtensionValue {
    /// Makes the element with this ID, for ``RTPHeaderExtension/write(_:into:)``.
    package func element(id: UInt8) -> RTPHeaderExtension.Element {
        var data: [UInt8] = []
        write(into: &data)
        return RTPHeaderExtension.Element(id: id, data: data)
    }

    /// Reads the element `id` of a packet; `nil` if there is none, or its data is malformed.
    package init?(id: UInt8, of header: RTPHeader, in packet: RawSpan) {
        guard let range = RTPHeaderExtension.find(id: id, of: header, in: packet) else { return nil }
        self.init(data: packet.extracting(range))
    }
}
