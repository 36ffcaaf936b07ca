package import HelioCore

/// A sender's clock and counts (RFC 3550 section 6.4.1, PT 200).
package struct SenderReport: Sendable, Hashable {
    package var ssrc: SSRC
    /// Seconds and their 2^32nd parts, on the source's clock (RFC 3550 section 4).
    package var ntpTime: UInt64
    /// The same instant as RTP timestamp.
    package var rtpTimestamp: UInt32
    package var packetCount: UInt32
    /// Of payload alone.
    package var octetCount: UInt32
    /// At most 31.
    package var reports: [ReportBlock]

    package init(
        ssrc: SSRC, ntpTime: UInt64, rtpTimestamp: UInt32, packetCount: UInt32, octetCount: UInt32,
        reports: [ReportBlock] = []
    ) {
        self.ssrc = ssrc
        self.ntpTime = ntpTime
        self.rtpTimestamp = rtpTimestamp
        self.packetCount = packetCount
        self.octetCount = octetCount
        self.reports = reports
    }
}
