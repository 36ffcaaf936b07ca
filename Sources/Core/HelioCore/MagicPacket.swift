/// The content of a datagram that wakes a sleeping machine by Wake-on-LAN: 6 bytes FF, then the hardware address of its
/// interface 16 times (AMD, "Magic Packet Technology", publication 20213). There is no password behind it.
package enum MagicPacket {
    /// The UDP port that packets are sent to, discard (RFC 863). The interface finds the content in any frame.
    package static let port: UInt16 = 9
    /// The length of a packet in bytes.
    package static let length = 6 + repetitions * HardwareAddress.length
    private static let repetitions = 16

    /// Returns the packet for the interface with an address.
    package static func bytes(for address: HardwareAddress) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xFF, count: 6)
        bytes.reserveCapacity(length)
        for _ in 0..<repetitions { bytes += address.bytes }
        return bytes
    }

    /// Returns the address in a packet; `nil` for anything else.
    package static func address(in packet: some Collection<UInt8>) -> HardwareAddress? {
        guard packet.count == length,
            let address = HardwareAddress(packet.dropFirst(6).prefix(HardwareAddress.length)),
            packet.elementsEqual(bytes(for: address))
        else { return nil }
        return address
    }
}
