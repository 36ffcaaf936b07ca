import Glibc

/// The installed sessions on X11 that the log-in screen offers.
enum X11Sessions {
    /// The maximum number of session files that are read, and of bytes of each.
    private static let mostSessions = 32, mostBytes = 16384

    /// Returns the sessions' names, sorted by file name. A session is left out if one on Wayland has the same file name, as
    /// a log-in screen then offers only the one on Wayland.
    ///
    /// - Parameters:
    ///   - folder: the folder in which log-in managers find sessions on X11.
    ///   - waylandFolder: the one in which they find sessions on Wayland.
    static func names(
        in folder: String = "/usr/share/xsessions", but waylandFolder: String = "/usr/share/wayland-sessions"
    ) -> [String] {
        let taken = Set(files(in: waylandFolder))
        return files(in: folder).filter { !taken.contains($0) }.prefix(mostSessions)
            .compactMap { name(ofSession: "\(folder)/\($0)") }
    }

    private static func files(in folder: String) -> [String] {
        guard let list = opendir(folder) else { return [] }
        defer { closedir(list) }
        var names: [String] = []
        while let entry = readdir(list) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".desktop") { names.append(name) }
        }
        return names.sorted()
    }

    /// Returns the name in a session's file, its first key `Name` (Desktop Entry Specification 1.5); `nil` if it has
    /// none or is hidden.
    private static func name(ofSession path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        let text = String(
            unsafeUninitializedCapacity: mostBytes, initializingUTF8With: { fread($0.baseAddress, 1, mostBytes, file) })
        let lines = text.split(whereSeparator: \.isNewline)
        if lines.contains("Hidden=true") || lines.contains("NoDisplay=true") { return nil }
        return lines.first { $0.hasPrefix("Name=") }.map { String($0.dropFirst("Name=".count)) }
    }
}
