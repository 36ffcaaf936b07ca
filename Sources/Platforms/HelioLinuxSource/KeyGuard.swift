private import CKeyGuard
import CXCB

/// A helper process that releases the keys and buttons held down in an X server if this process is killed.
///
/// The helper gets the state by messages on a non-blocking socket: presses before the X server gets the requests,
/// releases afterwards. The helper starts with the session, and inherits no other file or socket from this process.
/// When this process dies, the helper first reads the queued messages, and then releases the keys.
///
/// The helper can't run if this code is in a library that a program loads at run time: keys that are down when such a
/// program is killed stay down.
final class KeyGuard {
    private let process: Int32
    private let socket: Int32
    private var told = HeldKeys()
    private var toldMeanings: [UInt8: [xcb_keysym_t]] = [:]

    /// Starts the process; `nil` if it can't be started.
    init?(display: String) {
        var socket: Int32 = -1
        process = helio_key_guard_start(display, &socket)
        guard process > 0 else { return nil }
        self.socket = socket
    }

    /// Stops the process, after it has released everything.
    deinit { helio_key_guard_stop(process, socket) }

    /// Sends the union of the keys and buttons held before and after the coming X requests. Called before the requests
    /// are sent, as they may not arrive.
    func expect(_ held: HeldKeys) {
        guard held != told else { return }
        let all = held.union(told)
        if all != told { tell(all) }
    }

    /// Sends the original keysyms of the bound keys, for the process to restore. Called before the X requests that bind
    /// the keys.
    func expect(meanings: [UInt8: [xcb_keysym_t]]) {
        guard meanings != toldMeanings else { return }
        var message = [UInt8(HELIO_KEY_GUARD_MEANINGS.rawValue)]
        for (key, keysyms) in meanings where message.count + 2 + 4 * keysyms.count <= HELIO_KEY_GUARD_SIZE {
            message += [key, UInt8(clamping: keysyms.count)]
            for keysym in keysyms.prefix(255) { withUnsafeBytes(of: keysym) { message += $0 } }
        }
        if send(message) { toldMeanings = meanings }
    }

    /// Sends the keys and buttons that are held now. Called after the X requests.
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
