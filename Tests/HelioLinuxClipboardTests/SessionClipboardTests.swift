import Foundation
import HelioCore
import HelioDBusWire
import HelioDesktop
import HelioTestLanes
import HelioTestPrograms
import Testing

@testable import HelioLinuxClipboard

/// The clipboard of a session with mutter, with the programs of wl-clipboard.
@Suite("The clipboard of GNOME's compositor", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct SessionClipboardTests {
    private static func session(_ mutter: MutterDesktop) throws -> MutterSession {
        let session = try MutterSession(BusConnection(addresses: mutter.bus.address))
        // The seat has a keyboard, and so a clipboard, once one was used.
        session.send(.key(42, isDown: true))
        session.send(.key(42, isDown: false))
        return session
    }

    /// Copies with `wl-copy`, which keeps the content until another program copies.
    private static func copy(_ content: [UInt8], _ type: String, on mutter: MutterDesktop) throws -> RunningProgram {
        let file = FileManager.default.temporaryDirectory.appending(path: "clip-\(UUID().uuidString)")
        try Data(content).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try RunningProgram(
            "wl-copy", ["--foreground", "--type", type], environment: mutter.environment,
            standardInput: FileHandle(forReadingFrom: file))
    }

    private static func paste(_ type: String, on mutter: MutterDesktop) throws -> [UInt8] {
        [UInt8](try Tool.run(["wl-paste", "--no-newline", "--type", type], environment: mutter.environment))
    }

    @Test("what a program copies is read: text, HTML, pictures of three mebibytes") func reading() throws {
        let mutter = try MutterDesktop()
        let session = try Self.session(mutter)
        let log = try ClipboardLog { try SessionClipboard(session, handler: $0) }
        var programs: [RunningProgram] = []
        for (format, type, content) in [
            (ClipboardFormat.text, "text/plain;charset=utf-8", Array(ClipboardContents.scripts.utf8)),
            (.html, "text/html", Array("<p>Grüße <b>👋</b></p>".utf8)),
            (.png, "image/png", ClipboardContents.noise(3 << 20)),
        ] {
            programs.append(try Self.copy(content, type, on: mutter))
            let change = try log.nextChange()
            #expect(change.formats.contains(format) && change.formats.contains(.png) == (format == .png))
            #expect(try log.read(format, of: change.serial) == .success(content))
            #expect(try log.read(format, of: change.serial, limit: 5) == .failure(.tooLarge))
        }
        withExtendedLifetime(programs) {}
        #expect(log.clipboard.statistics.reads == 3 && log.drops("read-too-large") == 3)
    }

    @Test("what is offered is pasted, and is no change; a program's copy takes over") func offering() throws {
        let mutter = try MutterDesktop()
        let session = try Self.session(mutter)
        let log = try ClipboardLog { try SessionClipboard(session, handler: $0) }
        let text = Array(ClipboardContents.scripts.utf8)
        let picture = ClipboardContents.noise(3 << 20)
        log.offer([.text: text, .png: picture])
        #expect(
            Patience().wait {
                let types = try? Tool.run(["wl-paste", "--list-types"], environment: mutter.environment)
                return types?.contains(Data("image/png".utf8)) == true
            })
        for type in ["text/plain;charset=utf-8", "text/plain", "UTF8_STRING"] {
            #expect(try Self.paste(type, on: mutter) == text, "\(type)")
        }
        #expect(try Self.paste("image/png", on: mutter) == picture)
        #expect(log.events.allSatisfy { if case .changed = $0 { false } else { true } })
        let program = try Self.copy(Array("own".utf8), "text/plain", on: mutter)
        #expect(try log.nextChange().formats == [.text])
        #expect(try Self.paste("text/plain", on: mutter) == Array("own".utf8))
        withExtendedLifetime(program) {}
    }

    @Test("what a password manager marks is not told") func secret() throws {
        let mutter = try MutterDesktop()
        let session = try Self.session(mutter)
        let log = try ClipboardLog { try SessionClipboard(session, handler: $0) }
        let program = try Self.copy(Array("secret".utf8), "x-kde-passwordManagerHint", on: mutter)
        #expect(try log.nextChange().formats.isEmpty)
        #expect(log.drops("secret") == 1)
        withExtendedLifetime(program) {}
    }

    @Test("a session that is begun anew has its clipboard again") func anew() throws {
        let mutter = try MutterDesktop()
        let session = try Self.session(mutter)
        _ = try session.node(of: "Meta-0")
        let log = try ClipboardLog { try SessionClipboard(session, handler: $0) }
        // Mutter closes the session for this.
        try mutter.turnMonitor()
        #expect(try Patience().wait { try session.revive() })
        session.send(.key(42, isDown: true))
        session.send(.key(42, isDown: false))
        let program = try Self.copy(Array("again".utf8), "text/plain", on: mutter)
        let change = try log.nextChange()
        #expect(try log.read(.text, of: change.serial) == .success(Array("again".utf8)))
        withExtendedLifetime(program) {}
    }

    @Test("a compositor that ends is the clipboard's end") func end() throws {
        let mutter = try MutterDesktop()
        let session = try Self.session(mutter)
        let log = try ClipboardLog { try SessionClipboard(session, handler: $0) }
        mutter.bus.kill()
        let error = try log.next("end") { if case .lost(let error) = $0 { error } else { nil } }
        #expect(error.message == "The desktop has ended its clipboard.")
    }

    @Test("types come as an array, in a structure or alone, within bounds") func types() {
        #expect(SessionClipboardEvents.types(.structure([.strings(["a", "b"])])) == ["a", "b"])
        #expect(SessionClipboardEvents.types(.strings(Array(repeating: "a", count: 900))).count == 256)
        #expect(SessionClipboardEvents.types(.string(String(repeating: "x", count: 300))).isEmpty)
        #expect(SessionClipboardEvents.types(nil).isEmpty)
    }
}
