import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import HelioWaylandWire
import Testing

@testable import HelioLinuxClipboard

/// The clipboard of sway, with the programs of wl-clipboard, and of a compositor of the test's own.
@Suite("The clipboard of a Wayland compositor", .serialized, .timeLimit(.minutes(1)), .tags(.quiet))
struct WlrClipboardTests {
    private static func log(
        _ compositor: FakeCompositor, _ options: X11ClipboardOptions = X11ClipboardOptions()
    ) throws -> ClipboardLog {
        try ClipboardLog { handler in
            try WlrClipboard(compositor.connect(), place: nil, options: options, handler: handler)
        }
    }

    private static func fake() -> FakeCompositor { FakeCompositor([(.seat, 7), (.dataControlManager, 2)]) }

    /// Copies with `wl-copy`, which keeps the content until another program copies.
    private static func copy(_ content: [UInt8], _ type: String, on sway: SwayDesktop) throws -> RunningProgram {
        let file = FileManager.default.temporaryDirectory.appending(path: "clip-\(UUID().uuidString)")
        try Data(content).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try RunningProgram(
            "wl-copy", ["--foreground", "--type", type], environment: sway.environment,
            standardInput: FileHandle(forReadingFrom: file))
    }

    private static func paste(_ type: String, on sway: SwayDesktop) throws -> [UInt8] {
        [UInt8](try Tool.run(["wl-paste", "--no-newline", "--type", type], environment: sway.environment))
    }

    @Test("what a program copies is read: text, HTML, pictures of ten mebibytes") func reading() throws {
        let sway = try SwayDesktop(width: 320, height: 200)
        let log = try ClipboardLog { try WlrClipboard(path: sway.socket, handler: $0) }
        // A program that ends empties the clipboard, which would be a change.
        var programs: [RunningProgram] = []
        for (format, type, content) in [
            (ClipboardFormat.text, "text/plain;charset=utf-8", Array(ClipboardContents.scripts.utf8)),
            (.html, "text/html", Array("<p>Grüße <b>👋</b></p>".utf8)),
            (.png, "image/png", ClipboardContents.noise(10 << 20)),
        ] {
            programs.append(try Self.copy(content, type, on: sway))
            let change = try log.nextChange()
            // wl-copy offers HTML as text, too.
            #expect(change.formats.contains(format) && change.formats.contains(.png) == (format == .png))
            #expect(try log.read(format, of: change.serial) == .success(content))
            #expect(try log.read(format, of: change.serial, limit: 5) == .failure(.tooLarge))
        }
        withExtendedLifetime(programs) {}
        #expect(log.clipboard.statistics.reads == 3 && log.drops("read-too-large") == 3)
        let other = try ClipboardLog { try WlrClipboard(path: sway.socket, handler: $0) }
        #expect(log.clipboard.place != nil && log.clipboard.place == other.clipboard.place)
    }

    @Test("a viewer's session has the compositor's clipboard, or else its X server's") func session() throws {
        let sway = try SwayDesktop(width: 320, height: 200)
        let own = try ClipboardLog { try WlrClipboard(path: sway.socket, handler: $0) }
        let chosen = try #require(try LinuxClipboard.open(session: sway.socket, marked: false) { _ in })
        #expect(chosen.place != nil && chosen.place == own.clipboard.place)
        chosen.stop()

        let desktop = try Desktop(PixelSize(width: 320, height: 240))
        let nobody = sway.socket + "-of-nobody"
        unsetenv("DISPLAY")
        let error = #expect(throws: HelioError.self) {
            try LinuxClipboard.open(session: nobody, marked: false) { _ in }
        }
        #expect(error?.code == .unsupported && error?.message.contains(nobody) == true)
        #expect(try LinuxClipboard.open(session: nil, marked: false) { _ in } == nil)
        setenv("DISPLAY", desktop.display, 1)
        for path in [nobody, nil] {
            let server = try #require(try LinuxClipboard.open(session: path, marked: false) { _ in })
            #expect(server.place != nil && server.place != own.clipboard.place)
            server.stop()
        }
        unsetenv("DISPLAY")
    }

    @Test("what is offered is pasted, and is no change") func offering() throws {
        let sway = try SwayDesktop(width: 320, height: 200)
        let log = try ClipboardLog { try WlrClipboard(path: sway.socket, handler: $0) }
        let text = Array(ClipboardContents.scripts.utf8)
        let picture = ClipboardContents.noise(3 << 20)
        log.offer([.text: text, .png: picture])
        let patience = Patience()
        while !patience.isOver,
            !((try? Tool.run(["wl-paste", "--list-types"], environment: sway.environment)) ?? Data())
                .contains(Data("image/png".utf8))
        {}
        for type in ["text/plain;charset=utf-8", "text/plain", "UTF8_STRING", "TEXT"] {
            #expect(try Self.paste(type, on: sway) == text, "\(type)")
        }
        #expect(try Self.paste("image/png", on: sway) == picture)
        #expect(log.events.allSatisfy { if case .changed = $0 { false } else { true } })
        // A program's copy takes over.
        let program = try Self.copy(Array("own".utf8), "text/plain", on: sway)
        #expect(try log.nextChange().formats == [.text])
        #expect(try Self.paste("text/plain", on: sway) == Array("own".utf8))
        withExtendedLifetime(program) {}
    }

    @Test("what a password manager marks is not told, nor what it does not answer for") func secrets() throws {
        let compositor = Self.fake()
        var options = X11ClipboardOptions()
        options.readPatience = .milliseconds(50)
        let log = try Self.log(compositor, options)
        try #require(Patience().wait { compositor.hasDevice })
        let hint = "x-kde-passwordManagerHint"
        compositor.copy(["text/plain": [1], hint: Array("secret".utf8)])
        #expect(try log.nextChange().formats.isEmpty)
        compositor.copy(["text/plain": [1], hint: []])
        #expect(try log.nextChange().formats.isEmpty)
        compositor.copy(["text/plain": [1], hint: Array("public".utf8)])
        #expect(try log.nextChange().formats == [.text])
        #expect(log.drops("secret") == 2)
    }

    @Test("reads end with the copy, after a while, and at a number") func reads() throws {
        let compositor = Self.fake()
        var options = X11ClipboardOptions()
        options.readPatience = .milliseconds(100)
        options.requests = 2
        let log = try Self.log(compositor, options)
        try #require(Patience().wait { compositor.hasDevice })
        compositor.copy(["text/plain": []])
        var change = try log.nextChange()
        #expect(try log.read(.text, of: change.serial) == .failure(.timedOut))
        #expect(try log.read(.html, of: change.serial) == .failure(.gone))
        for id in 1...3 { log.clipboard.read(.text, of: change.serial, limit: 10, as: ClipboardReadID(UInt64(id))) }
        let refused = try log.next("content") {
            if case .content(let id, let result) = $0 { (id, result) } else { nil }
        }
        #expect(refused.0 == ClipboardReadID(3) && refused.1 == .failure(.busy))
        compositor.copy(["text/html": [65]])
        for _ in 0..<2 {
            let gone = try log.next("content") { if case .content(_, let result) = $0 { result } else { nil } }
            #expect(gone == .failure(.gone) || gone == .failure(.timedOut))
        }
        change = try log.nextChange()
        #expect(change.formats == [.html])
        compositor.clear()
        #expect(try log.nextChange().formats.isEmpty)
    }

    @Test("pastes that nobody provides, of what is not offered, and whose program is gone, end") func pastes() throws {
        let compositor = Self.fake()
        var options = X11ClipboardOptions()
        options.contentPatience = .milliseconds(100)
        let log = try Self.log(compositor, options)
        log.offer([.text: Array("x".utf8)])
        try #require(Patience().wait { compositor.offered.contains("text/plain") })
        log.waits()
        let unanswered = try #require(compositor.paste("text/plain"))
        let paste = try log.nextPaste()
        try log.nextUnwanted(paste)
        #expect(Self.all(unanswered).isEmpty && log.drops("paste-timed-out") == 1)
        let unknown = try #require(compositor.paste("image/png"))
        #expect(Self.all(unknown).isEmpty && log.drops("paste-unknown") == 1)
        log.clipboard.provide(paste, .success([1]))

        // The program closes its end while the content is on its way.
        let hasty = try #require(compositor.paste("text/plain"))
        let second = try log.nextPaste()
        close(hasty)
        try log.nextUnwanted(second)
        #expect(log.drops("requestor-gone") + log.drops("paste-timed-out") >= 2)
        log.clipboard.withdraw()
        try #require(Patience().wait { compositor.offered.isEmpty })
        #expect(log.events.allSatisfy { if case .changed = $0 { false } else { true } })
        compositor.hangUp()
        let lost = try log.next("its end") { if case .lost(let error) = $0 { error } else { nil } }
        #expect(lost.message.contains("has closed the connection"))
    }

    @Test("floods of types are cut off") func floods() throws {
        let compositor = Self.fake()
        let log = try Self.log(compositor)
        try #require(Patience().wait { compositor.hasDevice })
        var contents = Dictionary(uniqueKeysWithValues: (0..<280).map { ("x/\(1000 + $0)", [UInt8(1)]) })
        contents[String(repeating: "y", count: 1000)] = [1]
        compositor.copy(contents)
        #expect(try log.nextChange().formats.isEmpty)
        #expect(log.drops("type-refused") == 280 - 256 + 1)
        compositor.copy(["image/png": [1]])
        #expect(try log.nextChange().formats == [.png])
    }

    @Test("a compositor without data control shares none") func missing() throws {
        let compositor = FakeCompositor([(.seat, 7)])
        let error = #expect(throws: HelioError.self) { try Self.log(compositor) }
        #expect(error?.code == .unsupported)
        #expect(
            error?.message.hasSuffix("neither zwlr_data_control_manager_v1 nor ext_data_control_manager_v1.") == true)
    }

    @Test("a compositor with ext-data-control instead of wlroots' own shares its clipboard, and what is only selected")
    func common() throws {
        for selection in [X11Selection.clipboard, .primary] {
            let compositor = FakeCompositor([(.seat, 9), (.commonDataControlManager, 1)])
            var options = X11ClipboardOptions()
            options.selection = selection
            let log = try Self.log(compositor, options)
            try #require(Patience().wait { compositor.hasDevice })
            guard selection == .clipboard else { continue }
            compositor.copy(["text/plain;charset=utf-8": Array("from a newer one".utf8)])
            let change = try log.nextChange()
            #expect(change.formats == [.text])
            log.clipboard.offer([ClipboardEntry(.text)])
            try #require(Patience().wait { compositor.offered.contains("text/plain") })
        }
    }

    /// Reads a pipe to its end, and closes it.
    private static func all(_ descriptor: Int32) -> Data {
        FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readDataToEndOfFile()
    }
}
