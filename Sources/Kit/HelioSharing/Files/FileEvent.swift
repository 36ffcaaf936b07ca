package import HelioLoop

/// An event of the exchange of files between the two ends of a session.
public enum FileEvent: Sendable {
    /// The other end offers a batch: ask the user, then call `SharedFiles.answer(_:accepts:)`.
    case offered(FileBatch)
    /// An offer is obsolete; the user need no longer be asked.
    case lapsed(FileBatch)
    /// The progress of a batch has changed.
    case progress(FileBatch)
    /// A file or folder has arrived or failed. `name` is its path within the folder for received files, or the path
    /// that it was sent from; `failure` is the reason if the file did not arrive.
    case file(FileBatch, name: String, failure: String?)
    /// A batch has ended, with the numbers of files and folders that arrived and that failed. `failure` is the reason
    /// if the batch ended early; `nil` if every file was tried.
    case ended(FileBatch, arrived: Int, failed: Int, failure: String?)
    /// A link, a device or an unreadable file was left out of a batch to send.
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
