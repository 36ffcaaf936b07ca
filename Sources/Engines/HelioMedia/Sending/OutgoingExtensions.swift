import HelioCore
package import HelioRTP

/// The header extension of one outgoing stream: built once, and stamped in each packet.
///
/// The elements that change from packet to packet stand first, so that their place is known.
package struct OutgoingExtensions: Sendable, Hashable {
    /// The whole extension, with its profile and zeros where the stamps come; empty where nothing was agreed on.
    package private(set) var block: [UInt8] = []
    /// The length in bytes of the longest block that the agreement can lead to.
    package private(set) var longestBlock = 0
    /// The ID of `FrameTimingExtension`, which the last packet of a frame carries; it stands alone.
    package let timingID: UInt8?
    private var sendTimeOffset: Int?
    private var transportSequenceOffset: Int?

    /// Makes no extension at all, or one with a frame's times alone.
    package init(timingID: UInt8? = nil) { self.timingID = timingID }

    /// - Parameters:
    ///   - elements: the elements of each packet.
    ///   - longest: the elements of the longest block that the agreement can lead to.
    ///   - sendTimeID: the ID of the element that is `AbsoluteSendTime`.
    ///   - transportSequenceID: the ID of the element that is `TransportSequence`.
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

    /// True where packets are numbered across all streams of their transport.
    package var isTransportWide: Bool { transportSequenceOffset != nil }

    /// The length in bytes of what stands before the payload.
    ///
    /// - Parameter isLast: true for the last packet of a frame.
    package func headerLength(isLast: Bool) -> Int {
        RTPHeader.fixedSize + block.count + (isLast && timingID != nil ? FrameTimingExtension.extensionSize : 0)
    }

    /// The length in bytes of the longest header that the agreement can lead to.
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

    /// Stamps the sending time and the transport-wide number in a packet, which begins with the fixed header and this
    /// block.
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
