private import ArgumentParser
private import Foundation

/// Runs the user's editor.
enum ConfigEditor {
    /// The shell command of the editor: $VISUAL, else $EDITOR, else vi (POSIX names both variables).
    private static var command: String {
        let environment = ProcessInfo.processInfo.environment
        return ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "vi"
    }

    /// Edits a file, and waits until the editor ends. Throws if it can't be run, or fails.
    ///
    /// Foundation's `Process` would put the editor into a process group of its own, which may not read from the terminal.
    static func edit(_ path: String) throws {
        let words = ["sh", "-c", "\(command) \"$@\"", "sh", path]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        // Ctrl-C belongs to the editor while it runs.
        let before = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in before { signal(number, handler) } }
        guard let status = run(&arguments) else { throw failure("can't be run") }
        // The shell's status for a command that it does not find.
        if status == 127 { throw failure("is not there") }
        if status != 0 {
            throw ValidationError(
                "The editor '\(command)' ended with \(status). Nothing was checked: 'heliograph config check' does that."
            )
        }
    }

    private static func failure(_ what: String) -> ValidationError {
        ValidationError("The editor '\(command)' \(what): name another in VISUAL or EDITOR.")
    }

    /// Runs `/bin/sh`. Returns its exit status, or 128 and the number of the signal that ended it; `nil` if it was not
    /// started.
    private static func run(_ arguments: inout [UnsafeMutablePointer<CChar>?]) -> Int32? {
        #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
        #else
        var attributes = posix_spawnattr_t()
        #endif
        guard posix_spawnattr_init(&attributes) == 0 else { return nil }
        defer { posix_spawnattr_destroy(&attributes) }
        // The signals that this program ignores.
        var usual = sigset_t()
        sigemptyset(&usual)
        for number in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&usual, number) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var child: pid_t = 0
        guard posix_spawn(&child, "/bin/sh", nil, &attributes, arguments, environ) == 0 else { return nil }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}
