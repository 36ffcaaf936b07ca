import Foundation
import HelioSignaling
import HelioStores
import HelioTestLanes
import Testing

@Suite("A browser that no one here wrote", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct BrowserTests {
    private static let page = """
        <!doctype html><meta charset="utf-8"><title>Test</title><link rel="stylesheet" href="/style.css">
        <script>window.inlineRan = true;</script>
        <script type="module" src="/main.js"></script>
        """
    private static let script = """
        const scheme = location.protocol === "https:" ? "wss:" : "ws:";
        const socket = new WebSocket(`${scheme}//${location.host}/signaling`);
        const style = getComputedStyle(document.body).color;
        socket.onopen = () => socket.send(window.inlineRan ? "inline ran" : `ünder policy, ${style}`);
        socket.onmessage = ({ data }) => {
            socket.onmessage = ({ data }) => socket.close(3000, String(data.length));
            socket.send("x".repeat(65536));
        };
        """

    @Test("Chromium shows the page under its policy, and talks", arguments: [false, true])
    func chromium(secure: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let identity = secure ? try Identity.loadOrCreate(in: folder.appending(path: "identity").path) : nil
        let host = try await EchoHost {
            $0.identity = identity
            $0.files = [
                PageFile(path: "index.html", bytes: Array(Self.page.utf8), type: "text/html; charset=utf-8"),
                PageFile(path: "main.js", bytes: Array(Self.script.utf8), type: "text/javascript; charset=utf-8"),
                PageFile(path: "style.css", bytes: Array("body { color: rgb(1, 2, 3) }".utf8), type: "text/css"),
            ]
        }
        let browser = Process()
        browser.executableURL = URL(filePath: "/usr/bin/chromium")
        browser.arguments = [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions",
            "--disable-component-update", "--disable-background-networking", "--disable-sync", "--no-first-run",
            "--no-default-browser-check", "--ignore-certificate-errors",
            "--user-data-dir=\(folder.appending(path: "profile").path)",
            // Without this option the browser exits once the page is loaded.
            "--remote-debugging-port=0", "\(secure ? "https" : "http")://127.0.0.1:\(host.port)/",
        ]
        // Temporary files are deleted together with the folder.
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        browser.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 }
        browser.standardInput = FileHandle.nullDevice
        browser.standardOutput = FileHandle.nullDevice
        browser.standardError = FileHandle.nullDevice
        try browser.run()
        defer {
            browser.terminate()
            browser.waitUntilExit()
        }
        guard case .opened(let id, "127.0.0.1") = await host.event() else {
            Issue.record("no WebSocket came")
            return
        }
        #expect(await host.event() == .message(id, "ünder policy, rgb(1, 2, 3)"))
        #expect(await host.event() == .message(id, String(repeating: "x", count: 65536)))
        #expect(await host.event() == .closed(id))
        // Every other request is one that browsers make by themselves.
        #expect(await host.drops().keys.allSatisfy { $0 == "not-found" })
        await host.service.stop()
    }
}
