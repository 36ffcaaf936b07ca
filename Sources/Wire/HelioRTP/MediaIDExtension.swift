import HelioCore

/// The header extension that names a stream's media section by its `a=mid`, in ASCII (RFC 9143 section 15.1).
package struct MediaIDExtension: RTPExtensionValue {
    package static let uri = "urn:ietf:params:rtp-hdrext:sdes:mid"
    /// The `mid`, 1 to 255 bytes; more than 16 need the two-byte form.
    package var name: String

    package init(_ name: String) { self.name = name }
    package init?(data: RawSpan) {
        guard let name = RTPNameText.read(data) else { return nil }
        self.name = name
    }
    package func write(into data: inout [UInt8]) { data.append(contentsOf: name.utf8) }
}
