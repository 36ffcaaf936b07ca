/// The packets in an Ogg file of one stream (RFC 3533 section 6).
package enum OggPackets {
    /// All of them, the two of an Opus file's head (RFC 7845) among them.
    package static func parse(_ file: [UInt8]) -> [[UInt8]] {
        var (packets, open): ([[UInt8]], [UInt8]) = ([], [])
        var offset = 0
        while offset + 27 <= file.count {
            let sizes = file[offset + 27..<offset + 27 + Int(file[offset + 26])]
            offset += 27 + sizes.count
            for size in sizes {
                open += file[offset..<offset + Int(size)]
                offset += Int(size)
                guard size < 255 else { continue }
                packets.append(open)
                open = []
            }
        }
        return packets
    }
}
