/// The life of the recorder inside an app (row 82), which the system stops when the app leaves the screen (row 156).
package struct RecorderLife: Sendable {
    package enum State: Sendable, Hashable {
        case stopped
        case starting
        case recording
        /// It stopped since the app left the screen; it starts again by itself when the app is back.
        case away
    }

    /// What to do now.
    package enum Action: Sendable, Hashable {
        case start
        case stop
        /// Tell the person.
        case tell(String)
    }

    package private(set) var state = State.stopped

    package init() {}

    package static let awayMessage =
        "Sharing stops while this app is not on the screen: it shows only itself. Come back to go on, or start a "
        + "broadcast to show other apps."

    /// The person wants to share.
    package mutating func share() -> [Action] {
        guard state == .stopped else { return [] }
        state = .starting
        return [.start]
    }

    /// The person wants to share no more.
    package mutating func unshare() -> [Action] {
        defer { state = .stopped }
        return state == .starting || state == .recording ? [.stop] : []
    }

    /// The recorder has answered to `start`.
    ///
    /// - Parameter error: what to tell the person; `nil`: it records.
    package mutating func started(error: String?) -> [Action] {
        guard state == .starting else {
            // Nobody wants it any more.
            return error == nil && state != .recording ? [.stop] : []
        }
        if let error {
            state = .stopped
            return [.tell("Sharing could not start: \(error)")]
        }
        state = .recording
        return []
    }

    /// The app left the screen.
    package mutating func minimised() -> [Action] {
        guard state == .recording || state == .starting else { return [] }
        state = .away
        return [.stop, .tell(Self.awayMessage)]
    }

    /// The app is on the screen again.
    package mutating func returned() -> [Action] {
        guard state == .away else { return [] }
        state = .starting
        return [.start]
    }

    /// The recorder stopped by itself.
    package mutating func ended(error: String?) -> [Action] {
        guard state == .recording || state == .starting else { return [] }
        state = .stopped
        return [.tell(error.map { "Sharing stopped: \($0)" } ?? "Sharing stopped.")]
    }
}
