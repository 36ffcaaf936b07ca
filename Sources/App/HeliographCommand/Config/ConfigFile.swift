private import ArgumentParser
private import Foundation
private import HelioCore
private import HelioStores
internal import HelioTOML
private import HelioViewing

/// The configuration file.
struct ConfigFile {
    /// The environment variable that names another file; `off` stands for none.
    static let variable = "HELIOGRAPH_CONFIG"

    let path: String
    let document: TOMLDocument

    /// The value of the variable; empty if it is not set.
    private static var named: String { ProcessInfo.processInfo.environment[variable] ?? "" }

    /// The path of the file, which need not be there; `nil` if none is wanted.
    static var path: String? {
        if named.isEmpty { return HeliographHome.configurationFile }
        return named.lowercased() == "off" ? nil : named
    }

    /// True if there is a file that a command has to read, or one should be there, as the variable names it.
    static var isWanted: Bool { exists || path == named }

    /// True if there is a file to read.
    static var exists: Bool { path.map { FileManager.default.fileExists(atPath: $0) } ?? false }

    /// Reads the file; `nil` if there is none. Throws a sentence with the file and the line if it can't be read.
    ///
    /// - Parameter mustExist: true if a file that the variable names has to be there.
    static func read(mustExist: Bool = false) throws -> ConfigFile? {
        guard let path, mustExist ? isWanted : exists else { return nil }
        let limit = TOMLLimits().bytes
        let text: String
        do throws(HelioError) {
            text = try PrivatePaths.read(path, limit: limit, mayBeRead: true)
        } catch {
            throw ValidationError("\(error.message) It is the configuration file: see 'heliograph config'.")
        }
        return ConfigFile(path: path, document: try parse(Array(text.utf8), of: path))
    }

    /// Parses a text as the contents of the file.
    static func parse(_ bytes: [UInt8], of path: String) throws -> TOMLDocument {
        do throws(TOMLError) {
            return try TOMLDocument(parsing: bytes)
        } catch {
            throw ValidationError("\(path), line \(error.line): \(error.sentence)")
        }
    }

    /// Writes the file, in one step, and its folder if there is none. A link stays, and leads to the new file.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let folder = file.deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ValidationError("The folder \(folder) can't be made: \(error.localizedDescription)")
        }
        try PrivateFile.write(String(decoding: bytes, as: UTF8.self), to: file.path)
    }
}
