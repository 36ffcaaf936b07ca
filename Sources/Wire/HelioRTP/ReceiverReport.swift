package import HelioCore

/// A receiver report: the reports of a participant that sends no media (RFC 3550 section 6.4.2, PT 201).
package struct ReceiverReport: Sendable, Hashable {
    package var ssrc: SSRC
    /// The report blocks, at most 31.
    package var reports: [ReportBlock]

    package init(ssrc: SSRC, reports: [ReportBlock] = []) {
        self.ssrc = ssrc
        self.reports = reports
    }
}
