private import Foundation
package import HelioCore
private import Synchronization

/// A program that a service runs beside itself.
///
/// It begins without this process's signals: threads of libdispatch block them, and whoever takes a signal as an event
/// ignores it, and a program inherits both. Foundation's `Process` leaves it so.
package final class ChildProgram: Sendable {
    /// The ID of the process.
    package let identifier: Int32
    /// True once the program has ended, after which its ID may be another one's.
    private let isOver = Mutex(false)

    private init(_ identifier: Int32) { self.identifier = identifier }

    /// Starts a program, whose standard input is empty, and whose other outputs are this process's.
    ///
    /// - Parameters:
    ///   - path: the program's path.
    ///   - ended: called once on a thread of its own when the program has ended, with its exit status; with 128 and the
    ///     signal's number if a signal has ended it, as shells have it.
    ///
    /// Throws `systemFailed` if it can't be started.
    package static func start(
        _ path: String, _ arguments: [String], environment: [String: String],
        ended: @escaping @Sendable (Int32) -> Void
    ) throws(HelioError) -> ChildProgram {
        #if os(Linux)
        let child = ChildProgram(
            try spawn(path, [path] + arguments, environment.map { "\($0.key)=\($0.value)" }))
        Thread.detachNewThread { ended(child.wait()) }
        return child
        #else
        throw HelioError(.unsupported, "Programs are run as services on Linux alone.")
        #endif
    }

    /// Asks the program to end.
    package func end() { send(SIGTERM) }

    /// Ends the program at once.
    package func kill() { send(SIGKILL) }

    private func send(_ signal: Int32) {
        isOver.withLock { isOver in if !isOver { _ = Foundation.kill(identifier, signal) } }
    }

    #if os(Linux)
    private static func spawn(
        _ path: String, _ arguments: [String], _ variables: [String]
    ) throws(HelioError) -> Int32 {
        var attributes = posix_spawnattr_t()
        var actions = posix_spawn_file_actions_t()
        guard posix_spawnattr_init(&attributes) == 0, posix_spawn_file_actions_init(&actions) == 0 else {
            throw HelioError(.systemFailed, "\(path) can't be run.")
        }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        var identifier: pid_t = 0
        let failure = posix_spawn(&identifier, path, &actions, &attributes, &words, &environment)
        for word in words + environment { free(word) }
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
        guard failure == 0 else {
            throw HelioError(.systemFailed, "\(path) can't be run: \(String(cString: strerror(failure))).")
        }
        return identifier
    }

    /// Waits for the program's end, and returns its exit status.
    private func wait() -> Int32 {
        // The process stays, with its ID, until nobody can send it a signal any more.
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        isOver.withLock { $0 = true }
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
    #endif
}
