import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Hosts whose output is not read: sharing continues in any case, and ends on request.
@Suite("What becomes of the output", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct SurroundingsTests {
    static let size = PixelSize(width: 640, height: 480)
    /// The time that an exit may take, including the start of a program on a busy machine.
    static let end = Duration.seconds(4)

    /// A host started by a shell with a redirected output, and its link file.
    private final class Host {
        let desktop: Desktop
        let program: RunningProgram
        let folder: URL

        /// - Parameter script: the shell script that runs the host with its arguments.
        init(_ script: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
            desktop = try Desktop(SurroundingsTests.size)
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            program = try desktop.start(
                "bash",
                [
                    "-c", script, folder.path, SharedDesktop.heliograph, "share", "--address", "127.0.0.1", "--port",
                    "0",
                    "--web", "0", "--no-discovery", "--link-file", folder.path + "/link",
                ] + arguments,
                environment: SharedDesktop.noSound.merging(["HELIOGRAPH_HOME": folder.path + "/home"]) { $1 }
                    .merging(environment) { $1 })
        }

        deinit {
            program.kill()
            try? FileManager.default.removeItem(at: folder)
        }

        var link: String? {
            (try? String(contentsOfFile: folder.path + "/link", encoding: .utf8))
                .map { $0.trimmingCharacters(in: .newlines) }.flatMap { $0.isEmpty ? nil : $0 }
        }

        /// Waits for a link other than this one.
        func link(other used: String? = nil) throws -> String {
            var found: String?
            try #require(
                Patience().wait {
                    found = link
                    return found != nil && found != used
                })
            return try #require(found)
        }

        /// Admits a viewer, waits until it shows pictures, and waits for the next link.
        func serves() throws -> Bool {
            let used = try link()
            let viewer = try desktop.start(
                SharedDesktop.heliograph, ["view", used] + SharedDesktop.statistics,
                environment: SharedDesktop.noSound.merging(["HELIOGRAPH_HOME": folder.path + "/viewer"]) { $1 })
            try viewer.line("statistics with a picture") {
                $0.contains("framesPerSecond") && !$0.contains("\"frames\":0,")
            }
            return try link(other: used) != used
        }
    }

    @Test(
        "a full disk, a reader that has gone and one that has stopped cost lines, and nothing else",
        arguments: [
            #"exec "$@" >/dev/full 2>&1"#,
            #"exec "$@" > >(head -n 1 >/dev/null) 2>&1"#,
            // Stopped before it has read anything.
            #"exec "$@" > >(exec >/dev/null 2>&1; kill -STOP $BASHPID) 2>&1"#,
        ])
    func unwritable(script: String) throws {
        let host = try Host(script, ["--stats", "--stats-interval", "0.05"])
        #expect(try host.serves())
        host.program.kill(SIGTERM)
        #expect(host.program.waitUntilExit(within: Self.end) == 0)
    }

    @Test("a folder for keys that can't be written is told of, and the screen is shared all the same")
    func unwritableHome() throws {
        let host = try Host(#"exec "$@""#, environment: ["HELIOGRAPH_HOME": "/dev/null/home"])
        try host.program.line(with: "nothing can be stored in /dev/null/home")
        #expect(try host.serves())
        host.program.kill(SIGTERM)
        #expect(host.program.waitUntilExit(within: Self.end) == 0)
    }

    @Test("under nohup a hang-up changes nothing; without, it ends the host")
    func hangUp() throws {
        let host = try Host(#"trap "" HUP; exec "$@""#)
        _ = try host.link()
        host.program.kill(SIGHUP)
        #expect(try host.serves())
        host.program.kill(SIGTERM)
        #expect(host.program.waitUntilExit(within: Self.end) == 0)
        let other = try Host(#"exec env --default-signal=HUP "$@""#)
        try other.program.line(with: "--code")
        other.program.kill(SIGHUP)
        #expect(other.program.waitUntilExit(within: Self.end) == 0)
    }

    @Test("a terminal that was stopped keeps nobody from ending", arguments: [SIGTERM, SIGINT])
    func stoppedTerminal(signal: Int32) throws {
        // More than the terminal buffers, which nobody reads.
        let terminal = try Terminal()
        let desktop = try Desktop(Self.size)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = try desktop.start(
            "bash",
            [
                "-c", #"exec "$@" >&0 2>&0"#, "-", SharedDesktop.heliograph, "share", "--address", "127.0.0.1",
                "--port",
                "0", "--no-discovery", "--stats", "--stats-interval", "0.05", "--link-file", folder.path,
            ],
            environment: SharedDesktop.noSound.merging(["HELIOGRAPH_HOME": folder.path + ".home", "TERM": "xterm"]) {
                $1
            },
            standardInput: terminal.side)
        let isFull = Patience().wait {
            var wanted = pollfd(fd: terminal.side.fileDescriptor, events: Int16(POLLOUT), revents: 0)
            return poll(&wanted, 1, 0) == 0
        }
        #expect(isFull)
        program.kill(signal)
        #expect(program.waitUntilExit(within: Self.end) == 0)
        #expect(!terminal.isKeyByKey)
    }

    @Test("with --stats, standard output is JSON, and has no link")
    func json() throws {
        let host = try Host(#"exec "$@" 2>"$0/errors" | sed -u 's/^/out: /'"#, ["--stats", "--stats-interval", "0.05"])
        try host.program.line(with: "out: {")
        try host.program.line(with: "out: {")
        for line in host.program.text.split(separator: "\n") {
            #expect(line.hasPrefix("out: {") && line.hasSuffix("}"), "\(line.prefix(40))")
        }
        let errors = try String(contentsOf: host.folder.appendingPathComponent("errors"), encoding: .utf8)
        #expect(errors.contains("--code"))
    }

    @Test(
        "a dumb terminal, one without colours and one of few columns get what they can show",
        arguments: [("dumb", "C", "", 80), ("xterm", "C", "1", 30), ("xterm", "C.UTF-8", "", 30)])
    func terminals(name: String, locale: String, noColor: String, columns: Int) throws {
        let terminal = try Terminal()
        terminal.resize(columns: columns, rows: 24)
        let desktop = try Desktop(Self.size)
        let home = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        let program = try desktop.start(
            "bash",
            [
                "-c", #"exec "$@" >&0 2>&0"#, "-", SharedDesktop.heliograph, "share", "--address", "127.0.0.1",
                "--port",
                "0", "--web", "0", "--no-discovery",
            ],
            environment: SharedDesktop.noSound.merging([
                "HELIOGRAPH_HOME": home.path, "TERM": name, "LC_ALL": locale, "NO_COLOR": noColor,
            ]) { $1 }, standardInput: terminal.side)
        var text = ""
        let hasStatus = name != "dumb"
        try #require(
            Patience().wait {
                text += terminal.read()
                return text.contains("more") && (!hasStatus || text.contains("Nobody is watching"))
            }, "\(text)")
        if !hasStatus { #expect(!text.contains("\u{1B}")) }
        if !noColor.isEmpty { #expect(!text.contains(/\u{1B}\[[0-9;]*m/)) }
        if locale == "C" { #expect(text.utf8.allSatisfy { $0 < 0x80 }) }
        #expect(!text.contains("▀"), "the QR code waits for its key where it does not fit")
        // The keys fit into one row, and the line to copy is broken only between words.
        let rows = text.split(whereSeparator: \.isNewline)
        let keys = rows.filter { $0.contains("[?] more") }
        #expect(keys.count == 1 && keys.allSatisfy { $0.count < columns }, "\(text)")
        #expect(rows.contains { $0.contains(/--code ([0-9A-Z]{4}-){3}[0-9A-Z]{4}$/) && $0.count < columns }, "\(text)")
        terminal.type("o")
        try #require(
            Patience().wait {
                text += terminal.read()
                return text.contains(
                    locale == "C" ? "can't show a QR code" : "make this one larger, then press o again")
            }, "\(text)")
        terminal.type("?")
        try #require(
            Patience().wait {
                text += terminal.read()
                return text.contains("list who watches")
            })
        program.kill(SIGTERM)
        #expect(program.waitUntilExit(within: Self.end) == 0)
    }

    @Test("a link's file that can't be written any more ends nothing")
    func linkFile() throws {
        let host = try Host(#"exec "$@""#)
        let used = try host.link()
        // A folder in place of the file to be replaced.
        try FileManager.default.removeItem(atPath: host.folder.path + "/link")
        try FileManager.default.createDirectory(
            atPath: host.folder.path + "/link/in-the-way", withIntermediateDirectories: true)
        let viewer = try host.desktop.start(
            SharedDesktop.heliograph, ["view", used] + SharedDesktop.statistics,
            environment: SharedDesktop.noSound.merging(["HELIOGRAPH_HOME": host.folder.path + "/viewer"]) { $1 })
        try host.program.line(with: "The new link is in no file")
        try viewer.line("statistics with a picture") {
            $0.contains("framesPerSecond") && !$0.contains("\"frames\":0,")
        }
        try viewer.goOn(for: .milliseconds(500))
    }
}
