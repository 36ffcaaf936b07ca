private import CKeyGuard
import CXCB

/// A process of its own that releases the keys and buttons held down in an X server when this process is killed.
///
/// It is told what is held before the server is, by a message to a socket that never blocks; and what is no longer
/// held, after that. It starts with the session, knows nothing else of it, and has no file or socket but these.
/// Messages that it has not read when this process dies, it reads first.
///
/// There is none where this code is not part of the program itself but of a library that the program loads later: keys
/// that are down when such a program is killed stay down.
final class KeyGuard {
    private let process: Int32
    private let socket: Int32
    private var told = HeldKeys()
    private var toldMeanings: [UInt8: [xcb_keysym_t]] = [:]

    /// Starts the process; `nil` where that is not possible.
    init?(display: String) {
        var socket: Int32 = -1
        process = helio_key_guard_start(display, &socket)
        guard process > 0 else { return nil }
        self.socket = socket
    }

    /// Stops the process, once everything is released.
    deinit { helio_key_guard_stop(process, socket) }

    /// Tells, ahead of the requests that press, all that is or was held, in case the requests don't arrive.
    func expect(_ held: HeldKeys) {
        guard held != told else { return }
        let all = held.union(told)
        if all != told { tell(all) }
    }

    /// Tells, ahead of the requests that change them, the keys' earlier meanings.
    func expect(meanings: [UInt8: [xcb_keysym_t]]) {
        guard meanings != toldMeanings else { return }
        var message = [UInt8(HELIO_KEY_GUARD_MEANINGS.rawValue)]
        for (key, keysyms) in meanings where message.count + 2 + 4 * keysyms.count <= HELIO_KEY_GUARD_SIZE {
            message += [key, UInt8(clamping: keysyms.count)]
            for keysym in keysyms.prefix(255) { withUnsafeBytes(of: keysym) { message += $0 } }
        }
        if send(message) { toldMeanings = meanings }
    }

    /// Tells, behind the requests, what is held now.
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
