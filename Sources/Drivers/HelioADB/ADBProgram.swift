private import Foundation
internal import HelioADBWire
internal import HelioAndroid

/// The program `adb`, which starts its own server.
///
/// The server inherits what the program has open. Foundation's `Process` waits on Linux until such a copy is closed,
/// which would be the server's end: so the program is started by `posix_spawn`.
enum ADBProgram {
    /// The longest complaint that is read, in bytes.
    private static let longestComplaint = 4096

    /// Runs `adb start-server`, on a thread of its own.
    ///
    /// - Parameter done: called once with the trouble, or `nil` once the server runs.
    static func startServer(_ place: ADBPlace, done: @escaping @Sendable (AndroidTrouble?) -> Void) {
        guard let path = place.program ?? find() else { return done(.noProgram) }
        let port = String(place.port)
        Thread.detachNewThread { done(run([path, "-P", port, "start-server"])) }
    }

    /// Runs a program to its end. Returns the trouble if it fails.
    private static func run(_ words: [String]) -> AndroidTrouble? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return .serverFailed(String(cString: strerror(errno))) }
        defer { close(ends[0]) }
        // Neither end may reach other programs that are started meanwhile.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (child, error) = spawn(words, complaints: ends[1])
        close(ends[1])
        guard error == 0 else { return .serverFailed(String(cString: strerror(error))) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status == 0 ? nil : .serverFailed(complaint(from: ends[0]))
    }

    /// Starts a program without input and output but its complaints. Returns its number, and 0 or `errno`.
    private static func spawn(_ words: [String], complaints: Int32) -> (pid_t, Int32) {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, complaints, 2)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        let error = posix_spawn(&child, words[0], &actions, nil, &arguments, environ)
        return (child, error)
    }

    /// The last line of the complaints. The server, which goes on running, may hold the pipe open: so this does not
    /// wait for its end.
    private static func complaint(from descriptor: Int32) -> String {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var bytes = [UInt8](repeating: 0, count: longestComplaint)
        let count = read(descriptor, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        return ADBRefusal.line(text.split(whereSeparator: \.isNewline).last.map(String.init) ?? "")
    }

    /// The program on the path, or where Android's tools are usually installed.
    private static func find() -> String? {
        let environment = ProcessInfo.processInfo.environment
        var folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        for name in ["ANDROID_HOME", "ANDROID_SDK_ROOT"] {
            if let folder = environment[name] { folders.append(folder + "/platform-tools") }
        }
        if let home = environment["HOME"] {
            folders += [home + "/Android/Sdk/platform-tools", home + "/Library/Android/sdk/platform-tools"]
        }
        return folders.map { $0 + "/adb" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
