/// Parses FFmpeg's `framemd5` output of pictures or packets.
package enum FrameDigests {
    package static func parse(_ text: some Collection<UInt8>) -> [String] {
        parse(String(decoding: text, as: UTF8.self))
    }

    /// Returns the digests of the first stream from a program's output, ignoring other lines.
    package static func parse(_ text: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("0,") }
            .compactMap { line in
                // Side data may follow.
                let columns = line.split(separator: ",")
                return columns.count > 5 ? String(columns[5].drop { $0 == " " }) : nil
            }
    }
}
