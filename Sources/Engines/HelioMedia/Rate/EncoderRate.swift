package import HelioCore

/// The rate of one encoder that serves many: what the slowest path carries, kept to what was agreed on, and changed
/// seldom enough that no viewer's word can churn it (rows 16 and 17).
///
/// A change of less than a tenth is none, and changes come half a second apart. A fall to half or less can't wait for
/// that: what is too much for a path stands in its queues, and each further picture adds to it.
package struct EncoderRate: Sendable {
    private static let spacing = Duration.milliseconds(500)
    /// Between a change and a fall to half or less: a way there and back, before which nobody has seen the change.
    private static let fallSpacing = Duration.milliseconds(100)

    /// What the encoder was told to keep to.
    package private(set) var current: Bitrate
    private var agreed: Bitrate
    private var wanted: Bitrate
    private var changed: Instant?

    package init(agreed: Bitrate) {
        (current, wanted, self.agreed) = (agreed, agreed, agreed)
    }

    /// Another ceiling was agreed on, which the encoder hears of by itself.
    package mutating func agree(on agreed: Bitrate) {
        self.agreed = agreed
        current = min(current, agreed)
        wanted = min(wanted, agreed)
    }

    /// Notes what the slowest path is said to carry; `nil`: nobody has said anything.
    package mutating func want(_ slowest: Bitrate?) {
        wanted = (slowest ?? agreed).believed(upTo: agreed)
    }

    /// The rate that the encoder is to be told of now, once it is due.
    package mutating func take(now: Instant) -> Bitrate? {
        guard isChange, due.map({ now >= $0 }) ?? true else { return nil }
        changed = now
        current = wanted
        return wanted
    }

    package var deadline: Deadline? {
        isChange ? due.map { Deadline(at: $0, why: "another bitrate") } : nil
    }

    private var isChange: Bool { abs(wanted.bitsPerSecond - current.bitsPerSecond) * 10 >= current.bitsPerSecond }

    /// `nil`: at once.
    private var due: Instant? {
        changed.map { $0 + (wanted.bitsPerSecond * 2 <= current.bitsPerSecond ? Self.fallSpacing : Self.spacing) }
    }
}

extension Bitrate {
    /// The least that anybody's word makes of a path.
    package static let leastBelieved = Bitrate.kilobits(300)

    /// What is made of a peer's word about its path, where `most` was agreed on.
    package func believed(upTo most: Bitrate) -> Bitrate { min(most, max(.leastBelieved, self)) }
}
