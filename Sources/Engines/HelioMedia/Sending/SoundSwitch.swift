package import HelioCore

/// Switches a listener from one encoding of a source's sound to another without a gap.
///
/// During a switch both encodings are requested. The old encoding is sent until the new one is known to be produced, up
/// to a packet boundary of the new one. Encodings of one source share media times, but may have different packet
/// boundaries: the first packet of the new encoding may overlap the last packet of the old one by less than its length,
/// and leaves no gap after it.
package struct SoundSwitch: Sendable {
    /// The maximum duration of the present encoding that is skipped at a boundary while no packet of the new encoding
    /// arrives: 100 ms, in sample frames.
    private static let patience: Int64 = 4800

    /// The encoding that is sent at present.
    package private(set) var current: SoundEncode
    /// The encoding to switch to; `nil` if no switch is under way.
    package private(set) var next: SoundEncode?
    /// The media time from which `next` is known to be produced.
    private var edge: Int64?
    /// True once a packet of `current` was skipped for `next`.
    private var isPast = false
    /// The media time at the end of the last packet sent; `nil` before the first packet.
    private var end: Int64?

    package init(_ encode: SoundEncode) { current = encode }

    /// The encodings that have to be produced.
    package var wanted: Set<SoundEncode> { next.map { [current, $0] } ?? [current] }

    package mutating func change(to encode: SoundEncode) {
        guard encode != next ?? current else { return }
        next = encode == current ? nil : encode
        forgetEdge()
    }

    /// Resets the position after a pause: the first packet is sent in any case.
    package mutating func restart() {
        end = nil
        forgetEdge()
    }

    /// Returns whether a packet is to be sent, and records it as sent.
    package mutating func takes(_ sound: EncodedSound) -> Bool {
        if sound.encode == current {
            if let edge, sound.mediaTime >= edge {
                guard sound.end - edge > Self.patience else {
                    isPast = true
                    return false
                }
                forgetEdge()
            }
        } else if sound.encode == next {
            guard isDue(sound) else { return false }
            current = sound.encode
            next = nil
            forgetEdge()
        } else {
            return false
        }
        end = sound.end
        return true
    }

    /// Returns whether to switch to the new encoding with `sound`, one of its packets.
    private mutating func isDue(_ sound: EncodedSound) -> Bool {
        guard let end else { return true }
        if sound.mediaTime == end { return true }
        if let edge, sound.end > end, end >= edge || isPast { return true }
        // The present encoding has produced nothing for two packet durations, so it is most likely silent.
        let length = Int64((current.packetDuration.inSeconds * 48_000).rounded())
        if sound.mediaTime >= end + 2 * length { return true }
        if edge == nil, sound.end >= end { edge = sound.end }
        return false
    }

    private mutating func forgetEdge() {
        edge = nil
        isPast = false
    }
}

extension EncodedSound {
    /// The time after the last sample.
    fileprivate var end: Int64 { mediaTime + Int64(frames) }
}
