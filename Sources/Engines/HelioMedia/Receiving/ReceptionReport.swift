/// The receiver's part of an RTCP report block (RFC 3550 section 6.4.1).
package struct ReceptionReport: Sendable, Hashable {
    /// The fraction of packets lost since the last report, in 256ths.
    package var fractionLost: UInt8
    /// The packets lost since the session began; 24 bits signed on the wire.
    package var cumulativeLost: Int32
    /// The highest sequence number, with the count of its wraps above the low 16 bits.
    package var highestSequence: UInt32
    /// The interarrival jitter in ticks of 90 kHz.
    package var jitter: UInt32
}
