internal import HelioCore
private import Synchronization

/// Limits the rate of file work while pictures arrive, and limits it further while the screen is in motion. Otherwise
/// hashing at both ends would take the cores that encode, decode and draw pictures, even at a low priority.
final class FileBrake: Sendable {
    private struct State {
        /// The time of the last sample of the picture counter, and the counter's value then.
        var looked: Instant?
        var seen = 0
        /// The time of the last picture.
        var changed: Instant?
        var pictures = Pictures.still
    }

    private enum Pictures {
        case still, few, motion

        /// The maximum rate of file work for each core but the first, in bytes a second; `nil` for no limit.
        var ratePerCore: Double? {
            switch self {
            case .still: nil
            case .few: 20e6
            case .motion: 4e6
            }
        }
    }

    /// The minimum rate of picture bytes, in bytes a second, at which the screen counts as in motion: more than 15
    /// small pictures a second. Typing, a moving pointer and a clock stay below this rate.
    private static let motion = 60e3
    /// The time between two samples of the picture counter. A sample older than `limit` says nothing about motion, and
    /// without a picture for that time the screen counts as still.
    private static let interval = Duration.milliseconds(100)
    private static let limit = Duration.seconds(1)
    /// The number of cores that the rate is multiplied by.
    private let cores: Double
    private let pictures = Atomic<Int>(0)
    private let state = Mutex(State())

    /// - Parameter cores: the number of cores of this machine.
    init(cores: Int) { self.cores = Double(max(1, cores - 1)) }

    /// Counts bytes of pictures that were encoded or received. Called on any thread.
    func count(pictures bytes: Int) { pictures.wrappingAdd(bytes, ordering: .relaxed) }

    /// Returns the time to pause after file work on `bytes` bytes.
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
