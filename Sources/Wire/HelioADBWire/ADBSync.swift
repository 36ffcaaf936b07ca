private import HelioCore

/// Messages of a transfer of files, to the device.
///
/// ```
/// | STAT, SEND, DATA, DONE or QUIT | length or time 4, little-endian | bytes |
/// ```
///
/// A file is sent as `SEND` with its path and mode, `DATA` for each piece, and `DONE` with its time. Source: AOSP,
/// platform/packages/modules/adb, SYNC.TXT.
package enum ADBSync {
    /// The longest piece of a file that devices take, in bytes.
    package static let longestPiece = 64 << 10
    /// The longest path, in bytes.
    package static let longestPath = 1024

    package static func status(of path: String) -> [UInt8] { message("STAT", Array(path.utf8)) }

    /// Sends a whole file.
    ///
    /// - Parameters:
    ///   - mode: the permissions, such as 0o644.
    ///   - time: the file's time, in seconds since 1970.
    package static func send(_ file: [UInt8], to path: String, mode: UInt32, time: UInt32) -> [UInt8] {
        // Decimal digits of the mode with the bit of a regular file, 0o100000.
        var bytes = message("SEND", Array("\(path),\(mode | 0o100000)".utf8))
        bytes.reserveCapacity(bytes.count + file.count + 8 * (file.count / longestPiece + 2))
        var start = 0
        while start < file.count {
            let end = min(file.count, start + longestPiece)
            bytes += header("DATA", UInt32(end - start))
            bytes += file[start..<end]
            start = end
        }
        return bytes + header("DONE", time)
    }

    package static var quit: [UInt8] { header("QUIT", 0) }

    private static func message(_ word: StaticString, _ body: [UInt8]) -> [UInt8] {
        header(word, UInt32(body.count)) + body
    }

    private static func header(_ word: StaticString, _ number: UInt32) -> [UInt8] {
        var bytes = Array(word.description.utf8)
        bytes.append(littleEndian: number)
        return bytes
    }
}
