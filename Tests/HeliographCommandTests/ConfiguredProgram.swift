import Foundation
import HelioTestPrograms

/// The built program with a folder of its own for its configuration file, keys and pairings. The folder goes with this
/// object.
final class ConfiguredProgram {
    struct Outcome {
        let status: Int32
        /// Standard output and standard error.
        let text: String
    }

    /// A line of `heliograph config --json`.
    struct Key: Decodable {
        let key: String
        let kind: String
        let choices: [String]
        let `default`: String?
        let values: [String]
        let source: String
        let line: Int?
        let variables: [String]

        /// The table and the name.
        var place: (table: String, name: String) {
            let words = key.split(separator: ".", maxSplits: 1).map(String.init)
            return words.count == 2 ? (words[0], words[1]) : ("", key)
        }
    }

    static let executable = RunningProgram.built("heliograph")

    let folder: URL
    var file: URL { folder.appending(path: "config.toml") }

    /// - Parameter text: the contents of the file; `nil` for no file.
    init(_ text: String? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-config-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        if let text { try write(text) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ text: String) throws { try Data(text.utf8).write(to: file) }

    func read() throws -> String { try String(contentsOf: file, encoding: .utf8) }

    /// The environment: no display and no sound, and nothing of this user's.
    private var environment: [String: String] {
        [
            "HELIOGRAPH_HOME": folder.path, "HELIOGRAPH_CONFIG": "", "HELIOGRAPH_RENDEZVOUS": "", "DISPLAY": "",
            "WAYLAND_DISPLAY": "", "XDG_SESSION_TYPE": "", "PULSE_SERVER": "unix:/nonexistent", "VISUAL": "",
            "EDITOR": "",
        ]
    }

    func start(
        _ arguments: [String], _ others: [String: String] = [:], input: FileHandle = .nullDevice
    ) throws -> RunningProgram {
        try RunningProgram(
            Self.executable, arguments, environment: environment.merging(others) { $1 }, standardInput: input)
    }

    func run(_ arguments: [String], _ others: [String: String] = [:]) throws -> Outcome {
        let program = try start(arguments, others)
        let status = program.waitUntilExit()
        return Outcome(status: status, text: program.text)
    }

    /// All keys, as `heliograph config --json` has them.
    func keys(_ others: [String: String] = [:]) throws -> [Key] {
        let lines = try run(["config", "--json"], others).text.split(separator: "\n")
        return try lines.map { try JSONDecoder().decode(Key.self, from: Data($0.utf8)) }
    }

    /// A file with a line for each key.
    ///
    /// - Parameter value: the value as TOML; `nil` leaves the key out.
    static func text(_ keys: [Key], _ value: (Key) -> String?) -> String {
        var lines: [String] = []
        var table = ""
        for key in keys {
            guard let value = value(key) else { continue }
            if key.place.table != table {
                table = key.place.table
                lines.append("[\(table)]")
            }
            lines.append("\(key.place.name) = \(value)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
