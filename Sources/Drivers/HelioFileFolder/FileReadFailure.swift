internal import HelioTransferWire

/// The reason why a file can't be sent.
enum FileReadFailure: Error {
    /// The file no longer exists, is not a regular file, or may not be read.
    case unreadable
    /// The file has changed since it was listed.
    case changed

    var refusal: FileRefusal {
        switch self {
        case .unreadable: .unreadable
        case .changed: .changed
        }
    }
}
