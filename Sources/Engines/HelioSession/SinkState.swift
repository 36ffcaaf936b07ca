/// The state of a viewer's session at the viewer (row 26), and the only place that says what comes next.
///
///          connected       challenged         admitted               video                  control
///     idle --------> asking --------> proving -------> settingUpVideo ----> settingUpControl -----> settingUpSound
///                    sound             path open          played
///     settingUpSound ----> openingPath ----> starting ----> playing
///
/// Where there is no sound to set up, that step is taken at once.
///
/// From everywhere an answer that does not belong there, a closed connection, silence, the host's end or the person's
/// wish lead to `ended`.
package enum SinkState: String, Sendable, CaseIterable {
    case idle
    /// Asking for the host's nonce.
    case asking
    /// Our proof is out: the host's own proof and its offer are awaited.
    case proving
    case settingUpVideo
    case settingUpControl
    case settingUpSound
    /// Opening a socket for media.
    case openingPath
    /// PLAY is out.
    case starting
    case playing
    case ended

    /// A step that moves a session on.
    package enum Step: String, Sendable, CaseIterable {
        case connected
        case challenged
        case admitted
        case videoSetUp
        case controlSetUp
        /// All SETUPs of sound are answered.
        case soundSetUp
        case pathOpen
        case played
        case end
    }

    /// The state after a step; `nil` where it is out of order.
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
