private import Synchronization

/// The progress text of file transfers, for the terminal's last row.
final class TransferProgress: Sendable {
    static let shared = TransferProgress()

    private let state = Mutex<String?>(nil)

    /// The progress text; `nil` while there is no transfer.
    var text: String? { state.withLock { $0 } }

    func set(_ text: String?) { state.withLock { $0 = text } }
}
