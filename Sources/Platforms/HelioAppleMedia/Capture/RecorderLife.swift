/// The state machine of the recorder inside an app (requirement row 82). The system stops that recorder when the app
/// leaves the screen (requirement row 156).
package struct RecorderLife: Sendable {
    package enum State: Sendable, Hashable {
        case stopped
        case starting
        case recording
        /// Stopped because the app left the screen; recording restarts when the app returns.
        case away
    }

    /// An action that the recorder's driver must execute.
    package enum Action: Sendable, Hashable {
        case start
        case stop
        /// Shows this text to the user.
        case tell(String)
    }

    package private(set) var state = State.stopped

    package init() {}

    package static let awayMessage =
        "Sharing stops while this app is not on the screen: it shows only itself. Come back to go on, or start a "
        + "broadcast to show other apps."

    /// Starts sharing, at the user's request.
    package mutating func share() -> [Action] {
        guard state == .stopped else { return [] }
        state = .starting
        return [.start]
    }

    /// Ends sharing, at the user's request.
    package mutating func unshare() -> [Action] {
        defer { state = .stopped }
        return state == .starting || state == .recording ? [.stop] : []
    }

    /// Handles the recorder's answer to `start`.
    ///
    /// - Parameter error: the failure to show to the user; `nil` if recording has started.
    package mutating func started(error: String?) -> [Action] {
        guard state == .starting else {
            // Sharing was ended while the recorder was starting.
            return error == nil && state != .recording ? [.stop] : []
        }
        if let error {
            state = .stopped
            return [.tell("Sharing could not start: \(error)")]
        }
        state = .recording
        return []
    }

    /// Stops the recorder, as the app has left the screen.
    package mutating func minimised() -> [Action] {
        guard state == .recording || state == .starting else { return [] }
        state = .away
        return [.stop, .tell(Self.awayMessage)]
    }

    /// Restarts the recorder if it was stopped because the app had left the screen.
    package mutating func returned() -> [Action] {
        guard state == .away else { return [] }
        state = .starting
        return [.start]
    }

    /// Handles an end of recording that the app did not request.
    package mutating func ended(error: String?) -> [Action] {
        guard state == .recording || state == .starting else { return [] }
        state = .stopped
        return [.tell(error.map { "Sharing stopped: \($0)" } ?? "Sharing stopped.")]
    }
}
