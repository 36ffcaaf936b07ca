/// The status of a VideoToolbox session's call, reduced to the cases that are handled differently.
package enum SessionStatus: Sendable, Hashable {
    case done
    /// The session is invalid, as after the app was in the background, and must be replaced (requirement rows 74, 147).
    case invalidSession
    /// The session does not support the property or its value; the property is unchanged.
    case unsupportedProperty
    /// The data can't be decoded; decoding needs a keyframe to continue.
    case badData
    /// The system has no encoder or decoder for this format, or none is free.
    case noCoder
    case other(Int32)

    /// - Parameter code: an `OSStatus` (VideoToolbox's VTErrors.h).
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
