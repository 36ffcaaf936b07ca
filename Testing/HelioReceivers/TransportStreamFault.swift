/// A fault in a received transport stream; the raw value is the name of a drop counter.
package enum TransportStreamFault: String, CaseIterable, Sendable {
    /// No packet begins where one has to: bytes are skipped up to the next sync byte.
    case lostSync = "ts-lost-sync"
    /// A packet that its sender, or a relay on the way, has marked as broken.
    case transportError = "ts-transport-error"
    /// A packet that is encrypted.
    case scrambled = "ts-scrambled"
    /// A packet whose header or adaptation field is invalid.
    case malformedPacket = "ts-malformed-packet"
    /// Packets of a stream are missing.
    case discontinuity = "ts-discontinuity"
    /// A packet that was received before; ignored.
    case duplicate = "ts-duplicate"
    /// A section of a table that is truncated, or has no end.
    case malformedSection = "ts-malformed-section"
    /// A table whose checksum is wrong.
    case badChecksum = "ts-bad-checksum"
    /// A table with invalid contents.
    case malformedTable = "ts-malformed-table"
    /// A part of a unit whose beginning is missing, as when joining a running stream.
    case headless = "ts-headless"
    /// A unit with missing packets.
    case damagedUnit = "ts-damaged-unit"
    /// A unit that is shorter or longer than its header states.
    case wrongLength = "ts-wrong-length"
    /// A unit with more bytes than are buffered.
    case tooLarge = "ts-too-large"
    /// A unit whose header is invalid or has no time.
    case malformedUnit = "ts-malformed-unit"
    /// A unit without a picture, or without complete access units or packets of the program's codec.
    case malformedContent = "ts-malformed-content"
}
