package import HelioCore
internal import HelioRTP

/// The packets of Opus that were last sent to one listener: the next ones repeat them where the path loses some (RFC
/// 2198).
package struct SoundRepeats: Sendable {
    /// The packets that are remembered.
    private static let most = 12
    /// What is older is repeated no more, in sample frames: 60 ms. A listener has gone on without it, and what comes
    /// after a silence would seem to have been on its way for as long as the silence was.
    package static let oldest: Int64 = 2880

    /// True where packets on both sides of a short silence are repeated in one: the listener tells them by their numbers.
    private let bridgesSilence: Bool
    /// The oldest first.
    private var earlier: [EncodedSound] = []

    package init(bridgesSilence: Bool) { self.bridgesSilence = bridgesSilence }

    /// The payload with earlier ones ahead of it; `nil` where none can be repeated. Where one can't be, those before it
    /// are not either: a listener takes each block for the packet right before what follows it.
    ///
    /// - Parameters:
    ///   - type: Opus's payload type.
    ///   - repeats: how many earlier packets are repeated at most.
    ///   - reach: how many packets back the farthest of them is; the others are evenly between. Those that are left out
    ///     have an empty block each, as a listener counts them.
    ///   - largest: the most bytes.
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

    /// Notes a packet that has left. After one of another codec nothing is repeated.
    package mutating func note(_ sound: EncodedSound) {
        guard sound.codec == .opus else { return removeAll() }
        if earlier.count == Self.most { earlier.removeFirst() }
        earlier.append(sound)
    }

    package mutating func removeAll() { earlier = [] }
}
