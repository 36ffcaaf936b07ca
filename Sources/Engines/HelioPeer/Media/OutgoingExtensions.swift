import HelioCore
import HelioRTP
import HelioSDP

/// The header extension of one outgoing stream: built once, and stamped in each packet.
///
/// What changes from packet to packet stands first, so that its place is known. Of a section's name, more than 16 bytes
/// are not sent: the SSRC, which the description tells, says the same.
struct OutgoingExtensions: Sendable, Hashable {
    /// A whole extension, with its profile and zeros where the stamps come; empty where nothing was agreed on.
    private(set) var block: [UInt8] = []
    private(set) var sendTimeOffset: Int?
    private(set) var transportSequenceOffset: Int?
    /// Bytes of the longest block that the agreement can lead to.
    private(set) var longestBlock = 0

    private static let longestMid = 16

    init() {}

    /// - Parameter playsInStep: no playout delay is asked for: 0 would have the peer show each picture as soon as it can,
    ///   whatever is to be heard with it.
    init(_ media: NegotiatedMedia, orientation: VideoOrientation?, playsInStep: Bool) {
        let full = Self.elements(media, orientation: VideoOrientation(quarterTurns: 0), playsInStep: false)
        longestBlock = Self.block(full).count
        let elements = Self.elements(media, orientation: orientation, playsInStep: playsInStep)
        block = Self.block(elements)
        let overhead = block.span.bytes.uint16(at: 0) == RTPHeaderExtension.oneByteProfile ? 1 : 2
        var offset = RTPHeader.fixedSize + 4
        for element in elements {
            let data = offset + overhead
            if element.id == Self.id(AbsoluteSendTime.self, media) { sendTimeOffset = data }
            if element.id == Self.id(TransportSequence.self, media) { transportSequenceOffset = data }
            offset = data + element.data.count
        }
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

    private static func elements(
        _ media: NegotiatedMedia, orientation: VideoOrientation?, playsInStep: Bool
    ) -> [RTPHeaderExtension.Element] {
        var elements: [RTPHeaderExtension.Element] = []
        func add(_ value: (some RTPExtensionValue)?) {
            guard let value, let id = id(type(of: value), media) else { return }
            elements.append(value.element(id: id))
        }
        add(AbsoluteSendTime(ticks: 0))
        if media.isTransportWide { add(TransportSequence(0)) }
        if let mid = media.mid, (1...longestMid).contains(mid.utf8.count) { add(MediaIDExtension(mid)) }
        if media.kind == .video {
            if !playsInStep { add(PlayoutDelay.none) }
            add(orientation)
        }
        return elements
    }

    private static func block(_ elements: [RTPHeaderExtension.Element]) -> [UInt8] {
        var block: [UInt8] = []
        if !elements.isEmpty { RTPHeaderExtension.write(elements, into: &block) }
        return block
    }

    private static func id(_ kind: (some RTPExtensionValue).Type, _ media: NegotiatedMedia) -> UInt8? {
        media.headerExtension(kind.uri).flatMap { $0.canSend && $0.id > 0 ? $0.id : nil }
    }
}
