/// The receiver's part of an RTCP report block (RFC 3550 section 6.4.1).
package struct ReceptionReport: Sendable, Hashable {
    /// Of the packets since the last report, in 256ths.
    package var fractionLost: UInt8
    /// Since the session began; 24 bits signed on the wire.
    package var cumulativeLost: Int32
    /// The highest sequence number and, above 16 bits, how often it has wrapped.
    package var highestSequence: UInt32
    /// Ticks of 90 kHz.
    package var jitter: UInt32
}
