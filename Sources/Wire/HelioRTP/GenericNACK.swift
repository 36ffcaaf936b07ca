package import HelioCore

/// A Generic NACK: the packets that a receiver is missing (RFC 4585 section 6.2.1, PT 205, FMT 1).
///
/// ```
/// |    packet ID (16)    | bitmask of the 16 packets after it (16) |
/// ```
package struct GenericNACK: Sendable, Hashable {
    /// Up to 17 missing packets.
    package struct Entry: Sendable, Hashable {
        package var packetID: UInt16
        /// Bit *i* is set if the packet `packetID + i + 1` is missing.
        package var following: UInt16

        package init(packetID: UInt16, following: UInt16) {
            self.packetID = packetID
            self.following = following
        }
    }

    /// The maximum number of entries; a longer list is refused. 256 entries cover more than a round trip's loss.
    package static let maximumEntries = 256

    package var sender: SSRC
    package var media: SSRC
    package var entries: [Entry]

    package init(sender: SSRC, media: SSRC, entries: [Entry]) {
        self.sender = sender
        self.media = media
        self.entries = entries
    }

    /// Packs missing sequence numbers, which have to be in sending order, even if they wrap. Numbers beyond
    /// `maximumEntries` entries are left out.
    package init(sender: SSRC, media: SSRC, lost: some Sequence<UInt16>) {
        self.init(sender: sender, media: media, entries: [])
        for sequence in lost {
            let distance = entries.last.map { sequence &- $0.packetID } ?? .max
            switch distance {
            case 0: continue
            case 1...16: entries[entries.count - 1].following |= 1 << (distance - 1)
            default:
                guard entries.count < Self.maximumEntries else { return }
                entries.append(Entry(packetID: sequence, following: 0))
            }
        }
    }

    /// Every missing sequence number, entry by entry.
    package var lost: [UInt16] {
        var result: [UInt16] = []
        for entry in entries {
            result.append(entry.packetID)
            for bit in 0..<UInt16(16) where entry.following >> bit & 1 == 1 {
                result.append(entry.packetID &+ bit &+ 1)
            }
        }
        return result
    }
}
