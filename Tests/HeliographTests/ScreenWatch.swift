import Foundation
import HelioCore
import HelioTestPrograms
import Synchronization

/// Looks at a host's screen and a viewer's, again and again on a thread of its own, and finds how long the viewer's
/// showed nothing new while the host's did. Ends by `stop`, or with this object.
final class ScreenWatch {
    struct Figures: Sendable {
        /// The number of new pictures that were seen on the host's screen.
        var drawn = 0
        /// The number of new pictures that were seen on the viewer's screen.
        var pictures = 0
        /// The longest time from a change of the host's screen to the next new picture on the viewer's.
        var longestGap = Duration.zero
        /// How many such times were longer than half a second.
        var freezes = 0
        /// The longest time between two looks. A gap may seem longer by that, as the machine gave no time to a thread that
        /// does nothing but look.
        var longestBlink = Duration.zero

        /// Returns true where the viewer's screen never stood still for longer than a limit while the host's moved, the time
        /// left out that the machine stood still.
        func hasNoGap(above limit: Duration) -> Bool { longestGap <= limit + longestBlink }

        /// Returns true where the viewer showed 15 pictures a second, or half of those that the host's screen showed.
        ///
        /// - Parameter time: the time that was watched.
        func isFluent(for time: Duration) -> Bool {
            drawn > 0 && pictures >= min(Int(time / .milliseconds(67)), drawn / 2)
        }
    }

    private struct State: Sendable {
        var isOver = false
        var figures = Figures()
        private var drawn: [UInt8] = []
        private var shown: [UInt8] = []
        private var waitingSince: ContinuousClock.Instant?
        private var looked: ContinuousClock.Instant?

        /// - Parameters:
        ///   - host: what the host's screen shows; `nil` where that can't be told.
        ///   - viewer: what the viewer's does.
        mutating func look(host: [UInt8]?, viewer: [UInt8]?, at now: ContinuousClock.Instant) {
            if let looked { figures.longestBlink = max(figures.longestBlink, looked.duration(to: now)) }
            looked = now
            if let waitingSince { figures.longestGap = max(figures.longestGap, waitingSince.duration(to: now)) }
            if let viewer, viewer != shown {
                shown = viewer
                figures.pictures += 1
                if let waitingSince, waitingSince.duration(to: now) > ScreenWatch.freeze { figures.freezes += 1 }
                waitingSince = nil
            }
            if let host, host != drawn {
                drawn = host
                figures.drawn += 1
                waitingSince = waitingSince ?? now
            }
        }
    }

    /// What both threads see.
    private final class Eye: Sendable {
        let state = Mutex(State())
        let done = DispatchSemaphore(value: 0)
    }

    private static let freeze = Duration.milliseconds(500)
    /// Milliseconds between two looks.
    private static let pause: Int32 = 10

    private let eye: Eye

    init(_ desktop: SharedDesktop) {
        let eye = Eye()
        self.eye = eye
        let (strip, place) = MovingPicture.strip(of: desktop.size)
        nonisolated(unsafe) let (source, destination) = (desktop.source, desktop.destination)
        Thread.detachNewThread {
            while !eye.state.withLock({ $0.isOver }) {
                let host = try? source.screenshot(strip, at: place).bgrx
                let viewer = try? destination.screenshot(strip, at: place).bgrx
                let now = ContinuousClock.now
                eye.state.withLock { $0.look(host: host, viewer: viewer, at: now) }
                _ = poll(nil, 0, ScreenWatch.pause)
            }
            eye.done.signal()
        }
    }

    deinit { eye.state.withLock { $0.isOver = true } }

    /// Returns when the last look is over.
    func stop() -> Figures {
        eye.state.withLock { $0.isOver = true }
        _ = eye.done.wait(timeout: .now() + 10)
        return eye.state.withLock { $0.figures }
    }
}
