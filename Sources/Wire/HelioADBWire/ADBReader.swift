private import HelioCore

/// The answer to a request.
package enum ADBStatus: Sendable, Hashable {
    case okay
    /// The request failed; the reason is a sentence of adb's, at most 64 kB long.
    case fail(String)
}

/// Reads a connection to adb's server, regardless of how its bytes were split in transit.
///
/// The caller knows what has to come next, as each request has its own kind of answer: it asks for a status, a block,
/// or an answer of a transfer, and gets `nil` until all of its bytes have arrived. `takeRest` gives the raw bytes of a
/// service.
package struct ADBReader: Sendable {
    /// The longest block: the longest length that 4 digits state, in bytes.
    package static let longestBlock = 0xFFFF
    /// The longest reason of a failed transfer that is kept, in bytes.
    package static let longestReason = 4096

    private var buffer: [UInt8] = []
    private var start = 0

    package init() {}

    package var bufferedByteCount: Int { buffer.count - start }

    package mutating func append(_ bytes: [UInt8]) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Reads `OKAY`, or `FAIL` with its reason.
    package mutating func takeStatus() throws(ADBWireError) -> ADBStatus? {
        guard let word = word() else { return nil }
        switch word {
        case "OKAY":
            start += 4
            return .okay
        case "FAIL":
            guard let (text, end) = try block(at: start + 4) else { return nil }
            start = end
            return .fail(String(decoding: text, as: UTF8.self))
        default: throw .unknownStatus
        }
    }

    /// Reads a block: 4 digits of length, and as many bytes.
    package mutating func takeBlock() throws(ADBWireError) -> [UInt8]? {
        guard let (bytes, end) = try block(at: start) else { return nil }
        start = end
        return bytes
    }

    /// Reads the answer to a `STAT` of a transfer: the file's mode, its size in bytes and its time, in seconds since
    /// 1970; a mode of 0 means that there is no such file.
    package mutating func takeFileStatus() throws(ADBWireError) -> (mode: UInt32, size: UInt32, time: UInt32)? {
        guard let word = word() else { return nil }
        guard word == "STAT" else { throw .unexpectedAnswer }
        guard bufferedByteCount >= 16 else { return nil }
        let fields = [4, 8, 12].map { little(at: start + $0) }
        start += 16
        return (fields[0], fields[1], fields[2])
    }

    /// Reads the answer to a sent file.
    package mutating func takeTransferStatus() throws(ADBWireError) -> ADBStatus? {
        guard let word = word() else { return nil }
        guard word == "OKAY" || word == "FAIL" else { throw .unexpectedAnswer }
        guard bufferedByteCount >= 8 else { return nil }
        let length = Int(little(at: start + 4))
        if word == "OKAY" {
            start += 8
            return .okay
        }
        guard length <= Self.longestReason else { throw .wrongLength }
        guard bufferedByteCount >= 8 + length else { return nil }
        let text = String(decoding: buffer[start + 8..<start + 8 + length], as: UTF8.self)
        start += 8 + length
        return .fail(text)
    }

    /// Gives out all buffered bytes.
    package mutating func takeRest() -> [UInt8] {
        defer {
            buffer = []
            start = 0
        }
        return start == 0 ? buffer : Array(buffer[start...])
    }

    private func word() -> String? {
        guard bufferedByteCount >= 4 else { return nil }
        return String(decoding: buffer[start..<start + 4], as: UTF8.self)
    }

    private func little(at offset: Int) -> UInt32 { (buffer.span.bytes.uint32(at: offset) ?? 0).byteSwapped }

    private func block(at offset: Int) throws(ADBWireError) -> ([UInt8], end: Int)? {
        guard buffer.count >= offset + 4 else { return nil }
        guard let length = ADBHexadecimal.number(in: buffer.span.bytes, at: offset) else { throw .wrongLength }
        guard let bytes = buffer.span.bytes.bytes(at: offset + 4, count: length) else { return nil }
        return (bytes, offset + 4 + length)
    }
}
