import Foundation
import HelioTestPrograms

/// Debian's headless Chromium or Firefox with any number of pages, owned by this object. Its contexts end with the
/// object; the process is kept for the next test, as starting one takes seconds.
final class Browser {
    enum Kind: String {
        case chromium, firefox
    }

    private struct Reply<Value: Decodable>: Decodable {
        var value: Value
    }

    private let program: BrowserProgram
    private var isKilled = false

    /// - Parameter autoplays: whether an untouched page may play sound.
    init(_ kind: Kind = .chromium, autoplays: Bool = false) throws {
        program = try BrowserProgram.take(BrowserProgram.Variant(kind: kind, autoplays: autoplays))
    }

    /// Starts a browser in a machine's network. It ends with this object.
    ///
    /// - Parameter proxy: the address of the HTTP proxy there; empty if there is none.
    init(on machine: NetworkMachine, proxy: String = "") throws {
        program = try BrowserProgram(
            BrowserProgram.Variant(kind: .chromium, autoplays: false), on: machine, proxy: proxy)
    }

    deinit { if !isKilled { program.giveBack() } }

    /// Kills the whole browser at once, without unload handlers.
    func kill() {
        isKilled = true
        program.kill()
    }

    /// Opens a page in a new context, or in a given one, whose pages share their storage.
    func page(_ look: PageLook = .desktop, context: String = UUID().uuidString) throws -> Page {
        Page(self, try ask(.page(look, context: context)))
    }

    /// Opens a tab that covers the newest page of a context.
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
