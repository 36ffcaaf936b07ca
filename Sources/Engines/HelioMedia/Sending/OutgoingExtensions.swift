import HelioCore
package import HelioRTP

/// The header extension of one outgoing stream: built once, and stamped in each packet.
///
/// What changes from packet to packet stands first, so that its place is known.
package struct OutgoingExtensions: Sendable, Hashable {
    /// A whole extension, with its profile and zeros where the stamps come; empty where nothing was agreed on.
    package private(set) var block: [UInt8] = []
    /// Bytes of the longest block that the agreement can lead to.
    package private(set) var longestBlock = 0
    /// Of `FrameTimingExtension`, which the last packet of a frame carries; it stands alone.
    package let timingID: UInt8?
    private var sendTimeOffset: Int?
    private var transportSequenceOffset: Int?

    /// None at all, or a frame's times alone.
    package init(timingID: UInt8? = nil) { self.timingID = timingID }

    /// - Parameters:
    ///   - elements: of each packet.
    ///   - longest: of the longest that the agreement can lead to.
    ///   - sendTimeID: which of the elements is `AbsoluteSendTime`.
    ///   - transportSequenceID: which of them is `TransportSequence`.
    package init(
        _ elements: [RTPHeaderExtension.Element], longest: [RTPHeaderExtension.Element], sendTimeID: UInt8?,
        transportSequenceID: UInt8?
    ) {
        timingID = nil
        longestBlock = Self.block(longest).count
        block = Self.block(elements)
        let overhead = block.span.bytes.uint16(at: 0) == RTPHeaderExtension.oneByteProfile ? 1 : 2
        var offset = RTPHeader.fixedSize + 4
        for element in elements {
            let data = offset + overhead
            if element.id == sendTimeID { sendTimeOffset = data }
            if element.id == transportSequenceID { transportSequenceOffset = data }
            offset = data + element.data.count
        }
    }

    /// Packets are numbered across all streams of their transport.
    package var isTransportWide: Bool { transportSequenceOffset != nil }

    /// Bytes before the payload.
    ///
    /// - Parameter isLast: of its frame.
    package func headerLength(isLast: Bool) -> Int {
        RTPHeader.fixedSize + block.count + (isLast && timingID != nil ? FrameTimingExtension.extensionSize : 0)
    }

    /// Bytes of the longest header that the agreement can lead to.
    package func longestHeader(isLast: Bool) -> Int {
        headerLength(isLast: isLast) - block.count + longestBlock
    }

    /// Writes header and extension.
    ///
    /// - Parameter timing: the frame's times, where this is its last packet.
    func write(_ header: RTPHeader, timing: FrameTimingExtension?, into packet: inout [UInt8]) {
        let timing = timingID == nil ? nil : timing
        header.write(into: &packet, hasExtension: !block.isEmpty || timing != nil)
        packet.append(contentsOf: block)
        if let timing, let timingID { timing.writeExtension(id: timingID, into: &packet) }
    }

    /// Writes what belongs to this one packet, which begins with the fixed header and this block.
    func stamp(_ packet: inout [UInt8], sent: Instant, transportSequence: UInt16) {
        if let sendTimeOffset {
            let ticks = AbsoluteSendTime(sent).ticks
            packet[sendTimeOffset] = UInt8(truncatingIfNeeded: ticks >> 16)
            packet.set(bigEndian: UInt16(truncatingIfNeeded: ticks), at: sendTimeOffset + 1)
        }
        if let transportSequenceOffset { packet.set(bigEndian: transportSequence, at: transportSequenceOffset) }
    }

    private static func block(_ elements: [RTPHeaderExtension.Element]) -> [UInt8] {
        var block: [UInt8] = []
        if !elements.isEmpty { RTPHeaderExtension.write(elements, into: &block) }
        return block
    }
}
