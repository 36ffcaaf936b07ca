/// The hardware (MAC) address of one network interface, 6 bytes.
public struct HardwareAddress: Hashable, Sendable {
    /// The length of an address in bytes.
    public static let length = 6
    /// The length of its text, in bytes.
    public static let textLength = 17

    /// The address: 6 bytes in the order of its text.
    public let bytes: [UInt8]

    /// Makes an address; `nil` if it is not 6 bytes, or can't belong to one interface: groups' addresses, which
    /// broadcast is among, and zero.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length, let first = bytes.first, first & 1 == 0, bytes.contains(where: { $0 != 0 })
        else { return nil }
        self.bytes = Array(bytes)
    }

    /// Parses pairs of hexadecimal digits with colons between them, in upper or lower case: `52:54:00:12:34:56`.
    public init?(_ text: some StringProtocol) {
        let pairs = text.split(separator: ":", omittingEmptySubsequences: false)
        guard pairs.count == Self.length, pairs.allSatisfy({ $0.utf8.count == 2 }),
            let bytes = Hexadecimal.bytes(pairs.joined())
        else { return nil }
        self.init(bytes)
    }
}

extension HardwareAddress: CustomStringConvertible {
    /// The form that `init(_: StringProtocol)` parses, in lower case.
    public var description: String { bytes.map { Hexadecimal.text([$0]) }.joined(separator: ":") }
}
