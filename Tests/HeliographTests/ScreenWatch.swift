import Foundation
import HelioCore
import HelioTestPrograms
import Synchronization

/// Polls a host's screen and a viewer's on a separate thread, and measures how long the viewer's showed nothing new
/// while the host's changed. Ends by `stop`, or with this object.
final class ScreenWatch {
    struct Figures: Sendable {
        /// The number of new pictures seen on the host's screen.
        var drawn = 0
        /// The number of new pictures seen on the viewer's screen.
        var pictures = 0
        /// The longest time from a change of the host's screen to the next new picture on the viewer's.
        var longestGap = Duration.zero
        /// The number of such times longer than half a second.
        var freezes = 0
        /// The longest time between two polls. A gap may be overestimated by that, as the machine stalled the polling
        /// thread.
        var longestBlink = Duration.zero

        /// Returns whether the viewer's screen was never unchanged for longer than a limit while the host's changed,
        /// apart from stalls of the machine.
        func hasNoGap(above limit: Duration) -> Bool { longestGap <= limit + longestBlink }

        /// Returns whether the viewer showed 15 pictures a second, or half as many as the host's screen.
        ///
        /// - Parameter time: the duration of the watch.
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
        ///   - host: the host's screen; `nil` if it couldn't be read.
        ///   - viewer: the viewer's screen.
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

    /// The state shared by both threads.
    private final class Eye: Sendable {
        let state = Mutex(State())
        let done = DispatchSemaphore(value: 0)
    }

    private static let freeze = Duration.milliseconds(500)
    /// The milliseconds between two polls.
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

    /// Stops polling; returns after the last poll.
    func stop() -> Figures {
        eye.state.withLock { $0.isOver = true }
        _ = eye.done.wait(timeout: .now() + 10)
        return eye.state.withLock { $0.figures }
    }
}
