import HelioCore

/// Heliograph's header extension that marks a repair picture, on the first packet of its frame: the RTP timestamp of
/// the first frame that it repairs losses after.
///
/// Whoever has that frame, or any later one, as the last whole one can go on with the marked one.
package struct RepairExtension: RTPExtensionValue {
    package static let uri = "urn:heliograph:repair"
    /// The length of the element with its one-byte head, in bytes.
    package static let elementSize = 5
    /// The RTP timestamp of that frame.
    package var since: UInt32

    package init(since: UInt32) { self.since = since }
    package init?(data: RawSpan) {
        guard data.byteCount == 4, let since = data.uint32(at: 0) else { return nil }
        self.since = since
    }
    package func write(into data: inout [UInt8]) { data.append(bigEndian: since) }
}
