import Foundation
import HelioCore
import HelioTestPrograms
import Testing

/// `xev` over a whole desktop, which records the input that arrives there.
final class XClient {
    enum Event: Equatable {
        /// A button event at a position on the screen.
        case button(Int, isDown: Bool, x: Int, y: Int)
        /// `keysym` is the client's interpretation of the key; `modifiers` is the state before the event: 1 Shift, 4
        /// Control, 8 Alt.
        case key(keysym: UInt32, isDown: Bool, modifiers: Int)
        case moved(x: Int, y: Int)
    }

    private let program: RunningProgram

    init(_ desktop: Desktop, _ size: PixelSize) throws {
        program = try desktop.startClient(size, events: ["keyboard", "button", "mouse"])
    }

    deinit { program.kill() }

    /// Returns the next button or key event, or pointer event if `moves`.
    func next(moves: Bool = false) throws -> Event {
        let wanted = Self.names.union(moves ? ["MotionNotify"] : [])
        let line = try program.line("an event") { $0.split(separator: " ").first.map(wanted.contains) == true }
        let name = line.split(separator: " ")[0]
        switch name {
        case "ButtonPress", "ButtonRelease":
            let place = try place()
            let button = Self.number(after: "button ", in: try program.line(with: "button "))
            return .button(button ?? 0, isDown: name == "ButtonPress", x: place.x, y: place.y)
        case "KeyPress", "KeyRelease":
            let line = try program.line(with: "keysym 0x")
            let keysym = line.firstMatch(of: /keysym 0x([0-9a-f]+)/).flatMap { UInt32($0.1, radix: 16) }
            let state = line.firstMatch(of: /state 0x([0-9a-f]+)/).flatMap { Int($0.1, radix: 16) }
            // Buttons and Num Lock are masked out.
            return .key(keysym: keysym ?? 0, isDown: name == "KeyPress", modifiers: (state ?? 0) & 0b1101)
        default:
            let place = try place()
            return .moved(x: place.x, y: place.y)
        }
    }

    private static let names: Set<Substring> = ["ButtonPress", "ButtonRelease", "KeyPress", "KeyRelease"]

    func next(_ count: Int) throws -> [Event] { try (0..<count).map { _ in try next() } }

    /// Expects these events next.
    func expect(
        _ wanted: [Event], passingOverKeys: Bool = false, _ location: SourceLocation = #_sourceLocation
    ) throws {
        for wanted in wanted {
            var event = try next()
            let patience = Patience()
            while passingOverKeys, case .key = event, !patience.isOver { event = try next() }
            #expect(event == wanted, sourceLocation: location)
        }
    }

    /// Waits until the pointer is at this position.
    func pointer(x: Int, y: Int) throws {
        let patience = Patience()
        while try next(moves: true) != .moved(x: x, y: y) {
            if patience.isOver { throw BrowserError(description: "the pointer never was at \(x),\(y)") }
        }
    }

    /// Returns the typed keysyms, up to and including `last`.
    func text(through last: UInt32) throws -> [UInt32] {
        var typed: [UInt32] = []
        let patience = Patience()
        while typed.last != last {
            if patience.isOver { throw BrowserError(description: "only \(typed) were typed") }
            if case .key(let keysym, true, _) = try next(), !Self.modifiers.contains(keysym) { typed.append(keysym) }
        }
        return typed
    }

    /// The keysyms of Shift, Control, Caps Lock, Meta, Alt and Super.
    private static let modifiers: ClosedRange<UInt32> = 0xFFE1...0xFFEC

    private func place() throws -> (x: Int, y: Int) {
        let line = try program.line(with: "root:(")
        guard let match = line.firstMatch(of: /root:\((-?[0-9]+),(-?[0-9]+)\)/), let x = Int(match.1),
            let y = Int(match.2)
        else { throw BrowserError(description: "no place in '\(line)'") }
        return (x, y)
    }

    private static func number(after word: String, in line: String) -> Int? {
        line.firstRange(of: word).flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
    }
}
