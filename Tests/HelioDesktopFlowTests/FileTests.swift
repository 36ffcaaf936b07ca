import Foundation
import HelioDesktopFlow
import HelioHostFlow
import Testing

/// The app's files: its settings, and the entry that starts it at login.
@MainActor
final class FileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-app-\(UUID().uuidString)")
    private var environment: [String: String] { ["XDG_CONFIG_HOME": folder.path] }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test("texts are kept for each side, in a file for the user alone") func store() throws {
        let path = FileStore.usualPath(environment: environment)
        let store = FileStore(path: path)
        let (host, viewer) = (store.side("host"), store.side("viewer"))
        try host.set("1", for: "viewOnly")
        try viewer.set("0", for: "viewOnly")
        try viewer.set("x", for: "name")
        try viewer.set(nil, for: "name")
        let again = FileStore(path: path)
        #expect(again.side("host").text("viewOnly") == "1" && again.side("viewer").text("viewOnly") == "0")
        #expect(again.side("viewer").text("name") == nil)
        let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(rights == 0o600)
    }

    @Test("a file that can't be read is empty; one that can't be written says why") func broken() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "app.json")
        try Data("no JSON".utf8).write(to: file)
        #expect(FileStore(path: file.path).text("a") == nil)
        let below = FileStore(path: file.path + "/app.json")
        #expect { try below.set("1", for: "a") } throws: { "\($0)".contains("can't be written") }
    }

    @Test("the entry for autostart is made, switched off by the desktop, and removed") func autostart() throws {
        let item = AutostartItem(program: #"/opt/a "b"$/app"#, id: "org.example.App", environment: environment)
        let entry = folder.appending(path: "autostart/org.example.App.desktop")
        #expect(!item.isEnabled)
        try item.set(true)
        #expect(item.isEnabled)
        var text = try String(contentsOf: entry, encoding: .utf8)
        #expect(text.hasPrefix("[Desktop Entry]\n") && text.contains(#"Exec="/opt/a \\"b\\"\\$/app""# + "\n"))
        text += "Hidden=true\n"
        try text.write(to: entry, atomically: true, encoding: .utf8)
        #expect(!item.isEnabled)
        try item.set(false)
        #expect(!FileManager.default.fileExists(atPath: entry.path))
        #expect { try item.set(false) } throws: { "\($0)".contains("can't be changed") }
    }
}
