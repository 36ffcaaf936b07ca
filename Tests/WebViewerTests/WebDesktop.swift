import Foundation
import HelioCore
import HelioTestPrograms

/// `heliograph share` on a separate X server, for browsers.
final class WebDesktop {
    let size: PixelSize
    let screen: Desktop
    let webPort: UInt16
    private(set) var host: RunningProgram
    let folder: URL
    private let arguments: [String]
    private let standardInput: FileHandle
    private let usesTLS: Bool
    private var lastLink = ""
    private var paintings: UInt32 = 0

    static let small = PixelSize(width: 800, height: 600)

    init(
        _ size: PixelSize = small, share arguments: [String] = [], standardInput: FileHandle = .nullDevice,
        usesTLS: Bool = false
    ) throws {
        self.size = size
        self.usesTLS = usesTLS
        self.standardInput = standardInput
        screen = try Desktop(size)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.arguments =
            [
                "share", "--address", "127.0.0.1", "--port", "0",
                "--link-file", folder.path + "/link", "--web-link-file", folder.path + "/web-link",
            ] + (usesTLS ? ["--web-tls"] : []) + arguments
        // Any free port, and the same one after a restart.
        host = try Self.started(screen, self.arguments + ["--web", "0"], folder, standardInput)
        guard let port = URL(string: Self.link(in: folder))?.port.flatMap({ UInt16(exactly: $0) }) else {
            throw BrowserError(description: "no link for browsers; the host said: \(host.text)")
        }
        webPort = port
    }

    deinit {
        host.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func started(
        _ screen: Desktop, _ arguments: [String], _ folder: URL, _ standardInput: FileHandle
    ) throws -> RunningProgram {
        let host = try screen.start(
            RunningProgram.built("heliograph"), arguments, environment: ["HELIOGRAPH_HOME": folder.path + "/host"],
            standardInput: standardInput)
        try host.line(with: "--code")
        return host
    }

    /// Kills the host.
    func killHost() {
        host.kill()
        _ = host.waitUntilExit()
        lastLink = ""
        for name in ["/link", "/web-link"] { try? FileManager.default.removeItem(atPath: folder.path + name) }
    }

    /// Starts the host again, with its stored state, on the same port.
    func startHost() throws {
        host = try Self.started(screen, arguments + ["--web", "\(webPort)"], folder, standardInput)
    }

    var address: String { "\(usesTLS ? "https" : "http")://127.0.0.1:\(webPort)/" }

    /// Returns a color that differs clearly from the one before, also after coding.
    func nextColor() -> UInt32 {
        paintings += 1
        return (paintings &* 0x2F5B8D) & 0x7F7F7F | 0x202020
    }

    /// Returns an unused link. Each admits one viewer; the next one is made a moment later.
    func newLink() throws -> String {
        var link = ""
        let isThere = Patience().wait {
            link = Self.link(in: folder)
            return !link.isEmpty && link != lastLink
        }
        guard isThere else { throw BrowserError(description: "no new link; the host said: \(host.text)") }
        lastLink = link
        return link
    }

    /// The newest link for browsers; empty if there is none yet.
    private static func link(in folder: URL) -> String {
        let text = (try? String(contentsOfFile: folder.path + "/web-link", encoding: .utf8)) ?? ""
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The code in the newest link.
    func newCode() throws -> String {
        guard let fragment = try newLink().split(separator: "#").last, let code = fragment.split(separator: ".").first
        else { throw BrowserError(description: "no code") }
        return String(code)
    }

    /// The link for the native viewer, with the same secret.
    var nativeLink: String {
        get throws {
            try String(contentsOfFile: folder.path + "/link", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// Opens a page that is admitted by a link; waits until it shows the screen or the shared monitor, and the control
    /// state.
    ///
    /// - Parameter script: a script that runs before the page's own.
    func viewer(
        _ browser: Browser, _ look: PageLook = .desktop, context: String = UUID().uuidString,
        of shown: PixelSize? = nil, before script: String? = nil
    ) throws -> WebViewer {
        let viewer = WebViewer(try browser.page(look, context: context), of: shown ?? size)
        if let script { try viewer.page.before(script) }
        try viewer.page.open(try newLink())
        try viewer.waitForPicture()
        try viewer.waitForControl()
        return viewer
    }
}
