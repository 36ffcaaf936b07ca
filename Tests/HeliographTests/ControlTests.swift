import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Input at the viewer arrives in a real X client of the host, once and in order.
@Suite("Reverse control", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct ControlTests {
    static let size = PixelSize(width: 800, height: 600)

    /// Starts a desktop whose host runs `xev` over the whole screen.
    private func start(_ arguments: [String] = []) throws -> (SharedDesktop, RunningProgram) {
        let desktop = try SharedDesktop(Self.size)
        let client = try desktop.source.startClient(Self.size, events: ["keyboard", "button", "mouse"])
        try desktop.watch(arguments)
        try take(desktop, client)
        return (desktop, client)
    }

    /// Gives the viewer's window the keyboard focus.
    private func take(_ desktop: SharedDesktop, _ client: RunningProgram) throws {
        // The window gets the focus by a click inside it.
        try desktop.destination.run("xdotool", "mousemove", "400", "300", "click", "1")
        try client.line(with: "ButtonRelease")
    }

    /// X keeps pressed what a client pressed and did not release, even after the client has ended.
    @Test("what is held down when the host is killed is released")
    func killedHost() throws {
        let (desktop, client) = try start()
        try desktop.destination.run("xdotool", "keydown", "shift", "keydown", "a", "mousedown", "1")
        try client.line(with: "keysym 0x41, A")
        try client.line(with: "ButtonPress")
        #expect(try desktop.source.keysDown == [38, 50])
        desktop.share.kill(SIGKILL)
        _ = desktop.share.waitUntilExit()
        for _ in 0..<2 { try client.line(with: "KeyRelease") }
        try client.line(with: "ButtonRelease")
        #expect(try desktop.source.keysDown == [])
    }

    /// A viewer that was blocked finds a release and the next press of a key in the same millisecond.
    @Test("typed text arrives exactly", arguments: [false, true])
    func text(isHeldUp: Bool) throws {
        let (desktop, client) = try start()
        try type(desktop, client, isHeldUp: isHeldUp)
    }

    @Test("typed text arrives exactly over TCP alone")
    func textOverTCP() throws {
        let (desktop, client) = try start(["--transport", "tcp"])
        try type(desktop, client)
    }

    @Test("typed text arrives exactly where UDP is blocked")
    func textWithoutUDP() throws {
        let desktop = try SharedDesktop(Self.size)
        let client = try desktop.source.startClient(Self.size, events: ["keyboard", "button", "mouse"])
        let link = try desktop.link
        let port = try #require(link.split(separator: "/").dropFirst().first?.split(separator: ":").last)
        let path = try NarrowPath(NarrowPath.link(.megabits(20), loss: 1), to: try #require(UInt16(port)))
        try desktop.watch(host: link.replacing("127.0.0.1", with: NarrowPath.address))
        try take(desktop, client)
        try type(desktop, client)
        #expect(path.ledger.carried.isEmpty)
    }

    private func type(_ desktop: SharedDesktop, _ client: RunningProgram, isHeldUp: Bool = false) throws {
        let typed = "Hello, World! 0123 (a-z) ~/x_y"
        if isHeldUp { desktop.view?.kill(SIGSTOP) }
        try desktop.destination.run("xdotool", "type", "--delay", isHeldUp ? "0" : "5", typed)
        if isHeldUp { desktop.view?.kill(SIGCONT) }
        try desktop.destination.run("xdotool", "key", "Return")
        var seen = ""
        var isPress = false
        try client.line("all that is typed") { line in
            if line.hasPrefix("KeyPress") { isPress = true }
            if line.hasPrefix("KeyRelease") { isPress = false }
            guard isPress, line.contains("XLookupString gives 1 bytes"), let open = line.firstRange(of: "bytes: (")
            else { return false }
            let hex = line[open.upperBound...].prefix(2)
            seen.append(Character(UnicodeScalar(try #require(UInt8(hex, radix: 16)))))
            isPress = false
            return seen.hasSuffix("\r")
        }
        #expect(seen == typed + "\r")
    }

    @Test("clicks, a drag and the wheel arrive in order, at the right pixels")
    func pointer() throws {
        let (desktop, client) = try start()
        try desktop.destination.run(
            "xdotool", "mousemove", "100", "50", "click", "3", "mousemove", "200", "150", "mousedown", "1", "mousemove",
            "500", "400", "mouseup", "1", "click", "4", "click", "5", "click", "2")
        var seen: [String] = []
        var kind = ""
        try client.line("ten events of buttons") { line in
            if line.hasPrefix("ButtonPress") { kind = "down" }
            if line.hasPrefix("ButtonRelease") { kind = "up" }
            if line.hasPrefix("MotionNotify") { kind = "" }
            if !kind.isEmpty, let root = line.firstRange(of: "root:(") {
                let place = line[root.upperBound...].prefix { $0 != ")" }
                seen.append("\(kind) at \(place)")
            } else if !kind.isEmpty, let button = line.firstRange(of: "button ") {
                seen[seen.count - 1] += " button \(line[button.upperBound...].prefix { $0.isNumber })"
                kind = ""
            }
            return seen.count >= 10 && kind.isEmpty
        }
        #expect(
            seen == [
                "down at 100,50 button 3", "up at 100,50 button 3", "down at 200,150 button 1",
                "up at 500,400 button 1",
                "down at 500,400 button 4", "up at 500,400 button 4", "down at 500,400 button 5",
                "up at 500,400 button 5", "down at 500,400 button 2", "up at 500,400 button 2",
            ])
    }
}
