package import HelioCore

/// A burst that is sent to see what the path carries: data that waits, and padding for the rest.
package struct Probe: Sendable, Hashable {
    package var id: UInt32
    /// The rate at which its packets leave.
    package var rate: Bitrate
    /// The bytes that it takes at least.
    package var bytes: Int
    /// The packets that it takes at least.
    package var packets: Int

    package init(id: UInt32, rate: Bitrate, bytes: Int, packets: Int) {
        self.id = id
        self.rate = rate
        self.bytes = bytes
        self.packets = packets
    }
}
