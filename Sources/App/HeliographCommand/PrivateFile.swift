private import ArgumentParser
private import Foundation
private import HelioCore
private import HelioStores

/// Reads and writes files with secrets. A written file is readable by its owner only, from its creation on.
enum PrivateFile {
    /// - Parameter option: the option that names the file, for the error message.
    static func read(_ path: String, of option: String) throws -> String {
        do throws(HelioError) {
            return try PrivatePaths.read(path)
        } catch {
            throw ValidationError("\(option): \(error.message)")
        }
    }

    static func write(_ text: String, to path: String) throws {
        let temporary = path + ".new"
        _ = unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard file >= 0 else {
            throw failure(path)
        }
        defer { close(file) }
        try FileHandle(fileDescriptor: file).write(contentsOf: Data(text.utf8))
        guard rename(temporary, path) == 0 else {
            throw failure(path)
        }
    }

    private static func failure(_ path: String) -> ValidationError {
        let reason = String(cString: strerror(errno))
        return ValidationError(
            "\(path) can't be written (\(reason)): name a file in a folder that is there, and yours.")
    }
}
