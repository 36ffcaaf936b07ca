package import Foundation

/// A pseudo-terminal: a program uses one side, and a test types at the other.
package final class Terminal {
    package struct NoTerminal: Error {}

    /// The program's side, used as its standard input.
    package let side: FileHandle
    private let master: Int32

    package init() throws {
        var (near, far): (CInt, CInt) = (-1, -1)
        guard openpty(&near, &far, nil, nil, nil) == 0 else { throw NoTerminal() }
        // Programs that the test starts inherit only their own side.
        for descriptor in [near, far] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        master = near
        side = FileHandle(fileDescriptor: far, closeOnDealloc: true)
    }

    deinit { close(master) }

    /// True if the program reads single keys without echo, and not lines.
    package var isKeyByKey: Bool {
        var mode = termios()
        return tcgetattr(side.fileDescriptor, &mode) == 0 && mode.c_lflag & tcflag_t(ICANON | ECHO) == 0
    }

    /// Returns the program's unread output so far, as the terminal shows it, with CR LF line ends.
    package func read() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var wanted = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        while poll(&wanted, 1, 0) > 0, wanted.revents & Int16(POLLIN) != 0 {
            let count = Foundation.read(master, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Sets the terminal's size in columns and rows.
    package func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    package func type(_ text: String) {
        _ = text.withCString { write(master, $0, strlen($0)) }
    }

    /// Types a key repeatedly until a condition holds: a question must be visible for a while before it accepts a key.
    package func type(_ key: String, until counts: () -> Bool) throws {
        let hasCounted = Patience().wait {
            if counts() { return true }
            type(key)
            return counts()
        }
        if !hasCounted { throw Patience.Exhausted(description: "the key '\(key)' was never taken") }
    }
}
