import HelioCore

/// A packet's sequence number across all streams of its transport, for ``TransportFeedback``
/// (draft-holmer-rmcat-transport-wide-cc-extensions-01 section 2).
///
/// The extension's second version has 4 bytes; its last two, a feedback request, are ignored.
package struct TransportSequence: RTPExtensionValue {
    package static let uri = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
    package var number: UInt16

    package init(_ number: UInt16) { self.number = number }
    package init?(data: RawSpan) {
        guard data.byteCount == 2 || data.byteCount == 4, let number = data.uint16(at: 0) else { return nil }
        self.number = number
    }
    package func write(into data: inout [UInt8]) { data.append(bigEndian: number) }
}
