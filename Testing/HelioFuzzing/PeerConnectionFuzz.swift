import HelioCore
import HelioICE
import HelioPeer
import HelioProtection
import HelioSCTP
import HelioSDP
import HelioSTUN

/// Fuzzes a whole peer connection with any events, at any time.
///
/// The first byte selects the start (bits 0 to 2: from before any description to a working connection), the offerer
/// (bit 3), ICE lite (bit 4), media (bit 5), TURN servers (bit 6), and relays as the only paths (bit 7; not with ICE
/// lite: an end that makes no checks creates no permission for the peer). The rest is split into events: a byte that
/// selects the kind (see `Event`) and, in its upper half, the delay; a byte for the length divided by 4.
package enum PeerConnectionFuzz {
    static let host = TransportAddress(.v4(0xC000_0202), port: 5000)
    static let peer = TransportAddress(.v4(0xC000_0203), port: 6000)

    enum Stage: UInt8, Comparable {
        case new, described, agreed, checked, standing

        static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// The kind of an event, which determines the meaning of its bytes.
    enum Event: UInt8 {
        /// A datagram from the peer's address.
        case junk
        /// A datagram from any other address.
        case strangersJunk
        /// Chunks of SCTP, with correct tag, checksum and DTLS around them.
        case chunks
        /// A STUN message, to which the peer's valid integrity is added.
        case check
        /// A description: the text as it is, or a genuine one with a part replaced.
        case description
        case candidate
        /// A call by this end's app.
        case call
        /// No event: the peer continues as it should.
        case time
        /// An event of a TURN server's connection (see `PeerFuzzRun.server`).
        case server
        /// RTP, or RTCP if bit 0 of the first byte is set, protected with the peer's keys.
        case media
        /// A frame from the peer, with packets lost as the bits of the first byte say.
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
