private import Synchronization

/// How far the files are that go or come, for the terminal's last row.
final class TransferProgress: Sendable {
    static let shared = TransferProgress()

    private let state = Mutex<String?>(nil)

    /// `nil`: none go.
    var text: String? { state.withLock { $0 } }

    func set(_ text: String?) { state.withLock { $0 = text } }
}
