/// The state of a viewer's session at the viewer, and the only definition of the order of its steps.
///
///          connected       challenged         admitted               video                  control
///     idle --------> asking --------> proving -------> settingUpVideo ----> settingUpControl -----> settingUpSound
///                    sound             path open          played
///     settingUpSound ----> openingPath ----> starting ----> playing
///
/// The step `soundSetUp` follows at once if there is no sound to set up.
///
/// An unexpected response, a closed connection, silence, or an end by the host or the user leads to `ended` in every
/// state.
package enum SinkState: String, Sendable, CaseIterable {
    case idle
    /// The host's nonce was requested.
    case asking
    /// This viewer's proof was sent: the host's own proof and its offer are awaited.
    case proving
    case settingUpVideo
    case settingUpControl
    case settingUpSound
    /// A socket for media is being opened.
    case openingPath
    /// PLAY was sent.
    case starting
    case playing
    case ended

    /// An event that moves a session to its next state.
    package enum Step: String, Sendable, CaseIterable {
        case connected
        case challenged
        case admitted
        case videoSetUp
        case controlSetUp
        /// All SETUPs of sound and voice were answered.
        case soundSetUp
        case pathOpen
        case played
        case end
    }

    /// The state after a step; `nil` if it is out of order.
    package func after(_ step: Step) -> SinkState? {
        switch (self, step) {
        case (.ended, _): nil
        case (_, .end): .ended
        case (.idle, .connected): .asking
        case (.asking, .challenged): .proving
        case (.proving, .admitted): .settingUpVideo
        case (.settingUpVideo, .videoSetUp): .settingUpControl
        case (.settingUpControl, .controlSetUp): .settingUpSound
        case (.settingUpSound, .soundSetUp): .openingPath
        case (.openingPath, .pathOpen): .starting
        case (.starting, .played): .playing
        default: nil
        }
    }
}
