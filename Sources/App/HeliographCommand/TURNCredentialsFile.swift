internal import ArgumentParser
private import Foundation

/// Reads the credentials for TURN servers from files, because other users can read the command line.
enum TURNCredentialsFile {
    /// Reads the secret that is shared with TURN servers, the only line of its file.
    ///
    /// - Parameter option: the option that names the file, for the error message.
    static func readSecret(_ path: String, of option: String = "--turn-secret") throws -> String {
        let text = try PrivateFile.read(path, of: option)
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        guard lines.count == 1 else {
            throw ValidationError("\(option) \(path): give the secret alone, on one line.")
        }
        return lines[0]
    }

    static func read(_ path: String) throws -> (username: String, password: String) {
        let text = try PrivateFile.read(path, of: "--turn-credentials")
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        if lines.count == 2 { return (lines[0], lines[1]) }
        if lines.count == 1, let colon = lines[0].firstIndex(of: ":"), colon != lines[0].startIndex {
            return (String(lines[0][..<colon]), String(lines[0][lines[0].index(after: colon)...]))
        }
        throw ValidationError(
            "--turn-credentials \(path): give user name and password on two lines, or one line USER:PASSWORD.")
    }
}
