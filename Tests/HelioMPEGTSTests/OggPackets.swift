import HelioCore

/// The packets of the one stream in an Ogg file (RFC 3533 section 6): each page tells the sizes of its pieces, and a
/// piece of less than 255 bytes ends a packet.
enum OggPackets {
    static func read(_ file: [UInt8]) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var packet: [UInt8] = []
        var page = 0
        while page + 27 <= file.count {
            let sizes = file[page + 27..<page + 27 + Int(file[page + 26])]
            var offset = sizes.endIndex
            for size in sizes {
                packet += file[offset..<offset + Int(size)]
                offset += Int(size)
                guard size < 255 else { continue }
                packets.append(packet)
                packet = []
            }
            page = offset
        }
        return packets
    }
}
