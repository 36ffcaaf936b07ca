import Foundation
import HelioTestPrograms

/// Debian's Chromium or Firefox, without a screen and with any number of pages, for whoever holds this object alone. Its
/// people are gone with it; the program is there for the next test, as starting one takes seconds.
final class Browser {
    enum Kind: String {
        case chromium, firefox
    }

    private struct Reply<Value: Decodable>: Decodable {
        var value: Value
    }

    private let program: BrowserProgram
    private var isKilled = false

    /// - Parameter autoplays: true where a page that nobody has touched may play sound.
    init(_ kind: Kind = .chromium, autoplays: Bool = false) throws {
        program = try BrowserProgram.take(BrowserProgram.Variant(kind: kind, autoplays: autoplays))
    }

    /// Starts a browser that sees the network of a machine. It ends with this object.
    init(on machine: NetworkMachine) throws {
        program = try BrowserProgram(BrowserProgram.Variant(kind: .chromium, autoplays: false), on: machine)
    }

    deinit { if !isKilled { program.giveBack() } }

    /// All of it is gone at once: no page has a last word.
    func kill() {
        isKilled = true
        program.kill()
    }

    /// A page of a person of its own, or in a context, whose pages share what the browser keeps.
    func page(_ look: PageLook = .desktop, context: String = UUID().uuidString) throws -> Page {
        Page(self, try ask(.page(look, context: context)))
    }

    /// A tab that covers the newest page of a context.
    func tab(over context: String) throws -> Page {
        Page(self, try ask(.tab(context: context)))
    }

    func ask<Value: Decodable>(_ command: BrowserCommand, for type: Value.Type = Value.self) throws -> Value {
        let line = try program.said(command)
        do {
            return try JSONDecoder().decode(Reply<Value>.self, from: line).value
        } catch {
            throw BrowserError(description: "'\(String(decoding: line, as: UTF8.self))' is no \(type)")
        }
    }

    func tell(_ command: BrowserCommand) throws { _ = try program.said(command) }
}
