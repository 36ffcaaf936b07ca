import HelioCore
package import HelioRTP

/// The header extension of one outgoing stream: built once, then filled in for each packet.
///
/// The elements that change with each packet come first, so that their positions are known.
package struct OutgoingExtensions: Sendable, Hashable {
    /// The whole extension, with its profile, and with zeros in place of the values that `stamp` writes; empty if none
    /// was negotiated.
    package private(set) var block: [UInt8] = []
    /// The length in bytes of the longest block that the negotiation can lead to.
    package private(set) var longestBlock = 0
    /// The ID of `FrameTimingExtension`, which the last packet of a frame carries after the other elements.
    package let timingID: UInt8?
    /// The ID of `RepairExtension`, which the first packet of a repair picture carries; `nil`: repair pictures are not
    /// marked.
    package let repairID: UInt8?
    /// The elements of every packet in the one-byte form, for packets that carry a further element after them.
    private var elements: [UInt8] = []
    private var sendTimeOffset: Int?
    private var transportSequenceOffset: Int?

    /// - Parameters:
    ///   - elements: the elements of each packet.
    ///   - longest: the elements of the longest block that the negotiation can lead to.
    ///   - sendTimeID: the ID of the element that is `AbsoluteSendTime`.
    ///   - transportSequenceID: the ID of the element that is `TransportSequence`.
    ///   - timingID: the ID of the element with a frame's times; `nil`: times are not sent.
    ///   - repairID: the ID of the element that marks a repair picture; `nil`: repair pictures are not marked.
    package init(
        _ elements: [RTPHeaderExtension.Element] = [], longest: [RTPHeaderExtension.Element]? = nil,
        sendTimeID: UInt8? = nil, transportSequenceID: UInt8? = nil, timingID: UInt8? = nil, repairID: UInt8? = nil
    ) {
        self.timingID = timingID
        self.repairID = repairID
        longestBlock = Self.block(longest ?? elements).count
        block = Self.block(elements)
        if timingID != nil || repairID != nil {
            for element in elements {
                self.elements.append(element.id << 4 | UInt8(element.data.count - 1))
                self.elements.append(contentsOf: element.data)
            }
        }
        let overhead = block.span.bytes.uint16(at: 0) == RTPHeaderExtension.oneByteProfile ? 1 : 2
        var offset = RTPHeader.fixedSize + 4
        for element in elements {
            let data = offset + overhead
            if element.id == sendTimeID { sendTimeOffset = data }
            if element.id == transportSequenceID { transportSequenceOffset = data }
            offset = data + element.data.count
        }
    }

    /// True if packets have transport-wide numbers.
    package var isTransportWide: Bool { transportSequenceOffset != nil }

    /// The length in bytes of everything before the payload.
    ///
    /// - Parameters:
    ///   - isLast: true for the last packet of a frame.
    ///   - isMarked: true for the first packet of a repair picture.
    package func headerLength(isLast: Bool, isMarked: Bool = false) -> Int {
        let more =
            (isLast && timingID != nil ? FrameTimingExtension.elementSize : 0)
            + (isMarked && repairID != nil ? RepairExtension.elementSize : 0)
        return RTPHeader.fixedSize + (more > 0 ? 4 + (elements.count + more + 3) / 4 * 4 : block.count)
    }

    /// The length in bytes of the longest header that the negotiation can lead to.
    package func longestHeader(isLast: Bool) -> Int {
        headerLength(isLast: isLast, isMarked: true) + max(0, longestBlock - block.count)
    }

    /// Writes the RTP header and the extension; `stamp` fills in the values that are known only when the packet leaves.
    func write(_ header: RTPHeader, _ notes: FrameNotes, into packet: inout [UInt8]) {
        let timing = timingID == nil ? nil : notes.timing
        let since = repairID == nil ? nil : notes.repairsSince
        let hasMore = timing != nil || since != nil
        header.write(into: &packet, hasExtension: !block.isEmpty || hasMore)
        guard hasMore else { return packet.append(contentsOf: block) }
        let length = headerLength(isLast: timing != nil, isMarked: since != nil) - RTPHeader.fixedSize
        let start = packet.count
        packet.append(bigEndian: RTPHeaderExtension.oneByteProfile)
        packet.append(bigEndian: UInt16(length / 4 - 1))
        packet.append(contentsOf: elements)
        if let since, let repairID {
            packet.append(repairID << 4 | UInt8(RepairExtension.elementSize - 2))
            RepairExtension(since: since).write(into: &packet)
        }
        if let timing, let timingID { timing.writeElement(id: timingID, into: &packet) }
        while packet.count - start < length { packet.append(0) }
    }

    /// The length in bytes of a header with these notes.
    func headerLength(_ notes: FrameNotes) -> Int {
        headerLength(isLast: notes.timing != nil, isMarked: notes.repairsSince != nil)
    }

    /// Writes the sending time and the transport-wide number into a packet that `write` has begun.
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
