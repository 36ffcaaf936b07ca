package import HelioCore
internal import HelioRTP

/// The last Opus packets sent to one listener, which later packets repeat on a lossy path (RFC 2198).
package struct SoundRepeats: Sendable {
    /// The maximum number of packets remembered.
    private static let most = 12
    /// The maximum age of a repeated packet, in sample frames: 60 ms. After that time a listener has concealed the
    /// loss, and a packet repeated after a silence would look as late as the silence was long.
    package static let oldest: Int64 = 2880

    /// True if packets on both sides of a short silence may be repeated in one packet: the listener identifies them
    /// by their numbers.
    private let bridgesSilence: Bool
    /// The remembered packets, oldest first.
    private var earlier: [EncodedSound] = []

    package init(bridgesSilence: Bool) { self.bridgesSilence = bridgesSilence }

    /// The payload with repeated packets before it; `nil` if none can be repeated. If a packet can't be repeated, older
    /// ones aren't repeated either: a listener interprets each block as the packet directly before the next block.
    ///
    /// - Parameters:
    ///   - type: the payload type of Opus.
    ///   - repeats: the maximum number of packets repeated.
    ///   - reach: the distance in packets to the oldest packet repeated; the others are spread evenly. Each skipped
    ///     packet gets an empty block, as a listener counts blocks.
    ///   - largest: the size limit of the payload in bytes.
    package func payload(
        of sound: EncodedSound, type: PayloadType, repeats: Int, reach: Int = 0, largest: Int
    ) -> [UInt8]? {
        let reach = max(reach, repeats)
        let places = Set((0..<repeats).map { reach * ($0 + 1) / repeats })
        var room = largest - sound.payload.count - 1
        var next = sound.mediaTime
        var blocks: [RedundantPayload.Block] = []
        for (place, packet) in zip(1..., earlier.suffix(reach).reversed()) {
            let offset = sound.mediaTime - packet.mediaTime
            let repeated = places.contains(place) ? packet.payload : []
            room -= repeated.count + RedundantPayload.blockOverhead
            guard room >= 0, bridgesSilence || packet.mediaTime + Int64(packet.frames) == next,
                (1...Self.oldest).contains(offset), repeated.count <= RedundantPayload.maximumBlockSize
            else { break }
            blocks.append(.init(type, timestampOffset: UInt16(offset), payload: repeated))
            next = packet.mediaTime
        }
        while blocks.last?.payload.isEmpty == true { blocks.removeLast() }
        guard !blocks.isEmpty else { return nil }
        var payload: [UInt8] = []
        RedundantPayload(type, payload: sound.payload, earlier: blocks.reversed()).write(into: &payload)
        return payload
    }

    /// Records a packet that left. A packet of another codec clears the memory, so that nothing before it is repeated.
    package mutating func note(_ sound: EncodedSound) {
        guard sound.codec == .opus else { return removeAll() }
        if earlier.count == Self.most { earlier.removeFirst() }
        earlier.append(sound)
    }

    package mutating func removeAll() { earlier = [] }
}
