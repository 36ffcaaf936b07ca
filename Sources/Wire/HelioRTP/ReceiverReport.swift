package import HelioCore

/// What a participant that sends nothing tells of the streams it hears (RFC 3550 section 6.4.2, PT 201).
package struct ReceiverReport: Sendable, Hashable {
    package var ssrc: SSRC
    /// At most 31.
    package var reports: [ReportBlock]

    package init(ssrc: SSRC, reports: [ReportBlock] = []) {
        self.ssrc = ssrc
        self.reports = reports
    }
}
