package import HelioCore

/// An event of a recording for the user who records.
package enum RecordingNews: Sendable {
    /// The recording has begun: the first picture is in this file.
    case began(path: String)
    /// The recording continues in another file, because the codec has changed.
    case continued(path: String)
    /// The recording has ended with an error; the recorded stream continues.
    case failed(HelioError)
}
