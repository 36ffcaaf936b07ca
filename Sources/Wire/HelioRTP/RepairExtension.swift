import HelioCore

/// Heliograph's header extension on the first packet of a repair picture: the RTP timestamp of the first frame that can
/// serve as the picture's reference.
///
/// A viewer whose last complete frame has this timestamp or a later one can decode the repair picture.
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
