import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// The keyboard commands of `heliograph share` in a terminal.
@Suite("The host's terminal", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct ConsoleTests {
    static let size = PixelSize(width: 640, height: 480)

    @Test("one key takes control back at once, another gives it, and the list says who may drive")
    func control() throws {
        let terminal = try Terminal()
        let desktop = try SharedDesktop(Self.size, standardInput: terminal.side)
        try desktop.share.line(with: "[t] take control")
        let client = try desktop.source.startClient(PixelSize(width: 640, height: 480), events: ["button"])
        try desktop.watch()
        let view = try #require(desktop.view)
        terminal.type("l")
        try desktop.share.line(with: "127.0.0.1: watches, may control")
        // A button held while control is taken away is released.
        try desktop.destination.run("xdotool", "mousemove", "100", "100", "mousedown", "1")
        try client.line(with: "ButtonPress")
        terminal.type("t")
        try desktop.share.line(with: "Control is yours")
        try client.line(with: "ButtonRelease")
        try view.line(with: "watch only from now on")
        try desktop.destination.run("xdotool", "mouseup", "1", "mousemove", "50", "50", "click", "1")
        terminal.type("l")
        try desktop.share.line(with: "127.0.0.1: watches only")
        terminal.type("?")
        try desktop.share.line(with: "l  list who watches")

        terminal.type("g")
        try view.line(with: "control it from now on")
        try desktop.destination.run("xdotool", "mousemove", "200", "200", "click", "1")
        try client.line(with: "ButtonPress")
        #expect(try client.line().contains("root:(200,200)"), "nothing of what came in between was done")
    }

    @Test("the terminal is as it was after every end", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func restored(by signal: Int32) throws {
        let terminal = try Terminal()
        let desktop = try SharedDesktop(Self.size, standardInput: terminal.side)
        try desktop.share.line(with: "[t] take control")
        #expect(terminal.isKeyByKey)
        desktop.share.kill(signal)
        #expect(desktop.share.waitUntilExit() == 0)
        #expect(!terminal.isKeyByKey)
    }

    @Test("a stopped program leaves the terminal as it was, and takes it again when it goes on")
    func stopped() throws {
        let terminal = try Terminal()
        let desktop = try SharedDesktop(Self.size, standardInput: terminal.side)
        try desktop.share.line(with: "[t] take control")
        desktop.share.kill(SIGTSTP)
        // Continuing it before it has stopped would have no effect.
        let status = "/proc/\(desktop.share.processIdentifier)/stat"
        try Self.wait { (try? String(contentsOfFile: status, encoding: .utf8))?.contains(") T ") == true }
        #expect(!terminal.isKeyByKey)
        desktop.share.kill(SIGCONT)
        try Self.wait { terminal.isKeyByKey }
        terminal.type("l")
        try desktop.share.line(with: "Nobody watches.")
    }

    @Test("without a terminal there are no keys")
    func piped() throws {
        let input = Pipe()
        let desktop = try SharedDesktop(Self.size, standardInput: input.fileHandleForReading)
        try input.fileHandleForWriting.write(contentsOf: Data("t\nl\n".utf8))
        try desktop.watch()
        desktop.share.kill(SIGTERM)
        #expect(desktop.share.waitUntilExit() == 0)
        #expect(!desktop.share.text.contains("take control"))
        #expect(!desktop.share.text.contains("Control is yours"))
    }

    @Test(
        "one key answers, but not as the question appears, and what was meant for one device is no answer for the next")
    func lateAnswer() throws {
        let (terminal, viewerTerminal) = (try Terminal(), try Terminal())
        let desktop = try SharedDesktop(Self.size, standardInput: terminal.side)
        let link = try desktop.link.dropFirst("heliograph://".count)
        let host = String(link.prefix { $0 != "/" })
        func pair(_ name: String, asks question: String) throws -> RunningProgram {
            let pairing = try desktop.destination.start(
                SharedDesktop.heliograph, ["pair", host, "--name", name],
                environment: ["HELIOGRAPH_HOME": desktop.folder.path + "/" + name], standardInput: viewerTerminal.side)
            try pairing.line(with: "show the code")
            try desktop.share.line(with: question)
            return pairing
        }
        let first = try pair("laptop", asks: "The same digits on 'laptop'?")
        first.kill()
        try desktop.share.line(with: "'laptop' at 127.0.0.1 no longer asks")
        let second = try pair("stranger", asks: "another device asks now, 'stranger'")
        #expect(
            !desktop.share.text.contains("The same digits on 'stranger'?"),
            "its code is not there to be taken for the other")
        // However late the keys are typed, they answer the earlier question.
        for key in ["y", "\n"] {
            terminal.type(key)
            try desktop.share.line(with: "another device asks now, 'stranger'")
        }
        terminal.type("c")
        try desktop.share.line(with: "The same digits on 'stranger'?")
        // A key typed at the same time as the question appears was meant for something else.
        terminal.type("y")
        try desktop.share.line(with: "'stranger' asked only just")
        try terminal.type("w") { desktop.share.text.contains("'stranger' may watch, once it is confirmed there.") }
        viewerTerminal.type("y\n")
        #expect(second.waitUntilExit() == 0)
        #expect(second.text.contains("to watch."))
        #expect(!FileManager.default.fileExists(atPath: desktop.folder.path + "/laptop/hosts.json"))
    }

    private struct NeverHappened: Error {}

    private static func wait(for condition: () -> Bool) throws {
        if !Patience().wait(until: condition) { throw NeverHappened() }
    }
}
