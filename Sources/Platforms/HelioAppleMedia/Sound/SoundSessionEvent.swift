/// A sound event of the system: a notification of `AVAudioSession` on iOS, or its counterpart on macOS.
package enum SoundSessionEvent: Sendable, Hashable {
    /// A phone call, Siri or an alarm has taken the devices; the system has already stopped playback and capture.
    case interruptionBegan
    /// The interruption is over. Not every interruption reports its end.
    ///
    /// - Parameter shouldResume: true if the system advises to resume without an action by the user.
    case interruptionEnded(shouldResume: Bool)
    /// The app has become active again.
    case becameActive
    /// The route of the sound has changed.
    ///
    /// - Parameter wasPrivate: true if the removed device was headphones, wired or wireless, which only the user hears.
    case routeChanged(RouteChange, wasPrivate: Bool)
    /// The media services have crashed, so all objects from them are invalid.
    case servicesLost
    /// The media services were restarted; all objects must be recreated.
    case servicesReset

    /// The reason for a change of the route: `AVAudioSession.RouteChangeReason`.
    package enum RouteChange: Sendable, Hashable {
        case deviceAvailable
        case deviceGone
        /// The system has no device for playback or capture.
        case noRoute
        /// The devices are the same, but the rate, number of channels, category or override has changed.
        case other

        /// - Parameter reason: the raw value of `AVAudioSession.RouteChangeReason`.
        package init(_ reason: UInt) {
            self =
                switch reason {
                case 1: .deviceAvailable
                case 2: .deviceGone
                case 7: .noRoute
                default: .other
                }
        }
    }
}

extension SoundSessionEvent {
    /// Converts the values of an interruption notification; `nil` if the type is unknown.
    ///
    /// - Parameters:
    ///   - type: the raw value of `AVAudioSession.InterruptionType`; `nil` if the notification has none.
    ///   - options: the raw value of `AVAudioSession.InterruptionOptions`; `nil` if the notification has none.
    package init?(interruption type: UInt?, options: UInt?) {
        switch type {
        case 1: self = .interruptionBegan
        case 0: self = .interruptionEnded(shouldResume: (options ?? 0) & 1 != 0)
        default: return nil
        }
    }
}
