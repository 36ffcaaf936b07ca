import HelioCore
import HelioICE
import HelioPeer
import HelioProtection
import HelioSCTP
import HelioSDP
import HelioSTUN

/// Fuzzes a complete peer connection with arbitrary events at arbitrary times.
///
/// The first byte selects the initial stage (bits 0 to 2, see `Stage`), the offerer (bit 3), ICE lite (bit 4), media
/// (bit 5), TURN servers (bit 6), and relayed paths only (bit 7; not with ICE lite, as an end that makes no checks
/// creates no permission for the peer). The rest is a sequence of events: a byte with the kind (see `Event`) and, in
/// its upper half, the delay; a byte for the length divided by 4; and the event's bytes.
package enum PeerConnectionFuzz {
    static let host = TransportAddress(.v4(0xC000_0202), port: 5000)
    static let peer = TransportAddress(.v4(0xC000_0203), port: 6000)

    enum Stage: UInt8, Comparable {
        case new, described, agreed, checked, standing

        static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// The kind of an event, which determines how its bytes are used.
    enum Event: UInt8 {
        /// A datagram from the peer's address.
        case junk
        /// A datagram from any other address.
        case strangersJunk
        /// SCTP chunks, in a packet with a correct verification tag and checksum, inside DTLS.
        case chunks
        /// A STUN message, to which a valid MESSAGE-INTEGRITY of the peer is added.
        case check
        /// A session description: the bytes as they are, or a genuine description in which they replace a part.
        case description
        case candidate
        /// An API call of the app at this end.
        case call
        /// No event; time passes, and the peer continues correctly.
        case time
        /// An event of a TURN server's connection (see `PeerFuzzRun.serve`).
        case server
        /// An RTP packet, or RTCP if bit 0 of the first byte is set, protected with the peer's keys.
        case media
        /// A frame from the peer; the bits of the first byte select which packets are lost.
        case peerVideo
    }

    package static func run(_ bytes: [UInt8]) {
        guard let mode = bytes.first else { return }
        var run = PeerFuzzRun(
            offers: mode & 8 != 0, isLite: mode & 16 != 0, hasMedia: mode & 32 != 0, hasRelays: mode & 64 != 0,
            usesRelaysOnly: mode & 0b1101_0000 == 0b1100_0000)
        run.reach(Stage(rawValue: mode & 7) ?? .standing)
        var steps = FuzzSteps(bytes, from: 1)
        while let (what, length) = steps.next() {
            run.take(Event(rawValue: what & 15) ?? .time, steps.takeBytes(length * 4), time: what >> 4)
        }
        run.end()
    }
}
