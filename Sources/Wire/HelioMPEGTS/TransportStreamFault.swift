/// What was wrong in a transport stream that was read, each with what it cost.
package enum TransportStreamFault: String, CaseIterable, Sendable {
    /// No packet begins where one has to: bytes were passed over up to one that may.
    case lostSync = "ts-lost-sync"
    /// A packet that its sender, or who passed it on, calls broken.
    case transportError = "ts-transport-error"
    /// A packet that is encrypted.
    case scrambled = "ts-scrambled"
    /// A packet whose adaptation field makes no sense.
    case malformedPacket = "ts-malformed-packet"
    /// Packets of a stream are missing.
    case discontinuity = "ts-discontinuity"
    /// A packet that came before; passed over.
    case duplicate = "ts-duplicate"
    /// A table's section that is cut short, or has no end.
    case malformedSection = "ts-malformed-section"
    /// A table whose checksum is wrong.
    case badChecksum = "ts-bad-checksum"
    /// A table that makes no sense.
    case malformedTable = "ts-malformed-table"
    /// A part of a unit whose beginning was not seen, as where one joins in.
    case headless = "ts-headless"
    /// A unit of which packets are missing.
    case damagedUnit = "ts-damaged-unit"
    /// A unit that is shorter or longer than it says.
    case wrongLength = "ts-wrong-length"
    /// A unit with more bytes than are kept.
    case tooLarge = "ts-too-large"
    /// A unit whose header makes no sense or tells no time.
    case malformedUnit = "ts-malformed-unit"
    /// A unit in which no picture, access unit or packet of the program's codec is, or not to its end.
    case malformedContent = "ts-malformed-content"
}
