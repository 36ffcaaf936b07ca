import Foundation
import HelioAppModels
import HelioCore
import HelioTestLanes
import HelioViewerFlow
import Heliograph
import Testing

/// The viewer's flow with a real host on loopback, and real pairings in a temporary home folder.
@MainActor
@Suite("The viewer and a real host", .serialized, .timeLimit(.minutes(1)), .tags(.quiet))
final class LoopbackTests {
    /// An app's own encoder that makes no pictures: none are shown here.
    private struct Plugin: VideoSourcePlugin {
        func initialize(_ attributes: MediaAttributes) {}
        func start() {}
        func pause() {}
        func resume() {}
        func stop() {}
        func attributesChanged(_ attributes: MediaAttributes) {}
        func keyframeNeeded(reason: String) {}
        func bitrateSuggested(_ bitsPerSecond: Int) {}
    }

    private static let video = MediaAttributes(
        format: .avc, width: 640, height: 480, framesPerSecond: 50, bitrate: 4_000_000, profile: 100, level: 42)

    private let folder: URL
    private let inputs: AsyncStream<SinkInput>
    private let input: AsyncStream<SinkInput>.Continuation

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Suites with sockets are serialized, and no other one uses this process's home folder.
        setenv("HELIOGRAPH_HOME", folder.appending(path: "viewer").path, 1)
        (inputs, input) = AsyncStream.makeStream(of: SinkInput.self)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func host(code: String? = nil) async throws -> (MirrorSource, address: String) {
        var options = MirrorSource.Options()
        options.address = "127.0.0.1"
        options.port = 0
        options.home = folder.appending(path: "host").path
        options.name = "tower"
        options.asksToPair = code == nil
        options.pairingCode = code
        let input = input
        let source = try await MirrorSource.start(options, video: Self.video, plugin: Plugin()) { input.yield($0) }
        let link = try await source.link.text
        return (source, String(link.dropFirst("heliograph://".count).prefix { $0 != "/" }))
    }

    @Test("an unknown host: digits on both screens, a session that drives, and the host's end")
    func pairing() async throws {
        let (source, address) = try await host()
        let t = try FlowTerminal(LoopbackWorld())
        #expect(t.write(address, in: "Address") && t.press("Open"))
        #expect(t.write("tablet", in: "Name of this device") && t.press("Pair"))
        for await event in source.events {
            guard case .pairingAsked(let question) = event else { continue }
            #expect(question.name == "tablet")
            await t.until { $0.text.contains("#") }
            #expect(t.text.contains("# \(question.code)\n"))
            source.answer(question.id, .control)
            break
        }
        #expect(t.press("They are the same"))
        await t.until { $0.title == "= Paired" }
        #expect(t.text.contains("opens \(address) without a code") && t.press("Done"))
        await t.until { $0.title == "= tower" }
        guard case .session(let session) = t.flow.place else {
            Issue.record("no session")
            return
        }
        session.press(.key(row: 1, column: 0))
        await t.until { $0.text.contains("You are in control") }
        t.flow.enterBackground()
        var heard: [SinkInput] = []
        for await input in inputs {
            heard.append(input)
            if heard.contains(.key(usage: 0xE3, isDown: false)) || heard.contains(.releaseAll) { break }
        }
        #expect(heard.first == .key(usage: 0xE3, isDown: true))
        await source.stop()
        await t.until { $0.title == "= Ended" }
        #expect(t.text.contains("The host has stopped sharing.") && t.press("Done"))
        #expect(t.text.contains("- Paired\n> tower | \(address), not seen"))
        #expect(t.press("Forget tower") && !t.text.contains("tower"))
    }

    @Test("by the code of a host that nobody is at; a wrong one pairs nobody")
    func code() async throws {
        let code = DeviceBook.makeCode()
        let (source, address) = try await host(code: code)
        let t = try FlowTerminal(LoopbackWorld())
        #expect(t.write(address, in: "Address") && t.press("Open"))
        #expect(t.write(DeviceBook.makeCode(), in: "Code that the host shows") && t.press("Open"))
        await t.until { $0.title == "= Not let in" }
        #expect(t.write(code, in: "Code that the host shows") && t.press("Open"))
        await t.until { $0.text.contains("Who watches") }
        #expect(t.press("More") && t.press("Leave"))
        await t.until { $0.title == "= Ended" }
        #expect(t.text.contains("You have left.") && t.press("Done") && t.text.contains("- Paired\n> tower"))
        await source.stop()
    }

    @Test("by a link, once; nobody answers at a port where nothing is")
    func link() async throws {
        let (source, address) = try await host()
        let link = try await source.link.text
        let t = try FlowTerminal(LoopbackWorld())
        #expect(t.write(link, in: "Address") && t.press("Open"))
        await t.until { $0.text.contains("Who watches") }
        #expect(t.press("More") && t.press("Leave"))
        await t.until { $0.title == "= Ended" }
        #expect(t.press("Open again"))
        await t.until { $0.title == "= Not let in" }
        #expect(t.text.contains("The code is not the one that the host shows now.") && t.press("Cancel"))
        await source.stop()
        #expect(t.write("\(address)", in: "Address") && t.press("Open"))
        #expect(t.write(DeviceBook.makeCode(), in: "Code that the host shows") && t.press("Open"))
        await t.until { $0.title == "= Host not reached" }
    }

    @Test("the app's own session, in a window that nobody sees: figures, and leaving")
    func window() async throws {
        setenv("SDL_VIDEODRIVER", "dummy", 1)
        defer { unsetenv("SDL_VIDEODRIVER") }
        let (source, _) = try await host()
        let t = try FlowTerminal(LoopbackWorld(hasWindow: true))
        let link = try await source.link.text
        #expect(t.write(link, in: "Address") && t.press("Open"))
        await t.until { $0.text.contains("Who watches") }
        #expect(t.flow.watching is SystemSession)
        #expect(t.press("Statistics") && t.press("Actual size"))
        await t.until { $0.text.contains("Frames/s: 0.0") }
        guard case .session(let session) = t.flow.place else {
            Issue.record("no session")
            return
        }
        session.press(.key(row: 0, column: 0))
        for await input in inputs where input == .key(usage: 0x29, isDown: true) { break }
        await t.until { $0.text.contains("You are in control") }
        #expect(t.press("More") && t.press("Leave"))
        await t.until { $0.title == "= Ended" }
        await source.stop()
    }
}
