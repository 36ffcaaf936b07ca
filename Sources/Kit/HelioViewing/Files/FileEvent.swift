package import HelioLoop

/// What happens to files between the two ends of a session.
public enum FileEvent: Sendable {
    /// The other end wants to send this: the person is to be asked; then call `answer`.
    case offered(FileBatch)
    /// Nobody is to be asked about it any more.
    case lapsed(FileBatch)
    /// It is on its way, and has come so far.
    case progress(FileBatch)
    /// A file or folder has arrived, or failed: `name` is where it lies within the folder for what comes, or its path as
    /// it was sent; `failure` says why it did not arrive.
    case file(FileBatch, name: String, failure: String?)
    /// It is over: so many files and folders have arrived, and so many have failed. `failure` says why it ended before its
    /// end; `nil`: all was tried.
    case ended(FileBatch, arrived: Int, failed: Int, failure: String?)
    /// Something of what was to be sent is not: a link, a device, or what can't be read.
    case leftOut(path: String, reason: String)
}

extension FileEvent: QueuedEvent {
    package var standing: EventStanding {
        switch self {
        case .offered(let batch): .begun("files \(batch.id)")
        case .lapsed(let batch): .over("files \(batch.id)")
        case .progress(let batch): .newest("files \(batch.id)")
        case .file(let batch, let name, _): .repeated("file \(batch.id) \(name)")
        case .ended(let batch, _, _, _): .repeated("files over \(batch.id)")
        case .leftOut(let path, _): .repeated("left out \(path)")
        }
    }
}
