import HelioCore
import HelioICE
import HelioPeer
import HelioProtection
import HelioSCTP
import HelioSDP
import HelioSTUN

/// A whole peer connection that is fed whatever comes, whenever it comes.
///
/// The first byte picks when (bits 0 ... 2: before any description ... with everything standing), who offers (bit 3),
/// whether it is lite (bit 4) and whether there is media (bit 5). The rest is cut into events: a byte that says what
/// it is (see `Event`) and, in its high bits, how long it took; a byte for its length divided by 4.
package enum PeerConnectionFuzz {
    static let host = TransportAddress(.v4(0xC000_0202), port: 5000)
    static let peer = TransportAddress(.v4(0xC000_0203), port: 6000)

    enum Stage: UInt8, Comparable {
        case new, described, agreed, checked, standing

        static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// What the rest of an event's bytes is.
    enum Event: UInt8 {
        /// A datagram, from where the peer is.
        case junk
        /// A datagram, from anywhere else.
        case strangersJunk
        /// Chunks of SCTP; tag, checksum and DTLS around them are right.
        case chunks
        /// A STUN message, which gets the codes that only the peer can make.
        case check
        /// A description: text as it is, or a genuine one with some of its text replaced.
        case description
        case candidate
        /// What this end's app does.
        case call
        /// Nothing: the peer goes on as it should.
        case time
    }

    package static func run(_ bytes: [UInt8]) {
        guard let mode = bytes.first else { return }
        var run = PeerFuzzRun(
            offers: mode & 8 != 0, isLite: mode & 16 != 0, hasMedia: mode & 32 != 0)
        run.reach(Stage(rawValue: mode & 7) ?? .standing)
        var offset = 1
        while offset + 1 < bytes.count {
            let end = min(bytes.count, offset + 2 + Int(bytes[offset + 1]) * 4)
            run.take(Event(rawValue: bytes[offset] & 7)!, Array(bytes[offset + 2..<end]), time: bytes[offset] >> 3)
            offset = end
        }
        run.end()
    }
}
