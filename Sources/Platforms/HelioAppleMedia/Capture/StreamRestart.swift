package import HelioCore

/// Decides how to react when a capture stream stops: start again after an increasing wait, or report an error to the
/// user.
///
/// A stream that never gave a frame is given up after `waits`. A display's that did is started again until it gives
/// frames: a Mac whose display sleeps stops all streams, and nobody may be there to share once more when it wakes. A
/// window that is gone stays gone.
package struct StreamRestart: Sendable {
    /// The reaction to a stop: another start at a given time, or an error that ends sharing.
    package enum Step: Sendable {
        case restart(at: Instant)
        case fail(HelioError)
    }

    /// The wait before each new start, 12.7 s in total; the last one is repeated.
    package static let waits: [Duration] = [
        .milliseconds(100), .milliseconds(200), .milliseconds(400), .seconds(1), .seconds(2), .seconds(4), .seconds(5),
    ]
    private var failures = 0
    private var hasWorked = false

    package init() {}

    /// Resets the waits; called once a frame has arrived.
    package mutating func succeeded() {
        failures = 0
        hasWorked = true
    }

    /// - Parameter isWindow: true if a window is captured, false for a display.
    package mutating func step(after stop: StreamStop, isWindow: Bool, now: Instant) -> Step {
        switch stop {
        case .byPerson:
            return .fail(
                HelioError(
                    .captureFailed, "Sharing was stopped by the system's own control. Share again to go on."))
        case .refused: return .fail(PermissionKind.screenRecording.refusal)
        case .declined:
            return .fail(
                HelioError(
                    .captureFailed,
                    "This device does not record its screen: that was declined, or is switched off in its settings. "
                        + "Share again to be asked again."))
        case .bySystem, .sourceGone, .ignoresSettings, .failed: break
        }
        let mayReturn = hasWorked && !isWindow && stop != .ignoresSettings
        guard failures < Self.waits.count || mayReturn else { return .fail(Self.givenUp(stop)) }
        defer { failures += 1 }
        return .restart(at: now + Self.waits[min(failures, Self.waits.count - 1)])
    }

    private static func givenUp(_ stop: StreamStop) -> HelioError {
        return HelioError(
            .captureFailed, "The screen can't be captured: \(stop.text). It was tried \(waits.count) times again.")
    }
}
