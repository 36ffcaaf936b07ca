package import HelioCore

/// A sender report: a sender's clock and counts (RFC 3550 section 6.4.1, PT 200).
package struct SenderReport: Sendable, Hashable {
    package var ssrc: SSRC
    /// The NTP timestamp on the source's clock: seconds, and their fraction in 2^-32 (RFC 3550 section 4).
    package var ntpTime: UInt64
    /// The same instant as an RTP timestamp.
    package var rtpTimestamp: UInt32
    package var packetCount: UInt32
    /// The number of payload bytes sent, without headers and padding.
    package var octetCount: UInt32
    /// The report blocks, at most 31.
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
