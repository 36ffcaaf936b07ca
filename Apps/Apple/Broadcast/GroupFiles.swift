import Foundation
import HelioAppModels
import ReplayKit

/// What the app and its extension share: the App Group's defaults and folder.
struct GroupFiles: Sendable {
    private let run = UInt64.random(in: 0...UInt64.max)

    var endpoint: String? { defaults?.string(forKey: BroadcastKeys.endpoint) }
    var streamKey: String? { defaults?.string(forKey: BroadcastKeys.streamKey) }

    /// True where the app has made the relay's socket.
    var hasApp: Bool {
        guard let socket = folder?.appendingPathComponent(BroadcastKeys.socket) else { return false }
        return FileManager.default.fileExists(atPath: socket.path)
    }

    func beat(sequence: UInt64, isEnd: Bool) {
        guard let file = folder?.appendingPathComponent(BroadcastKeys.heartbeat) else { return }
        let bytes = BroadcastExtensionModel.heartbeat(
            run: run, sequence: sequence, isEnd: isEnd, milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        // A beat that is not written is a beat that the app misses: it warns by itself.
        try? Data(bytes).write(to: file, options: .atomic)
    }

    private var defaults: UserDefaults? { UserDefaults(suiteName: BroadcastKeys.group) }
    private var folder: URL? {
        FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: BroadcastKeys.group)
    }
}
