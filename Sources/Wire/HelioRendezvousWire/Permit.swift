import HelioCore

/// A permit to ring a host, which the host publishes at the rendezvous.
package struct Permit: Hashable, Sendable {
    /// The size of a permit in a frame, in bytes.
    static let size = RingTag.length + 4

    package var tag: RingTag
    /// The time until the permit expires, in seconds from its publication; 0 if it does not expire.
    package var seconds: UInt32

    package init(tag: RingTag, seconds: UInt32) {
        self.tag = tag
        self.seconds = seconds
    }

    init(_ bytes: RawSpan, _ offset: inout FrameOffset) throws(RendezvousWireError) {
        tag = try RingTag(bytes, &offset)
        seconds = try bytes.take32(&offset)
    }

    func append(to bytes: inout [UInt8]) {
        bytes += tag.bytes
        bytes.append(bigEndian: seconds)
    }
}
