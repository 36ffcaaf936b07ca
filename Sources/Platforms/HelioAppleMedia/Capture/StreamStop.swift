/// The reason why a capture stream stopped, or did not start.
package enum StreamStop: Sendable, Hashable {
    /// The person stopped it, by the system's own control.
    case byPerson
    /// The system stopped it, as for sleep or a lack of memory.
    case bySystem
    /// The permission is missing or was taken back.
    case refused
    /// The person declined this time, or recording is not allowed on this device.
    case declined
    /// The captured display or window no longer exists.
    case sourceGone
    /// The stream keeps delivering pictures of another size than requested.
    case ignoresSettings
    /// Another failure, with its number.
    case failed(Int)

    /// - Parameter code: a code of `SCStreamErrorDomain`, as ScreenCaptureKit's SCError.h numbers them.
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

    /// - Parameter code: a code of `RPRecordingErrorDomain`, as ReplayKit's RPError.h numbers them.
    package init(replayKit code: Int) {
        self =
            switch code {
            case -5801, -5802, -5810: .declined
            // Interrupted, resized, gone to sleep, a phone call, a car's display.
            case -5806, -5807, -5809, -5811, -5813: .bySystem
            default: .failed(code)
            }
    }

    /// The reason in words for people, fit to end a sentence.
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
