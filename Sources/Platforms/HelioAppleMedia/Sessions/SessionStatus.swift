/// The status of a coding or transfer session of VideoToolbox, reduced to the cases that are handled differently.
package enum SessionStatus: Sendable, Hashable {
    case done
    /// The session has become invalid, as after the app was in the background: another one must replace it (rows 74,
    /// 147).
    case invalidSession
    /// The session does not know the property, or refuses its value: the property is left as it is.
    case unsupportedProperty
    /// The data can't be decoded: a keyframe helps.
    case badData
    /// There is no coder for this format, or none left.
    case noCoder
    case other(Int32)

    /// - Parameter code: an `OSStatus`, as VideoToolbox's VTErrors.h numbers them.
    package init(_ code: Int32) {
        self =
            switch code {
            case 0: .done
            case -12903: .invalidSession
            case -12900, -12901: .unsupportedProperty
            case -12909, -12911, -8969: .badData
            case -12906, -12907, -12908, -12910, -12913, -12915: .noCoder
            default: .other(code)
            }
    }
}

/// The status that VideoToolbox returned when a session could not be made.
package struct SessionFailure: Error, Sendable, Hashable {
    package var status: SessionStatus

    package init(_ status: SessionStatus) { self.status = status }
}
