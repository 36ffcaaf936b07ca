import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// `heliograph send` and `heliograph get` between two real programs with separate home folders.
@Suite("Files between two machines", .serialized, .timeLimit(.minutes(4)), .tags(.quiet))
struct FileTests {
    static let size = PixelSize(width: 640, height: 480)

    private static func run(_ desktop: SharedDesktop, at end: String, _ arguments: String...) throws -> RunningProgram {
        try RunningProgram(
            SharedDesktop.heliograph, arguments, environment: ["HELIOGRAPH_HOME": desktop.folder.path + "/" + end])
    }

    /// Makes a folder with files: an empty one, a large one, one in a deep folder with a name in many scripts, an
    /// executable; and a link.
    private static func makeFolder(in desktop: SharedDesktop) throws -> URL {
        let folder = desktop.folder.appending(path: "holiday")
        let deep = folder.appending(path: "день/日")
        try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
        var generator = SeededGenerator(seed: 23)
        let noise = (0..<3_000_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        try Data(noise).write(to: folder.appending(path: "large.bin"))
        try Data().write(to: folder.appending(path: "empty"))
        try Data("hello".utf8).write(to: deep.appending(path: "Zwölf 🥊.txt"))
        let program = folder.appending(path: "run.sh")
        try Data("#!/bin/sh\n".utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: "/etc/passwd")
        return folder
    }

    /// Returns the files in a folder, by relative path.
    private static func contents(of folder: String) throws -> [String: Data] {
        var found: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let path = folder + "/" + name
            let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            if type == .typeRegular { found[name] = try Data(contentsOf: URL(fileURLWithPath: path)) }
        }
        return found
    }

    @Test("a folder goes to the host as a whole, which takes all; twice, and nothing is overwritten")
    func toHost() throws {
        let inbox = try Self.inbox()
        defer { try? FileManager.default.removeItem(atPath: inbox) }
        let desktop = try SharedDesktop(Self.size, share: ["--files", "accept", "--files-folder", inbox])
        try desktop.watch()
        let folder = try Self.makeFolder(in: desktop)
        for name in ["holiday", "holiday (2)"] {
            let send = try Self.run(desktop, at: "viewer", "send", folder.path)
            try send.line(with: "link is not sent")
            try send.line(with: "Sent")
            #expect(send.waitUntilExit() == 0)
            var expected = try Self.contents(of: folder.path)
            expected["link"] = nil
            #expect(try Self.contents(of: inbox + "/" + name) == expected)
            let program = try FileManager.default.attributesOfItem(atPath: inbox + "/\(name)/run.sh")
            let mode = program[.posixPermissions] as? NSNumber
            #expect(mode.map { $0.intValue & 0o111 } == 0, "nothing that comes can be run")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: inbox).count == 2, "no half file is left")
    }

    /// A small GTK window at the top left from which files can be dragged; it prints the progress.
    private static let dragSource = """
        import gi, pathlib, sys
        gi.require_version('Gtk', '3.0')
        from gi.repository import Gtk, Gdk
        window = Gtk.Window(type=Gtk.WindowType.POPUP)
        window.set_default_size(60, 60)
        box = Gtk.EventBox()
        window.add(box)
        targets = [Gtk.TargetEntry.new('text/uri-list', 0, 0)]
        box.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, targets, Gdk.DragAction.COPY)
        uris = [pathlib.Path(path).as_uri() for path in sys.argv[1:]]
        box.connect('drag-data-get', lambda box, context, data, info, time: data.set_uris(uris))
        def begun(box, context):
            context.connect('action-changed', lambda context, action: print('taken' if action else 'not taken'))
            print('dragging')
        box.connect('drag-begin', begun)
        window.connect('map-event', lambda window, event: print('ready'))
        window.show_all()
        Gtk.main()
        """

    @Test("what another program's person drops on the window goes to the host")
    func dropped() throws {
        let inbox = try Self.inbox()
        defer { try? FileManager.default.removeItem(atPath: inbox) }
        let desktop = try SharedDesktop(Self.size, share: ["--files", "accept", "--files-folder", inbox])
        try desktop.watch()
        let folder = try Self.makeFolder(in: desktop)
        let file = desktop.folder.appending(path: "Grüße 1.txt")
        try Data("text".utf8).write(to: file)
        let source = try desktop.destination.start(
            "/usr/bin/python3", ["-u", "-c", Self.dragSource, file.path, folder.path],
            environment: ["GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1"])
        try source.line(with: "ready")
        let pointer = desktop.destination
        try pointer.run("xdotool", "mousemove", "30", "30", "mousedown", "1", "mousemove", "50", "50")
        try pointer.run("xdotool", "mousemove", "70", "70")
        try source.line(with: "dragging")
        try pointer.run("xdotool", "mousemove", "300", "200")
        try pointer.run("xdotool", "mousemove", "302", "202")
        try source.line(with: "taken")
        try pointer.run("xdotool", "mouseup", "1")
        try desktop.share.line(with: "Received")
        let found = try Self.contents(of: inbox)
        #expect(found["Grüße 1.txt"] == Data("text".utf8))
        #expect(found.keys.contains("holiday/large.bin") && found.keys.contains("holiday/empty"))
    }

    @Test("the host's person is asked at the terminal, and the viewer's in the window")
    func asked() throws {
        let terminal = try Terminal()
        let inbox = try Self.inbox()
        defer { try? FileManager.default.removeItem(atPath: inbox) }
        let desktop = try SharedDesktop(
            Self.size, share: ["--files-folder", inbox + "/host"], standardInput: terminal.side)
        try desktop.share.line(with: "[t] take control")
        try desktop.watch(["--files-folder", inbox + "/viewer"])
        let view = try #require(desktop.view)
        let file = desktop.folder.appending(path: "a b.txt")
        try Data("text".utf8).write(to: file)

        let refused = try Self.run(desktop, at: "viewer", "send", file.path)
        try desktop.share.line(with: "wants to send 'a b.txt' (4 B)")
        // A key typed at the same time as the question appears was meant for something else.
        terminal.type("r")
        try desktop.share.line(with: "these files were offered only just")
        try #require(
            Patience().wait {
                terminal.type("r")
                return refused.text.contains("the other end does not want it")
            })
        #expect(refused.waitUntilExit() != 0)
        // After a refusal, another request is not accepted at once.
        let soon = try Self.run(desktop, at: "viewer", "send", file.path)
        try soon.line(with: "try it again later")
        #expect(soon.waitUntilExit() != 0)

        let back = try Self.run(desktop, at: "host", "send", file.path)
        try view.line(with: "wants to send 'a b.txt'")
        let patience = Patience()
        repeat {
            try desktop.destination.run("xdotool", "key", "ctrl+alt+shift+t")
        } while !back.text.contains("Sent 'a b.txt'") && !patience.isOver
        try back.line(with: "Sent 'a b.txt'")
        #expect(back.waitUntilExit() == 0)
        #expect(try Self.contents(of: inbox + "/viewer") == ["a b.txt": Data("text".utf8)])
        #expect(try Self.contents(of: inbox + "/host").isEmpty, "what was refused leaves nothing")
    }

    @Test("get takes what the other end sends next, and prints where it is")
    func get() throws {
        let inbox = try Self.inbox()
        defer { try? FileManager.default.removeItem(atPath: inbox) }
        let desktop = try SharedDesktop(Self.size)
        try desktop.watch(["--files-folder", inbox])
        let file = desktop.folder.appending(path: "photo.png")
        try Data("picture".utf8).write(to: file)
        let get = try Self.run(desktop, at: "viewer", "get")
        let send = try Self.run(desktop, at: "host", "send", file.path)
        try get.line(with: "sends 'photo.png'")
        try get.line(with: inbox + "/photo.png")
        #expect(get.waitUntilExit() == 0 && send.waitUntilExit() == 0)
        #expect(try Self.contents(of: inbox) == ["photo.png": Data("picture".utf8)])
    }

    @Test("what is cut off goes on with the viewer that comes back")
    func resumed() throws {
        let inbox = try Self.inbox()
        defer { try? FileManager.default.removeItem(atPath: inbox) }
        let desktop = try SharedDesktop(
            Self.size, share: ["--files", "accept", "--files-folder", inbox] + SharedDesktop.statistics)
        let link = try desktop.link
        let port = try #require(link.split(separator: "/").dropFirst().first?.split(separator: ":").last)
        let network = try FailingNetwork(toPort: try #require(UInt16(port)))
        defer { network.stop() }
        try desktop.watch(host: link.replacing("127.0.0.1", with: FailingNetwork.address))
        let view = try #require(desktop.view)
        let file = desktop.folder.appending(path: "large")
        let count = 200_000_000
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        let handle = try FileHandle(forWritingTo: file)
        for number in 0..<UInt32(100) {
            try handle.write(contentsOf: Data(repeating: UInt8(number), count: count / 100))
        }
        try handle.close()
        let send = try Self.run(desktop, at: "viewer", "send", file.path)
        try desktop.share.line("a part of it") { line in
            guard let range = line.range(of: "\"bytes_received\":") else { return false }
            // The clipboard's counts precede it.
            let files = line[range.upperBound...].range(of: "\"bytes_received\":").map { line[$0.upperBound...] }
            return (files.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0) > 1_000_000
        }
        network.cut()
        try view.line(with: "Connection lost")
        network.restore()
        // File transfers yield to everything else that runs: on a busy machine this takes long.
        try send.line(with: "Sent 'large'", within: .seconds(170))
        #expect(send.waitUntilExit() == 0)
        #expect(
            FileManager.default.contentsEqual(atPath: file.path, andPath: inbox + "/large"), "it is the same")
    }

    @Test("who sends to nobody, or what is not there, is told; and options that can't be are")
    func errors() throws {
        let home = try Self.inbox()
        defer { try? FileManager.default.removeItem(atPath: home) }
        for (arguments, answer) in [
            (["send", "/nonexistent"], "There is no /nonexistent"), (["send", home], "Nobody is connected"),
            (["get"], "There is no session"), (["share", "--files", "maybe"], "give ask, accept, refuse or off"),
        ] {
            let program = try RunningProgram(
                SharedDesktop.heliograph, arguments, environment: ["HELIOGRAPH_HOME": home])
            try program.line(with: answer)
            #expect(program.waitUntilExit() != 0)
        }
    }

    private static func inbox() throws -> String {
        let path = NSTemporaryDirectory() + "/heliograph-files-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}
