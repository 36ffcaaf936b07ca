package import HelioCore

/// Goes over from one encode of an origin's sound to another without a gap.
///
/// While it does, both are wanted: the one goes on until the other is known to be made, up to the edge of a packet of
/// that. Encodes of one origin have the same times, but need not have their edges at the same: the first packet of the
/// other may begin before the last one of the former ends, by less than its length, and never after.
package struct SoundSwitch: Sendable {
    /// How much of the present encode may be left out at an edge for the other, which does not come: 100 ms.
    private static let patience: Int64 = 4800

    /// The encode that is sent.
    package private(set) var current: SoundEncode
    /// The encode that is to be sent next.
    package private(set) var next: SoundEncode?
    /// The time from which on `next` is known to be made.
    private var edge: Int64?
    /// True once something of `current` was left out for `next`.
    private var isPast = false
    /// The end of what was sent; `nil` before the first packet.
    private var end: Int64?

    package init(_ encode: SoundEncode) { current = encode }

    /// The encodes that have to be made.
    package var wanted: Set<SoundEncode> { next.map { [current, $0] } ?? [current] }

    package mutating func change(to encode: SoundEncode) {
        guard encode != next ?? current else { return }
        next = encode == current ? nil : encode
        forgetEdge()
    }

    /// Forgets what was sent, after a pause: whatever comes first is sent.
    package mutating func restart() {
        end = nil
        forgetEdge()
    }

    /// Returns whether a packet is to be sent, and notes that it is.
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

    /// Returns whether the other encode takes over with this packet of it.
    private mutating func isDue(_ sound: EncodedSound) -> Bool {
        guard let end else { return true }
        if sound.mediaTime == end { return true }
        if let edge, sound.end > end, end >= edge || isPast { return true }
        // The present one has nothing to send: silence, more often than not.
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
    /// The time behind the last sample.
    fileprivate var end: Int64 { mediaTime + Int64(frames) }
}
