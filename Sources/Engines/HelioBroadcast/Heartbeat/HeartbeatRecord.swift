/// The content of a sender's heartbeat file: one line of ASCII.
///
/// ```
/// heliograph-heartbeat 1 RUN SEQUENCE TIME running|ended
/// ```
///
/// RUN is 16 hexadecimal digits that each sender chooses at random. SEQUENCE counts the sender's beats from 0. TIME is
/// the time of the beat in milliseconds since 1970. Both numbers are decimal, without leading zeros.
package struct HeartbeatRecord: Sendable, Hashable {
    /// The maximum size of a heartbeat file in bytes.
    package static let maximumSize = 128
    private static let start = "heliograph-heartbeat 1"

    package var run: UInt64
    package var sequence: UInt64
    package var milliseconds: Int64
    /// True for the last beat, which marks a clean end.
    package var isEnd: Bool

    package init(run: UInt64, sequence: UInt64, milliseconds: Int64, isEnd: Bool) {
        self.run = run
        self.sequence = sequence
        self.milliseconds = milliseconds
        self.isEnd = isEnd
    }

    /// Parses the content of a file. The result is `nil` for any content that ``bytes`` never produces.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumSize, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        let words = bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 6, let run = UInt64(words[2], radix: 16), let sequence = UInt64(words[3]),
            let milliseconds = Int64(words[4])
        else { return nil }
        self.init(run: run, sequence: sequence, milliseconds: milliseconds, isEnd: words[5] == "ended\n")
        guard self.bytes == bytes else { return nil }
    }

    /// The record as the content of a file.
    package var bytes: [UInt8] {
        let digits = String(run, radix: 16)
        let zeros = String(repeating: "0", count: 16 - digits.count)
        return Array(
            "\(Self.start) \(zeros)\(digits) \(sequence) \(milliseconds) \(isEnd ? "ended" : "running")\n".utf8)
    }
}
