import HelioCore

/// The header extension that names a stream's encoding within a media section by its `a=rid`, in ASCII (RFC 8852
/// section 3.1). It is only read, for logs and statistics; Heliograph sends one unnamed encoding per section.
package struct RestrictionIDExtension: RTPExtensionValue {
    package static let uri = "urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id"
    package var name: String

    package init(_ name: String) { self.name = name }
    package init?(data: RawSpan) {
        guard let name = RTPNameText.read(data) else { return nil }
        self.name = name
    }
    package func write(into data: inout [UInt8]) { data.append(contentsOf: name.utf8) }
}
