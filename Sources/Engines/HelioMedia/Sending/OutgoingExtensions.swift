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
    /// The ID of `DependencyDescriptor`, which all packets of a frame carry; `nil`: frames are not described.
    package let dependencyID: UInt8?
    /// The elements of every packet in the one-byte form, for packets that carry a further element after them.
    private var elements: [UInt8] = []
    /// The length in bytes of the longest elements that the negotiation can lead to, in the same form.
    private var longestElements = 0
    private var sendTimeOffset: Int?
    private var transportSequenceOffset: Int?

    /// - Parameters:
    ///   - elements: the elements of each packet.
    ///   - longest: the elements of the longest block that the negotiation can lead to.
    ///   - sendTimeID: the ID of the element that is `AbsoluteSendTime`.
    ///   - transportSequenceID: the ID of the element that is `TransportSequence`.
    ///   - timingID: the ID of the element with a frame's times; `nil`: times are not sent.
    ///   - repairID: the ID of the element that marks a repair picture; `nil`: repair pictures are not marked.
    ///   - dependencyID: the ID of the element with a frame's dependencies; `nil`: they are not sent.
    /// - Precondition: with one of the last three, all IDs are 1 to 14, and no element has more than 16 bytes.
    package init(
        _ elements: [RTPHeaderExtension.Element] = [], longest: [RTPHeaderExtension.Element]? = nil,
        sendTimeID: UInt8? = nil, transportSequenceID: UInt8? = nil, timingID: UInt8? = nil, repairID: UInt8? = nil,
        dependencyID: UInt8? = nil
    ) {
        self.timingID = timingID
        self.repairID = repairID
        self.dependencyID = dependencyID
        longestBlock = Self.block(longest ?? elements).count
        block = Self.block(elements)
        if timingID != nil || repairID != nil || dependencyID != nil {
            longestElements = (longest ?? elements).reduce(0) { $0 + 1 + $1.data.count }
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
    ///   - dependency: the descriptor of the packet's frame; `nil`: the frame is not described.
    package func headerLength(
        isLast: Bool, isMarked: Bool = false, dependency: DependencyDescriptor? = nil
    ) -> Int {
        let more = furtherBytes(isLast: isLast, isMarked: isMarked, descriptor: dependency?.size)
        return RTPHeader.fixedSize + (more > 0 ? Self.blockLength(elements.count + more) : block.count)
    }

    /// The length in bytes of the longest header that the negotiation can lead to.
    package func longestHeader(isLast: Bool) -> Int {
        let more = furtherBytes(isLast: isLast, isMarked: true, descriptor: DependencyDescriptor.largestSize)
        let length = more > 0 ? Self.blockLength(max(elements.count, longestElements) + more) : longestBlock
        return RTPHeader.fixedSize + max(length, block.count)
    }

    /// The length in bytes of the elements that not every packet carries.
    private func furtherBytes(isLast: Bool, isMarked: Bool, descriptor: Int?) -> Int {
        (isLast && timingID != nil ? FrameTimingExtension.elementSize : 0)
            + (isMarked && repairID != nil ? RepairExtension.elementSize : 0)
            + (dependencyID == nil ? 0 : descriptor.map { $0 + 1 } ?? 0)
    }

    /// The length in bytes of a block whose elements have this length.
    private static func blockLength(_ elements: Int) -> Int { 4 + (elements + 3) / 4 * 4 }

    /// Writes the RTP header and the extension; `stamp` fills in the values that are known only when the packet leaves.
    func write(_ header: RTPHeader, _ notes: FrameNotes, into packet: inout [UInt8]) {
        let timing = timingID == nil ? nil : notes.timing
        let since = repairID == nil ? nil : notes.repairsSince
        let dependency = dependencyID == nil ? nil : notes.dependency
        let hasMore = timing != nil || since != nil || dependency != nil
        header.write(into: &packet, hasExtension: !block.isEmpty || hasMore)
        guard hasMore else { return packet.append(contentsOf: block) }
        let length =
            headerLength(isLast: timing != nil, isMarked: since != nil, dependency: dependency) - RTPHeader.fixedSize
        let start = packet.count
        packet.append(bigEndian: RTPHeaderExtension.oneByteProfile)
        packet.append(bigEndian: UInt16(length / 4 - 1))
        packet.append(contentsOf: elements)
        if let since, let repairID {
            packet.append(repairID << 4 | UInt8(RepairExtension.elementSize - 2))
            RepairExtension(since: since).write(into: &packet)
        }
        if let dependency, let dependencyID {
            packet.append(dependencyID << 4 | UInt8(dependency.size - 1))
            dependency.write(into: &packet)
        }
        if let timing, let timingID { timing.writeElement(id: timingID, into: &packet) }
        while packet.count - start < length { packet.append(0) }
    }

    /// The length in bytes of a header with these notes.
    func headerLength(_ notes: FrameNotes) -> Int {
        headerLength(
            isLast: notes.timing != nil, isMarked: notes.repairsSince != nil, dependency: notes.dependency)
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
