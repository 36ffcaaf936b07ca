import Foundation
import HelioCore
import HelioTestPrograms
import Testing

/// `xev` over the whole of a desktop: what really arrives there.
final class XClient {
    enum Event: Equatable {
        /// A place on the screen.
        case button(Int, isDown: Bool, x: Int, y: Int)
        /// `keysym`: what the client makes of it. `modifiers`: the state before it, 1 Shift, 4 Control, 8 Alt.
        case key(keysym: UInt32, isDown: Bool, modifiers: Int)
        case moved(x: Int, y: Int)
    }

    private let program: RunningProgram

    init(_ desktop: Desktop, _ size: PixelSize) throws {
        program = try desktop.startClient(size, events: ["keyboard", "button", "mouse"])
    }

    deinit { program.kill() }

    /// The next event of a button or key, and of the pointer if that is wanted.
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
            // Buttons and Num Lock are not asked for.
            return .key(keysym: keysym ?? 0, isDown: name == "KeyPress", modifiers: (state ?? 0) & 0b1101)
        default:
            let place = try place()
            return .moved(x: place.x, y: place.y)
        }
    }

    private static let names: Set<Substring> = ["ButtonPress", "ButtonRelease", "KeyPress", "KeyRelease"]

    func next(_ count: Int) throws -> [Event] { try (0..<count).map { _ in try next() } }

    /// These come next.
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

    /// Waits for the pointer to be there.
    func pointer(x: Int, y: Int) throws {
        let patience = Patience()
        while try next(moves: true) != .moved(x: x, y: y) {
            if patience.isOver { throw BrowserError(description: "the pointer never was at \(x),\(y)") }
        }
    }

    /// What is typed, up to a character.
    func text(through last: UInt32) throws -> [UInt32] {
        var typed: [UInt32] = []
        let patience = Patience()
        while typed.last != last {
            if patience.isOver { throw BrowserError(description: "only \(typed) were typed") }
            if case .key(let keysym, true, _) = try next(), !Self.modifiers.contains(keysym) { typed.append(keysym) }
        }
        return typed
    }

    /// Shift, Control, Caps Lock, Meta, Alt, Super.
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
