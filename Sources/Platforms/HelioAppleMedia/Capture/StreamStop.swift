/// The reason that a capture stream stopped, or didn't start.
package enum StreamStop: Sendable, Hashable {
    /// The person stopped it, by the system's own control.
    case byPerson
    /// The system stopped it, as for sleep or a lack of memory.
    case bySystem
    /// The permission is missing or was taken back.
    case refused
    /// The person was asked, and said no to this once; or nobody may record this device.
    case declined
    /// What it captured is no longer there.
    case sourceGone
    /// It goes on with pictures of another size than asked for.
    case ignoresSettings
    /// Another failure, with its number.
    case failed(Int)

    /// - Parameter code: of `SCStreamErrorDomain`, as ScreenCaptureKit's SCError.h numbers them.
    package init(screenCaptureKit code: Int) {
        self =
            switch code {
            case -3801, -3803: .refused
            case -3813, -3814, -3815: .sourceGone
            case -3817: .byPerson
            case -3804, -3805, -3821: .bySystem
            default: .failed(code)
            }
    }

    /// - Parameter code: of `RPRecordingErrorDomain`, as ReplayKit's RPError.h numbers them.
    package init(replayKit code: Int) {
        self =
            switch code {
            case -5801, -5802, -5810: .declined
            // Interrupted, resized, gone to sleep, a phone call, a car's display.
            case -5806, -5807, -5809, -5811, -5813: .bySystem
            default: .failed(code)
            }
    }

    /// What happened, for a person, as the end of a sentence.
    package var text: String {
        switch self {
        case .byPerson: "it was stopped by the system's own control"
        case .bySystem: "the system stops it"
        case .refused, .declined: "it is not allowed"
        case .sourceGone: "there is no display to capture"
        case .ignoresSettings: "the pictures are of another size than asked for"
        case .failed(let code): "error \(code)"
        }
    }
}
