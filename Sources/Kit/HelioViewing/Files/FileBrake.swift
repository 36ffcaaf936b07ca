internal import HelioCore
private import Synchronization

/// Slows the work for files down while pictures are in motion: hashing at both ends would take the cores on which they are
/// coded, decoded and drawn, whatever its priority is.
final class FileBrake: Sendable {
    private struct State {
        /// When pictures were looked at last, and how many bytes of them there had been.
        var looked: Instant?
        var seen = 0
        var isMotion = false
    }

    /// Bytes of pictures a second from which on they are in motion: more than 15 small ones. Typing, a pointer and a clock
    /// are less.
    private static let motion = 60e3
    /// The time from one look at the pictures to the next; a look that is older than the limit says nothing.
    private static let interval = Duration.milliseconds(100)
    private static let limit = Duration.seconds(1)
    /// The bytes of files a second for each core but the first.
    private static let ratePerCore = 4e6

    /// The bytes of files a second while pictures are in motion.
    private let rate: Double
    private let pictures = Atomic<Int>(0)
    private let state = Mutex(State())

    /// - Parameter cores: of this machine.
    init(cores: Int) { rate = Self.ratePerCore * Double(max(1, cores - 1)) }

    /// Counts bytes of pictures that were coded or have come. Any thread.
    func count(pictures bytes: Int) { pictures.wrappingAdd(bytes, ordering: .relaxed) }

    /// Returns how long the work for files rests after so many bytes of them.
    func rest(after bytes: Int, now: Instant) -> Duration {
        let total = pictures.load(ordering: .relaxed)
        let isMotion = state.withLock { state in
            let time = state.looked.map { now - $0 } ?? Self.limit
            if time >= Self.interval {
                state.isMotion = time < Self.limit && Double(total - state.seen) / time.inSeconds >= Self.motion
                (state.looked, state.seen) = (now, total)
            }
            return state.isMotion
        }
        return isMotion ? .seconds(Double(bytes) / rate) : .zero
    }
}
