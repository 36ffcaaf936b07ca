package import HelioCore

/// The bitrate of one encoder that serves several viewers: that of the slowest path, capped at the agreed rate, and
/// changed so seldom that no viewer's feedback can reconfigure the encoder all the time.
///
/// A change of less than a tenth is ignored, and changes are at least half a second apart. A fall to half or less can't
/// wait that long: bits in excess of a path's rate wait in its queues, and each further picture adds to them.
package struct EncoderRate: Sendable {
    private static let spacing = Duration.milliseconds(500)
    /// The minimum time between a change and a fall to half or less: a round trip, in which no peer can have seen the
    /// change.
    private static let fallSpacing = Duration.milliseconds(100)

    /// The bitrate that the encoder was last set to.
    package private(set) var current: Bitrate
    private var agreed: Bitrate
    private var wanted: Bitrate
    private var changed: Instant?
    /// The floor of the wanted bitrate.
    private let least: Bitrate

    package init(agreed: Bitrate, least: Bitrate = .leastBelieved) {
        (current, wanted, self.agreed) = (agreed, agreed, agreed)
        self.least = least
    }

    /// Sets another agreed ceiling. The caller must also set it on the encoder.
    package mutating func agree(on agreed: Bitrate) {
        self.agreed = agreed
        current = min(current, agreed)
        wanted = min(wanted, agreed)
    }

    /// Notes the estimate of the slowest path; `nil` if no peer has reported an estimate.
    package mutating func want(_ slowest: Bitrate?) {
        wanted = (slowest ?? agreed).believed(upTo: agreed, least: least)
    }

    /// Returns the bitrate to set the encoder to now; `nil` if no change is due.
    package mutating func poll(now: Instant) -> Bitrate? {
        guard isChange, due.map({ now >= $0 }) ?? true else { return nil }
        changed = now
        current = wanted
        return wanted
    }

    package var deadline: Deadline? {
        isChange ? due.map { Deadline(at: $0, why: "another bitrate") } : nil
    }

    private var isChange: Bool { abs(wanted.bitsPerSecond - current.bitsPerSecond) * 10 >= current.bitsPerSecond }

    /// The time of the next change; `nil`: at once.
    private var due: Instant? {
        changed.map { $0 + (wanted.bitsPerSecond * 2 <= current.bitsPerSecond ? Self.fallSpacing : Self.spacing) }
    }
}

extension Bitrate {
    /// The lowest bitrate accepted as a peer's estimate of its path; lower estimates are raised to this.
    package static let leastBelieved = Bitrate.kilobits(300)

    /// Clamps a peer's estimate of its path to at least `least` and at most `most`, the agreed rate.
    package func believed(upTo most: Bitrate, least: Bitrate = .leastBelieved) -> Bitrate {
        min(most, max(least, self))
    }
}
