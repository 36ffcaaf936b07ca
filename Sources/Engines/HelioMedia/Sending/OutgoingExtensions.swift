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
    /// The ID of `FrameTimingExtension`, which the last packet of a frame carries behind the other elements.
    package let timingID: UInt8?
    /// What stands before that element: profile, length, and the other elements, which have the one-byte form then.
    private var timedHead: [UInt8] = []
    /// The length in bytes of the whole extension with that element.
    private var timedLength = 0
    private var sendTimeOffset: Int?
    private var transportSequenceOffset: Int?

    /// - Parameters:
    ///   - elements: the elements of each packet.
    ///   - longest: the elements of the longest block that the agreement can lead to.
    ///   - sendTimeID: the ID of the element that is `AbsoluteSendTime`.
    ///   - transportSequenceID: the ID of the element that is `TransportSequence`.
    ///   - timingID: the ID of the element with a frame's times; `nil`: they are not told.
    package init(
        _ elements: [RTPHeaderExtension.Element] = [], longest: [RTPHeaderExtension.Element]? = nil,
        sendTimeID: UInt8? = nil, transportSequenceID: UInt8? = nil, timingID: UInt8? = nil
    ) {
        self.timingID = timingID
        longestBlock = Self.block(longest ?? elements).count
        block = Self.block(elements)
        if timingID != nil {
            let length = elements.reduce(FrameTimingExtension.elementSize) { $0 + 1 + $1.data.count }
            timedHead.append(bigEndian: RTPHeaderExtension.oneByteProfile)
            timedHead.append(bigEndian: UInt16((length + 3) / 4))
            for element in elements {
                timedHead.append(element.id << 4 | UInt8(element.data.count - 1))
                timedHead.append(contentsOf: element.data)
            }
            timedLength = 4 + (length + 3) / 4 * 4
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

    /// True where packets are numbered across all streams of their transport.
    package var isTransportWide: Bool { transportSequenceOffset != nil }

    /// The length in bytes of what stands before the payload.
    ///
    /// - Parameter isLast: true for the last packet of a frame.
    package func headerLength(isLast: Bool) -> Int {
        RTPHeader.fixedSize + (isLast && timingID != nil ? timedLength : block.count)
    }

    /// The length in bytes of the longest header that the agreement can lead to.
    package func longestHeader(isLast: Bool) -> Int {
        headerLength(isLast: isLast) + max(0, longestBlock - block.count)
    }

    /// Writes header and extension.
    ///
    /// - Parameter timing: the frame's times, where this is its last packet.
    func write(_ header: RTPHeader, timing: FrameTimingExtension?, into packet: inout [UInt8]) {
        let timing = timingID == nil ? nil : timing
        header.write(into: &packet, hasExtension: !block.isEmpty || timing != nil)
        guard let timing, let timingID else { return packet.append(contentsOf: block) }
        let start = packet.count
        packet.append(contentsOf: timedHead)
        timing.writeElement(id: timingID, into: &packet)
        while packet.count - start < timedLength { packet.append(0) }
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
