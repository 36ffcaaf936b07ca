package import HelioCore

/// The state machine of a broadcast extension: started with the user's settings, paused, resumed, finished (requirement
/// row 168). It also routes each sample by type (requirement row 154).
///
/// The system's calls may be repeated or out of order: a call has an effect only in the states that allow it.
package struct BroadcastLife: Sendable {
    package enum State: Sendable, Hashable {
        case idle
        case running
        case paused
        case finished
    }

    package private(set) var state = State.idle
    package private(set) var drops = DropCounter<BroadcastDrop>()
    /// The rotation that makes the last picture upright.
    package private(set) var turn = PictureTurn.none

    package init() {}

    package mutating func started(setup: [String: String]) -> BroadcastAction? {
        guard state == .idle else { return nil }
        state = .running
        return .open(setup: setup)
    }

    package mutating func paused() -> BroadcastAction? {
        guard state == .running else { return nil }
        state = .paused
        return .hold
    }

    package mutating func resumed() -> BroadcastAction? {
        guard state == .paused else { return nil }
        state = .running
        return .goOn
    }

    package mutating func finished() -> BroadcastAction? {
        guard state == .running || state == .paused else { return nil }
        state = .finished
        return .close
    }

    /// Returns the kind of a sample to pass on; `nil` if the sample is dropped, and counted.
    ///
    /// - Parameters:
    ///   - type: the raw value of `RPSampleBufferType`.
    ///   - orientation: the orientation in a picture's attachment.
    package mutating func route(type: Int, orientation: Int?) -> BroadcastSampleKind? {
        guard let kind = BroadcastSampleKind(rawValue: type) else {
            drops.count(.unknownType)
            return nil
        }
        guard state == .running else {
            drops.count(state == .paused ? .paused : .notRunning)
            return nil
        }
        if kind == .video { turn = PictureTurn(orientation: orientation) }
        return kind
    }
}
