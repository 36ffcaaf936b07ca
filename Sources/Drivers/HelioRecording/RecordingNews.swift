package import HelioCore

/// What a recording has to tell.
package enum RecordingNews: Sendable {
    /// The first picture is in this file.
    case began(path: String)
    /// It goes on in another file, as the codec has changed.
    case continued(path: String)
    /// It has ended by an error; what it was taken from goes on.
    case failed(HelioError)
}
