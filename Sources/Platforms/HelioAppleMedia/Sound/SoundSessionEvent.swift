/// News of the system's about sound: what `AVAudioSession` notifies of on iOS, and what stands for it on macOS.
package enum SoundSessionEvent: Sendable, Hashable {
    /// A phone call, Siri or an alarm has taken the devices: the system has stopped what plays and captures already.
    case interruptionBegan
    /// The interruption is over. Not every one has an end that is told.
    ///
    /// - Parameter shouldResume: true where the system says to go on by oneself.
    case interruptionEnded(shouldResume: Bool)
    /// The app is in front again.
    case becameActive
    /// - Parameter wasPrivate: true where what went was heard by one person: headphones, by wire or not.
    case routeChanged(RouteChange, wasPrivate: Bool)
    /// The media services have crashed: every object of theirs is of no use any more.
    case servicesLost
    /// They are back; everything has to be made anew.
    case servicesReset

    /// Why sound goes another way: `AVAudioSession.RouteChangeReason`.
    package enum RouteChange: Sendable, Hashable {
        case deviceAvailable
        case deviceGone
        /// There is nothing that could play, or capture.
        case noRoute
        /// The same devices in another way: rate, channels, category, or an override.
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
