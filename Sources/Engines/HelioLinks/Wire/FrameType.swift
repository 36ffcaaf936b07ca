/// The first byte of a datagram on a link.
enum FrameType: UInt8 {
    case media = 0xC0
    case control = 0xC1
    /// A sealed SCTP packet of the stream.
    case stream = 0xC2
    /// A sealed probe.
    case probe = 0xC3
}
