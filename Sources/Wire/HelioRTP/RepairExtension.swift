import HelioCore

/// Heliograph's header extension that marks a repair picture, on the first packet of its frame: the RTP timestamp of
/// the first frame that can serve as its reference.
///
/// A viewer whose last complete frame is that one or a later one can continue with the marked picture.
package struct RepairExtension: RTPExtensionValue {
    package static let uri = "urn:heliograph:repair"
    /// The length of the element with its one-byte header, in bytes.
    package static let elementSize = 5
    /// The RTP timestamp of the first frame that can serve as reference.
    package var since: UInt32

    package init(since: UInt32) { self.since = since }
    package init?(data: RawSpan) {
        guard data.byteCount == 4, let since = data.uint32(at: 0) else { return nil }
        self.since = since
    }
    package func write(into data: inout [UInt8]) { data.append(bigEndian: since) }
}
