private import Foundation
internal import HelioCore
private import HelioLocalSocket

/// The location of the sockets at which session processes listen for the same user's commands.
enum FileServicePlace {
    /// The folder of the sockets: below `$HELIOGRAPH_HOME` if that is set, otherwise in the user's runtime folder, or
    /// below the data folder.
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

    /// The sockets of running processes. The sockets of processes that have ended are removed.
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
