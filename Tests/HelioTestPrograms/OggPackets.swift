/// Extracts the packets of an Ogg file with one stream (RFC 3533 section 6).
package enum OggPackets {
    /// Returns all packets, including the two headers of an Opus file (RFC 7845).
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
