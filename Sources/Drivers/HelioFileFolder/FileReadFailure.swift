internal import HelioTransferWire

/// The reason why a file that was to be sent can't be.
enum FileReadFailure: Error {
    /// It is gone, is no plain file, or may not be read.
    case unreadable
    /// It is another than the one that was listed.
    case changed

    var refusal: FileRefusal {
        switch self {
        case .unreadable: .unreadable
        case .changed: .changed
        }
    }
}
