import HelioCore
import HelioICE
import HelioPeer
import HelioProtection
import HelioSCTP
import HelioSDP
import HelioSTUN

/// Fuzzes a whole peer connection with anything, at any time.
///
/// The first byte picks when (bits 0 ... 2: before any description ... with everything standing), who offers (bit 3),
/// whether it is lite (bit 4), whether there is media (bit 5), TURN servers (bit 6), and no other path than through
/// these (bit 7; not if it is lite: an end that makes no checks gets no relay to let the peer's in). The rest is cut
/// into events: a byte that says what it is (see `Event`) and, in its upper half, how long it took; a byte for its
/// length divided by 4.
package enum PeerConnectionFuzz {
    static let host = TransportAddress(.v4(0xC000_0202), port: 5000)
    static let peer = TransportAddress(.v4(0xC000_0203), port: 6000)

    enum Stage: UInt8, Comparable {
        case new, described, agreed, checked, standing

        static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// The kind of an event: what the rest of its bytes is.
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
        /// A call by this end's app.
        case call
        /// Nothing: the peer goes on as it should.
        case time
        /// An event of a TURN server's connection (see `PeerFuzzRun.server`).
        case server
        /// RTP, or RTCP if bit 0 of the first byte is set, protected as the peer does.
        case media
        /// A frame of the peer's, of whose packets some are lost: bits of the first byte.
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
