internal import HelioCore
private import Synchronization

/// Slows the work for files down while pictures come, and more while they are in motion: hashing at both ends would take
/// the cores on which they are coded, decoded and drawn, whatever its priority is.
final class FileBrake: Sendable {
    private struct State {
        /// When pictures were looked at last, and how many bytes of them there had been.
        var looked: Instant?
        var seen = 0
        /// When there was a picture last.
        var changed: Instant?
        var pictures = Pictures.still
    }

    private enum Pictures {
        case still, few, motion

        /// The bytes of files a second for each core but the first.
        var ratePerCore: Double? {
            switch self {
            case .still: nil
            case .few: 20e6
            case .motion: 4e6
            }
        }
    }

    /// Bytes of pictures a second from which on they are in motion: more than 15 small ones. Typing, a pointer and a clock
    /// are less.
    private static let motion = 60e3
    /// The time from one look at the pictures to the next; a look that is older than the limit says nothing, and pictures
    /// stand still after so long without one.
    private static let interval = Duration.milliseconds(100)
    private static let limit = Duration.seconds(1)
    /// The cores for which there is a rate.
    private let cores: Double
    private let pictures = Atomic<Int>(0)
    private let state = Mutex(State())

    /// - Parameter cores: of this machine.
    init(cores: Int) { self.cores = Double(max(1, cores - 1)) }

    /// Counts bytes of pictures that were coded or have come. Any thread.
    func count(pictures bytes: Int) { pictures.wrappingAdd(bytes, ordering: .relaxed) }

    /// Returns how long the work for files rests after so many bytes of them.
    func rest(after bytes: Int, now: Instant) -> Duration {
        let total = pictures.load(ordering: .relaxed)
        let rate = state.withLock { state in
            let time = state.looked.map { now - $0 } ?? Self.limit
            if time >= Self.interval {
                let bytes = total - state.seen
                (state.looked, state.seen) = (now, total)
                if bytes > 0 { state.changed = now }
                let isStill = state.changed.map { now - $0 >= Self.limit } ?? true
                let isMotion = time < Self.limit && Double(bytes) / time.inSeconds >= Self.motion
                state.pictures = isMotion ? .motion : isStill ? .still : .few
            }
            return state.pictures.ratePerCore
        }
        return rate.map { .seconds(Double(bytes) / ($0 * cores)) } ?? .zero
    }
}
