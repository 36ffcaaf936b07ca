/// A fault in a received transport stream; the raw value is the name of a drop counter.
package enum TransportStreamFault: String, CaseIterable, Sendable {
    /// The sync byte of a packet is missing; bytes are skipped up to the next sync byte.
    case lostSync = "ts-lost-sync"
    /// A packet with `transport_error_indicator`, set by the sender or a relay.
    case transportError = "ts-transport-error"
    /// A packet whose payload is scrambled (`transport_scrambling_control`).
    case scrambled = "ts-scrambled"
    /// A packet whose header or adaptation field is invalid.
    case malformedPacket = "ts-malformed-packet"
    /// Packets of a stream are missing.
    case discontinuity = "ts-discontinuity"
    /// A packet with the same counter as the previous one, which is ignored as a duplicate.
    case duplicate = "ts-duplicate"
    /// A section of a table that is truncated, or has no end.
    case malformedSection = "ts-malformed-section"
    /// A table whose checksum is wrong.
    case badChecksum = "ts-bad-checksum"
    /// A PAT or PMT with invalid contents.
    case malformedTable = "ts-malformed-table"
    /// A part of a PES packet whose start is missing, as after joining a running stream.
    case headless = "ts-headless"
    /// A PES packet of which transport packets are missing.
    case damagedUnit = "ts-damaged-unit"
    /// A PES packet that is shorter or longer than its header states.
    case wrongLength = "ts-wrong-length"
    /// A PES packet that is larger than the limit of the buffer.
    case tooLarge = "ts-too-large"
    /// A PES packet whose header is invalid or has no timestamp.
    case malformedUnit = "ts-malformed-unit"
    /// A PES packet without a picture, or without complete sound access units or packets of the program's codec.
    case malformedContent = "ts-malformed-content"
}
