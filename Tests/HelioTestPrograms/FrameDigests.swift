/// What FFmpeg's `framemd5` says of pictures or packets.
package enum FrameDigests {
    package static func parse(_ text: some Collection<UInt8>) -> [String] {
        parse(String(decoding: text, as: UTF8.self))
    }

    /// The digests of the first stream, from what a program has said among other things.
    package static func parse(_ text: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("0,") }
            .compactMap { line in
                // What is told beside a packet may follow.
                let columns = line.split(separator: ",")
                return columns.count > 5 ? String(columns[5].drop { $0 == " " }) : nil
            }
    }
}
