package import HelioCore

/// A burst sent to measure the path's rate: queued data, and padding for the rest.
package struct Probe: Sendable, Hashable {
    package var id: UInt32
    /// The rate at which the probe's packets leave.
    package var rate: Bitrate
    /// The minimum number of bytes to send.
    package var bytes: Int
    /// The minimum number of packets to send.
    package var packets: Int

    package init(id: UInt32, rate: Bitrate, bytes: Int, packets: Int) {
        self.id = id
        self.rate = rate
        self.bytes = bytes
        self.packets = packets
    }
}
