package import Foundation

/// A pseudo-terminal: a program sits at one side of it, a test types at the other.
package final class Terminal {
    package struct NoTerminal: Error {}

    /// What the program gets as its standard input.
    package let side: FileHandle
    private let master: Int32

    package init() throws {
        var (near, far): (CInt, CInt) = (-1, -1)
        guard openpty(&near, &far, nil, nil, nil) == 0 else { throw NoTerminal() }
        // Programs that the test starts get the one side only.
        for descriptor in [near, far] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        master = near
        side = FileHandle(fileDescriptor: far, closeOnDealloc: true)
    }

    deinit { close(master) }

    /// Whether the program gets key by key, unseen, and not line by line.
    package var isKeyByKey: Bool {
        var mode = termios()
        return tcgetattr(side.fileDescriptor, &mode) == 0 && mode.c_lflag & tcflag_t(ICANON | ECHO) == 0
    }

    package func type(_ text: String) {
        _ = text.withCString { write(master, $0, strlen($0)) }
    }
}
