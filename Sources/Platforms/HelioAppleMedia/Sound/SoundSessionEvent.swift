/// An event of the system about sound: a notification of `AVAudioSession` on iOS, or its counterpart on macOS.
package enum SoundSessionEvent: Sendable, Hashable {
    /// A phone call, Siri or an alarm has taken the devices: the system has already stopped playing and capturing.
    case interruptionBegan
    /// The interruption is over. Not every interruption reports its end.
    ///
    /// - Parameter shouldResume: true if the system advises to resume without the person.
    case interruptionEnded(shouldResume: Bool)
    /// The app is in front again.
    case becameActive
    /// - Parameter wasPrivate: true if the lost device was headphones, wired or wireless, which only one person hears.
    case routeChanged(RouteChange, wasPrivate: Bool)
    /// The media services have crashed: all of their objects are useless.
    case servicesLost
    /// The media services are back; all objects must be made anew.
    case servicesReset

    /// The reason for a change of the route: `AVAudioSession.RouteChangeReason`.
    package enum RouteChange: Sendable, Hashable {
        case deviceAvailable
        case deviceGone
        /// No device can play, or capture.
        case noRoute
        /// The same devices, with another rate, number of channels, category or override.
        case other

        /// - Parameter reason: the raw value.
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
    /// Reads the numbers of an interruption's notification; `nil` for a type that is unknown.
    ///
    /// - Parameters:
    ///   - type: `AVAudioSession.InterruptionType`'s raw value; `nil` where there is none.
    ///   - options: `AVAudioSession.InterruptionOptions`' raw value.
    package init?(interruption type: UInt?, options: UInt?) {
        switch type {
        case 1: self = .interruptionBegan
        case 0: self = .interruptionEnded(shouldResume: (options ?? 0) & 1 != 0)
        default: return nil
        }
    }
}
