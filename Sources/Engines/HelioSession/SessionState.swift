package import HelioAdmission

/// The state of a viewer's session at the host (row 26), and the only place that says what may come next.
///
///                describe             prove          set up video         play
///     connected ---------> challenged -----> admitted ----------> ready -------> playing <--pause, play--> paused
///          \                   |
///           \------- pair -----+--> pairing (goes on by `pair` alone; a paired device connects anew)
///
/// The control channel is set up once, beside the video or before it, and not after `play`; sound once for each origin,
/// and the viewer's voice, behind the video, and turned on and off from then on. Whoever watches may have the media go by another transport. From
/// everywhere,
/// TEARDOWN, a closed connection, silence or a broken protocol lead to `ended`.
package enum SessionState: String, Sendable, CaseIterable {
    /// TCP and TLS stand; nothing is known of the other end.
    case connected
    /// The host's nonce is out: a proof made with it is awaited.
    case challenged
    /// Two people compare codes: see `PairingDesk`.
    case pairing
    /// Let in; the offer with the host's keys is out.
    case admitted
    /// Video is set up: both ends have each other's keys.
    case ready
    case playing
    /// Set up, but the viewer wants no media for now.
    case paused
    case ended

    /// A step that moves a session on.
    package enum Step: String, Sendable, CaseIterable {
        case describe
        case prove
        /// A proof was wrong: its nonce is spent.
        case mistake
        case pair
        case setUpVideo
        case setUpControl
        case setUpSound
        /// Sound is turned on or off.
        case setSound
        case play
        case pause
        /// Media go by another transport.
        case changeTransport
        case end
    }

    /// The state after a step; `nil` where it is out of order: it is answered with 455 and changes nothing.
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

    /// True once the other end has proven that it may be here.
    package var isAdmitted: Bool {
        switch self {
        case .admitted, .ready, .playing, .paused: true
        case .connected, .challenged, .pairing, .ended: false
        }
    }

    /// True where the other end has proven nothing, and nobody is busy with it.
    package var isStranger: Bool { self == .connected || self == .challenged }

    /// The progress among strangers, for `Stranger.toMakeRoom`; `nil` where it was let in.
    package var progress: Stranger.Progress? {
        switch self {
        case .connected, .ended: .connected
        case .challenged: .challenged
        case .pairing: .pairing
        case .admitted, .ready, .playing, .paused: nil
        }
    }

    /// True where the session plays, or has played and is paused.
    package var isWatching: Bool { self == .playing || self == .paused }
}
