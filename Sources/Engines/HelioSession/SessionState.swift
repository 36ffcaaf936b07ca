package import HelioAdmission

/// The state of a viewer's session at the host, and the only definition of the order of its steps.
///
///                describe             prove          set up video         play
///     connected ---------> challenged -----> admitted ----------> ready -------> playing <--pause, play--> paused
///          \                   |
///           \------- pair -----+--> pairing (only `pair` is in order; a paired device then reconnects)
///
/// The control channel is set up once, before or after the video, but not after `play`. Sound is set up once for each
/// origin, and the viewer's voice once, after the video; both can be turned on and off from then on. A watching viewer
/// may request another transport for its media. In every state TEARDOWN, a closed connection, silence or a protocol
/// error lead to `ended`.
package enum SessionState: String, Sendable, CaseIterable {
    /// TCP and TLS are established; the other end has not authenticated.
    case connected
    /// The host's nonce was sent: a proof made with it is awaited.
    case challenged
    /// The users at both ends compare codes: see `PairingDesk`.
    case pairing
    /// Admitted; the offer with the host's keys was sent.
    case admitted
    /// Video is set up: both ends have each other's keys.
    case ready
    case playing
    /// Everything is set up, but the viewer has paused its media.
    case paused
    case ended

    /// An event that moves a session to its next state, or is permitted in its present one.
    package enum Step: String, Sendable, CaseIterable {
        case describe
        case prove
        /// The pending nonce is used up: by a wrong proof, a rejected request, or an attempt to pair by code.
        case mistake
        case pair
        case setUpVideo
        case setUpControl
        case setUpSound
        /// Sound is turned on or off.
        case setSound
        case play
        case pause
        /// Media move between UDP and the RTSP connection (TCP).
        case changeTransport
        case end
    }

    /// The state after a step; `nil` if it is out of order: the request is answered with 455 and changes nothing.
    package func after(_ step: Step) -> SessionState? {
        switch (self, step) {
        case (.ended, _): nil
        case (_, .end): .ended
        case (.connected, .describe), (.challenged, .describe): .challenged
        case (.challenged, .prove): .admitted
        case (.challenged, .mistake): .connected
        case (.connected, .pair), (.challenged, .pair), (.pairing, .pair): .pairing
        case (.admitted, .setUpControl): .admitted
        case (.ready, .setUpControl): .ready
        case (.admitted, .setUpVideo): .ready
        case (.ready, .setUpSound): .ready
        case (.ready, .setSound), (.playing, .setSound), (.paused, .setSound): self
        case (.ready, .play), (.paused, .play): .playing
        case (.playing, .pause): .paused
        case (.playing, .changeTransport), (.paused, .changeTransport): self
        default: nil
        }
    }

    /// True from `admitted` on, until the session ends.
    package var isAdmitted: Bool {
        switch self {
        case .admitted, .ready, .playing, .paused: true
        case .connected, .challenged, .pairing, .ended: false
        }
    }

    /// True if the other end has not authenticated, and no user is pairing with it.
    package var isStranger: Bool { self == .connected || self == .challenged }

    /// The progress of a viewer that is not admitted yet, for `Stranger.toMakeRoom`; `nil` once it is admitted.
    package var progress: Stranger.Progress? {
        switch self {
        case .connected, .ended: .connected
        case .challenged: .challenged
        case .pairing: .pairing
        case .admitted, .ready, .playing, .paused: nil
        }
    }

    /// True if the session plays, or is paused.
    package var isWatching: Bool { self == .playing || self == .paused }
}
