internal import ArgumentParser
private import Foundation

/// User name and password for TURN servers, from a file: never on the command line, which others can read.
enum TURNCredentialsFile {
    private static let mostBytes = 4096

    static func read(_ path: String) throws -> (username: String, password: String) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue,
            (attributes[.size] as? NSNumber)?.intValue ?? 0 <= mostBytes,
            let text = try? String(contentsOfFile: path, encoding: .utf8)
        else {
            throw ValidationError(
                "--turn-credentials \(path): there is no such file, it is too large, or it can't be read.")
        }
        guard mode & 0o077 == 0 else {
            throw ValidationError(
                "--turn-credentials \(path): other users of this machine can read it. Keep it to yourself: chmod 600.")
        }
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        if lines.count == 2 { return (lines[0], lines[1]) }
        if lines.count == 1, let colon = lines[0].firstIndex(of: ":"), colon != lines[0].startIndex {
            return (String(lines[0][..<colon]), String(lines[0][lines[0].index(after: colon)...]))
        }
        throw ValidationError(
            "--turn-credentials \(path): give user name and password on two lines, or one line USER:PASSWORD.")
    }
}
