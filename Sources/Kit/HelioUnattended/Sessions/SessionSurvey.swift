private import Foundation
package import HelioCore

/// Reads the facts about sessions and displays from the machine: `loginctl`, the programs in /proc, and sockets.
package struct SessionSurvey: Sendable {
    /// The most programs that are looked at, and the most bytes of each one's variables.
    private static let mostPrograms = 8192, mostBytes = 128 * 1024

    private let root: String
    private let user: UInt32
    private let home: String
    private let variables: [String: String]
    private let tool: SystemTool

    /// - Parameters:
    ///   - root: the folder that has proc, tmp and run; empty for the machine's own.
    ///   - user: the ID of the user whose service this is; 0 reads the programs of all users.
    ///   - variables: the service's own variables.
    package init(
        root: String = "", user: UInt32, home: String, variables: [String: String] = [:],
        tool: SystemTool = SystemTool()
    ) {
        self.root = root
        self.user = user
        self.home = home
        self.variables = variables.filter { SessionFacts.variables.contains($0.key) && !$0.value.isEmpty }
        self.tool = tool
    }

    /// A value that changes when sessions or displays come, go or change hands, cheap to read.
    package func fingerprint() -> [String] {
        ["/run/systemd/sessions", "/tmp/.X11-unix", "/run/user/\(user)"].map { folder in
            let attributes = try? FileManager.default.attributesOfItem(atPath: root + folder)
            let changed = (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
            return "\(folder) \(changed) \(names(in: folder).sorted().joined(separator: " "))"
        }
    }

    /// Reads the facts. Throws `systemFailed` if logind runs and does not answer; without logind there are no sessions.
    package func read() throws(HelioError) -> SessionFacts {
        var facts = SessionFacts(user: user)
        facts.ownVariables = variables
        if readPrograms(into: &facts) { facts.sessions = try sessions() }
        readDisplays(into: &facts)
        let folder = "/run/user/\(user)"
        if FileManager.default.fileExists(atPath: root + folder) {
            facts.runtimeFolder = root + folder
            facts.compositors = names(in: folder).filter { $0.hasPrefix("wayland-") && !$0.hasSuffix(".lock") }.sorted()
        }
        let authority = home + "/.Xauthority"
        if FileManager.default.isReadableFile(atPath: authority) { facts.ownAuthority = authority }
        return facts
    }

    private func sessions() throws(HelioError) -> [LoginSession] {
        let pager = SystemTool.option("no-pager")
        let list = try tool.run(["loginctl", "list-sessions", SystemTool.option("no-legend"), pager])
        guard list.status == 0 else { throw HelioError(.systemFailed, "loginctl has failed: \(list.lastLine)") }
        let ids = LoginSession.ids(list.text)
        if ids.isEmpty { return [] }
        let properties = SystemTool.option("property", LoginSession.properties.joined(separator: ","))
        // A session may end between the two calls: those that are left are told all the same.
        return LoginSession.list(try tool.run(["loginctl", "show-session", pager, properties] + ids).text)
    }

    /// Reads the programs, and returns whether logind is one of them.
    private func readPrograms(into facts: inout SessionFacts) -> Bool {
        var hasLogind = false
        let wanted = Set(SessionFacts.variables)
        for name in names(in: "/proc").filter({ Int($0) != nil }).prefix(Self.mostPrograms) {
            let folder = "/proc/" + name
            let words = list(folder + "/cmdline")
            if words.first?.hasSuffix("logind") == true { hasLogind = true }
            guard let owner = owner(of: folder) else { continue }
            if let server = server(words, in: folder, of: owner) { facts.servers.append(server) }
            guard user == 0 || owner == user else { continue }
            var variables: [String: String] = [:]
            for word in list(folder + "/environ") {
                guard let sign = word.firstIndex(of: "=") else { continue }
                let variable = String(word[..<sign])
                if wanted.contains(variable) { variables[variable] = String(word[word.index(after: sign)...]) }
            }
            if variables["DISPLAY"] != nil || variables["WAYLAND_DISPLAY"] != nil {
                facts.programs.append(.init(user: owner, variables: variables))
            }
        }
        return hasLogind
    }

    /// Returns the X server that a program is; `nil` if it is none.
    private func server(_ words: [String], in folder: String, of owner: UInt32) -> XServerProgram? {
        guard var server = XServerProgram(words) else { return nil }
        if user == 0 {
            // Whoever starts a set-user-ID program chooses its command line. Only root can read which program it is.
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: root + folder + "/exe")
            let removed = " (deleted)"
            let program = path.map { $0.hasSuffix(removed) ? String($0.dropLast(removed.count)) : $0 }
            guard let program, XServerProgram.isServer(program) else { return nil }
        }
        server.owner = owner
        return server
    }

    private func readDisplays(into facts: inout SessionFacts) {
        for name in names(in: "/tmp/.X11-unix") where name.hasPrefix("X") {
            guard let number = Int(name.dropFirst()), let owner = owner(of: "/tmp/.X11-unix/" + name) else { continue }
            // A server that was killed leaves its socket behind; the lock has its number.
            let lock = contents("/tmp/.X\(number)-lock").flatMap { String(decoding: $0, as: UTF8.self) }
            let server = lock?.split(whereSeparator: \.isWhitespace).first
            if let server, !FileManager.default.fileExists(atPath: root + "/proc/" + server) { continue }
            facts.displays[number] = owner
        }
    }

    // MARK: Files

    private func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: root + folder)) ?? []
    }

    private func owner(of path: String) -> UInt32? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: root + path)
        return (attributes?[.ownerAccountID] as? NSNumber)?.uint32Value
    }

    /// Reads the beginning of a file; `nil` if there is none. In /tmp any user may have put a link in its place, or a
    /// pipe that nobody writes to.
    private func contents(_ path: String) -> Data? {
        let descriptor = open(root + path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return try? file.read(upToCount: Self.mostBytes)
    }

    /// The words of a file that ends each with a zero, as /proc has command lines and variables.
    private func list(_ path: String) -> [String] {
        guard let data = contents(path) else { return [] }
        return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
}
