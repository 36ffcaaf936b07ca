private import Foundation
private import HelioCore
internal import HelioHostFlow
private import HelioSharing

/// The entry in the desktop's autostart folder (Desktop Application Autostart Specification).
@MainActor
package final class AutostartItem: LoginItem {
    private let path: String
    private let program: String

    /// - Parameters:
    ///   - program: the absolute path of the program to start.
    ///   - id: the app's identifier, which names the file.
    package init(program: String, id: String, environment: [String: String]) {
        let chosen = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        path = (chosen ?? HeliographHome.userFolder + "/.config") + "/autostart/\(id).desktop"
        self.program = program
    }

    package var isEnabled: Bool {
        guard let data = FileManager.default.contents(atPath: path) else { return false }
        // Desktops switch an entry off by this key instead of removing it.
        return !String(decoding: data, as: UTF8.self).contains("\nHidden=true")
    }

    package func set(_ isEnabled: Bool) throws {
        let url = URL(filePath: path)
        do {
            guard isEnabled else { return try FileManager.default.removeItem(at: url) }
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(entry.utf8).write(to: url, options: .atomic)
        } catch {
            throw HelioError(.systemFailed, "\(path) can't be changed: \(error.localizedDescription)")
        }
    }

    /// The entry's text. A path is quoted by the rules of the Desktop Entry Specification, section 7.
    private var entry: String {
        var quoted = ""
        for character in program {
            switch character {
            case "\\": quoted += "\\\\\\\\"
            case "\"", "`", "$": quoted += "\\\\\(character)"
            case "%": quoted += "%%"
            default: quoted.append(character)
            }
        }
        return """
            [Desktop Entry]
            Type=Application
            Name=Heliograph
            Icon=org.heliograph.Heliograph
            Exec="\(quoted)"
            Terminal=false

            """
    }
}
