/// A kind of datagram that a bundle carries as it is. Each kind has an active link of its own.
///
/// The raw value is the first byte of the datagram on a link.
package enum DatagramClass: UInt8, Sendable, Hashable, CaseIterable {
    /// Sound and pictures with their feedback, already protected by SRTP.
    case media = 0xC0
    /// Control datagrams, already sealed and numbered by the session.
    case control = 0xC1
}
