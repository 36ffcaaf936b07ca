import HelioAdmission

/// The state of a browser's session at the host, and the only definition of the order of its steps.
///
///                hello            prove           offer           connect
///     connected -------> greeted -------> admitted ------> offered --------> watching
///                           \--pair--> pairing --grant--/
///
/// A refusal, a timeout or a lost connection leads to `ended` in every state, too many mistakes in every state before
/// `watching`.
package enum WebSessionState: String, Sendable, CaseIterable {
    /// The WebSocket is open; the other end has not sent its `hello`.
    case connected
    /// Both ends have exchanged certificate fingerprints and nonces.
    case greeted
    /// The users at both ends compare codes: see `PairingDesk`.
    case pairing
    /// Admitted; an offer is awaited.
    case admitted
    /// The peer connection is being established (ICE, DTLS).
    case offered
    /// The peer connection is established, so the viewer can watch.
    case watching
    case ended

    /// An event that moves a session to its next state, or is permitted in its present one.
    package enum Step: String, Sendable, CaseIterable {
        case hello
        case prove
        case pair
        case grant
        case offer
        case connect
        case end
    }

    /// The state after a step; `nil` if it is out of order: the message is answered with an error and changes
    /// nothing.
    package func after(_ step: Step) -> WebSessionState? {
        switch (self, step) {
        case (.ended, _): nil
        case (_, .end): .ended
        case (.connected, .hello): .greeted
        case (.greeted, .prove): .admitted
        case (.greeted, .pair), (.pairing, .pair): .pairing
        case (.pairing, .grant): .admitted
        case (.admitted, .offer): .offered
        case (.offered, .connect): .watching
        default: nil
        }
    }

    /// True from `admitted` on, until the session ends.
    package var isAdmitted: Bool { self == .admitted || self == .offered || self == .watching }
    /// The progress of a viewer that is not admitted yet, for `Stranger.toMakeRoom`; `nil` once it is admitted.
    var progress: Stranger.Progress? {
        switch self {
        case .connected, .ended: .connected
        case .greeted: .challenged
        case .pairing: .pairing
        case .admitted, .offered, .watching: nil
        }
    }
}
