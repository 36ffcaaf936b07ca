import HelioCore

/// A probe: a question, its answer, or the end of the bundle. Both ends ask on every link.
///
///     | kind 1 | uses 1 | number 8 | sent 4 | heard 8 | received 4 | choice 4 |
///
/// All numbers are big-endian.
struct LinkProbe: Hashable, Sendable {
    enum Kind: UInt8, Sendable {
        case ask = 1
        case answer = 2
        /// The sender has ended the bundle.
        case end = 3
        /// The answer to `end`.
        case ended = 4
    }

    /// The kinds of datagrams that the viewer wants on the link of this probe.
    struct Uses: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let media = Uses(rawValue: 1)
        static let control = Uses(rawValue: 2)

        init(rawValue: UInt8) { self.rawValue = rawValue }
        init(_ purpose: DatagramClass) { self = purpose == .media ? .media : .control }
    }

    static let size = 30

    var kind: Kind
    var uses: Uses = []
    /// An ask's own number, which only grows; an answer's: that of the ask.
    var number: UInt64
    /// The number of datagrams that the sender has sent on this link, this one included, modulo 2^32.
    var sent: UInt32
    /// The newest ask of the receiver that the sender has received on this link; 0 for none.
    var heard: UInt64
    /// The number of datagrams that the sender has received on this link, modulo 2^32.
    var received: UInt32
    /// The serial number of the viewer's choice of links, which dates `uses`.
    var choice: UInt32

    func serialised() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.size)
        bytes.append(kind.rawValue)
        bytes.append(uses.rawValue)
        bytes.append(bigEndian: number)
        bytes.append(bigEndian: sent)
        bytes.append(bigEndian: heard)
        bytes.append(bigEndian: received)
        bytes.append(bigEndian: choice)
        return bytes
    }

    /// Parses a probe; `nil` if its size or kind is invalid.
    static func parse(_ bytes: RawSpan) -> LinkProbe? {
        guard bytes.byteCount == size, let kind = bytes.uint8(at: 0).flatMap(Kind.init(rawValue:)),
            let uses = bytes.uint8(at: 1), let number = bytes.uint64(at: 2), let sent = bytes.uint32(at: 10),
            let heard = bytes.uint64(at: 14), let received = bytes.uint32(at: 22), let choice = bytes.uint32(at: 26)
        else { return nil }
        return LinkProbe(
            kind: kind, uses: Uses(rawValue: uses), number: number, sent: sent, heard: heard, received: received,
            choice: choice)
    }
}
