private import Foundation
internal import HelioCore
private import HelioLocalSocket

/// Where the processes of sessions listen for commands of the same user.
enum FileServicePlace {
    /// Beside the pairings where their place was chosen; else where the system has sockets of this user's.
    static var folder: String {
        let environment = ProcessInfo.processInfo.environment
        let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.isEmpty ? nil : $0 + "/heliograph" }
        let isChosen = environment["HELIOGRAPH_HOME"].map { !$0.isEmpty } ?? false
        return isChosen ? HeliographHome.path + "/run" : runtime ?? HeliographHome.path + "/run"
    }

    static func prepare() throws(HelioError) {
        let outer = (folder as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(
            atPath: outer, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try PrivateFolder.prepare(for: folder + "/socket")
    }

    /// The sockets of the processes that there are. That of one that is gone is removed.
    static var sockets: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().compactMap { name in
            guard name.hasSuffix(".sock"), let process = pid_t(name.dropLast(5)) else { return nil }
            let path = folder + "/" + name
            if kill(process, 0) == 0 { return path }
            try? FileManager.default.removeItem(atPath: path)
            return nil
        }
    }
}
