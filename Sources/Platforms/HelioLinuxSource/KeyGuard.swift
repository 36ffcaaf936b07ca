private import CKeyGuard
import CXCB

/// A process of its own that lets go of what is held down in an X server when this one is killed.
///
/// It is told what is held before the server is, by a message to a socket that waits for nobody; and what is no longer
/// held, after that. It starts while the session does, knows nothing of it, and has no file or socket but these. What it
/// has not read yet when this process dies, it reads first.
///
/// There is none where this code is no part of the program itself but of a library that the program loads later: keys
/// that are down when such a program is killed stay down.
final class KeyGuard {
    private let process: Int32
    private let socket: Int32
    private var told = HeldKeys()
    private var toldMeanings: [UInt8: [xcb_keysym_t]] = [:]

    /// `nil` where there can be none.
    init?(display: String) {
        var socket: Int32 = -1
        process = helio_key_guard_start(display, &socket)
        guard process > 0 else { return nil }
        self.socket = socket
    }

    /// All has been let go of.
    deinit { helio_key_guard_stop(process, socket) }

    /// Ahead of the requests that press: all that is or was held, in case that those don't arrive.
    func expect(_ held: HeldKeys) {
        guard held != told else { return }
        let all = held.union(told)
        if all != told { tell(all) }
    }

    /// Ahead of the requests that change them: what keys meant before.
    func expect(meanings: [UInt8: [xcb_keysym_t]]) {
        guard meanings != toldMeanings else { return }
        var message = [UInt8(HELIO_KEY_GUARD_MEANINGS.rawValue)]
        for (key, keysyms) in meanings where message.count + 2 + 4 * keysyms.count <= HELIO_KEY_GUARD_SIZE {
            message += [key, UInt8(clamping: keysyms.count)]
            for keysym in keysyms.prefix(255) { withUnsafeBytes(of: keysym) { message += $0 } }
        }
        if send(message) { toldMeanings = meanings }
    }

    /// Behind the requests: what is held now.
    func settle(_ held: HeldKeys) {
        if held != told { tell(held) }
    }

    private func tell(_ held: HeldKeys) {
        if send([UInt8(HELIO_KEY_GUARD_HELD.rawValue)] + held.bits) { told = held }
    }

    private func send(_ message: [UInt8]) -> Bool {
        helio_key_guard_tell(socket, message, message.count) != 0
    }
}
