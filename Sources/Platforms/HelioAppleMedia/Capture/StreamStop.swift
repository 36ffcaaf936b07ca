/// The reason that a capture stream stopped, or didn't start.
package enum StreamStop: Sendable, Hashable {
    /// The person stopped it, by the system's own control.
    case byPerson
    /// The system stopped it, as for sleep or a lack of memory.
    case bySystem
    /// The permission is missing or was taken back.
    case refused
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
}
