extension FileEvent {
    /// The event as a human-readable sentence; `nil` for progress and success, which need none.
    public var sentence: String? {
        switch self {
        case .offered(let batch): "\(batch.peer) wants to send \(batch.summary)."
        case .lapsed(let batch): "\(batch.peer) no longer asks to send \(batch.summary)."
        case .progress: nil
        case .file(_, let name, let failure): failure.map { "\(name) did not arrive: \($0)." }
        case .ended(let batch, let arrived, let failed, let failure):
            batch.ending(arrived: arrived, failed: failed, failure: failure)
        case .leftOut(let path, let reason): "\(path) is not sent: \(reason)."
        }
    }
}
