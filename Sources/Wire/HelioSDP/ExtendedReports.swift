/// `a=rtcp-xr:rcvr-rtt=all`: the kinds of extended reports that may be sent (RFC 3611 section 5.1).
///
/// The kind `rcvr-rtt`, which lets an end that sends no media measure the round trip, is the only one interpreted.
package struct ExtendedReports: AttributeValue {
    package static let attributeName = "rtcp-xr"
    /// The kinds as written, each with its value if it has one.
    package var formats: [String]

    /// The kind with which an end that only receives measures the round trip.
    package static let receiverRoundTrip = ExtendedReports(formats: ["rcvr-rtt=all"])

    /// True if an end that only receives may send its reference time and get an answer.
    package var hasReceiverRoundTrip: Bool {
        // A colon and the maximum size of a report, in bytes, may follow the value.
        formats.contains { $0 == "rcvr-rtt=all" || $0.hasPrefix("rcvr-rtt=all:") }
    }

    init(formats: [String]) { self.formats = formats }

    package init?(attributeValue: String?) {
        formats = attributeValue?.split(separator: " ", omittingEmptySubsequences: true).map { String($0) } ?? []
    }

    package var attributeValue: String? { formats.isEmpty ? nil : formats.joined(separator: " ") }
}
