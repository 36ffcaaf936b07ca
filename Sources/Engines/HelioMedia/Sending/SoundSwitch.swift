package import HelioCore

/// Switches from one encode of an origin's sound to another without a gap.
///
/// During a switch both encodes are requested: the present one is sent until the other is known to be produced, up to a
/// packet boundary of the other. Encodes of one origin share media times, but may have different packet boundaries: the
/// first packet of the new encode may begin before the last one of the old encode ends, by less than its length, and
/// never after.
package struct SoundSwitch: Sendable {
    /// The longest part of the present encode that may be skipped at a boundary while the new one does not come:
    /// 100 ms, in frames.
    private static let patience: Int64 = 4800

    /// The encode being sent.
    package private(set) var current: SoundEncode
    /// The encode to be sent next.
    package private(set) var next: SoundEncode?
    /// The media time from which on `next` is known to be produced.
    private var edge: Int64?
    /// True once a packet of `current` was skipped for `next`.
    private var isPast = false
    /// The end of the last packet sent; `nil` before the first.
    private var end: Int64?

    package init(_ encode: SoundEncode) { current = encode }

    /// The encodes that have to be produced.
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

    /// Returns whether the new encode takes over with this packet of its own.
    private mutating func isDue(_ sound: EncodedSound) -> Bool {
        guard let end else { return true }
        if sound.mediaTime == end { return true }
        if let edge, sound.end > end, end >= edge || isPast { return true }
        // The present encode has sent nothing for two packets, so it is most likely silent.
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
