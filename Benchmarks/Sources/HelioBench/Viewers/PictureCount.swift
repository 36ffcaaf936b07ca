import HelioWebRTC
import Synchronization

/// Counts received pictures.
final class PictureCount: Sendable {
    struct Counted {
        var pictures = 0
        var bytes = 0
        /// The longest time between two pictures, or from the start to the first.
        var longestGap = Duration.zero
        fileprivate var last = ContinuousClock.now
    }

    private let state = Mutex(Counted())

    /// The counts up to now.
    var counted: Counted {
        state.withLock { counted in
            var counted = counted
            counted.longestGap = max(counted.longestGap, ContinuousClock.now - counted.last)
            return counted
        }
    }

    func restart() { state.withLock { $0 = Counted() } }

    func take(_ picture: ReceivedPicture) {
        let now = ContinuousClock.now
        state.withLock { counted in
            counted.pictures += 1
            counted.bytes += picture.annexB.count
            counted.longestGap = max(counted.longestGap, now - counted.last)
            counted.last = now
        }
    }
}
