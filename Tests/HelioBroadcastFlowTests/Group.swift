import Foundation
import HelioAppModels
import HelioBroadcastFlow
import HelioCore
import Synchronization

/// A simulated App Group: a folder for this test, and the defaults shared by both ends.
final class Group: Sendable {
    let folder: GroupFolder
    let defaults = Mutex<[String: String]>([:])
    let memory = Mutex<Int?>(nil)
    let clock = Mutex(Duration.zero)

    init() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "helio-\(UUID().uuidString.prefix(8))").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        folder = GroupFolder(path)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder.path) }

    func text(_ key: String) -> String? { defaults.withLock { $0[key] } }
    func set(_ text: String?, for key: String) { defaults.withLock { $0[key] = text } }

    /// Binds the group's socket, as a listening app does.
    func takeSocket() throws {
        let file = URL(filePath: folder.socket)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: file)
    }

    /// - Parameter isReal: whether to use the machine's clock.
    func surroundings(isReal: Bool = false, fail: @escaping @Sendable (Phrase) -> Void) -> ExtensionSurroundings {
        let now: @Sendable () -> Duration = { self.clock.withLock { $0 } }
        return ExtensionSurroundings(
            folder: folder, text: { self.text($0) }, memory: { self.memory.withLock { $0 } }, fail: fail,
            now: isReal ? nil : now, milliseconds: { 1_800_000_000_000 })
    }

    func write(_ heartbeat: [UInt8]) {
        try? Data(heartbeat).write(to: URL(filePath: "\(folder.path)/\(BroadcastKeys.heartbeat)"))
    }

    func wait(_ time: Duration) { clock.withLock { $0 += time } }
}

/// The group's defaults as a key-value store of the app.
@MainActor
final class GroupDefaults: KeyValueStore {
    struct Full: Error, CustomStringConvertible { let description = "The disk is full." }

    let group: Group
    var isFull = false
    init(_ group: Group) { self.group = group }

    func text(_ key: String) -> String? { group.text(key) }
    func set(_ text: String?, for key: String) throws {
        if isFull { throw Full() }
        group.set(text, for: key)
    }
}
