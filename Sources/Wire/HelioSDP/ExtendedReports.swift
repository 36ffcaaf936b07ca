/// `a=rtcp-xr:rcvr-rtt=all`: the kinds of extended reports that may be sent (RFC 3611 section 5.1).
///
/// Of these, only the one that lets an end which sends no media learn the round trip is told apart.
package struct ExtendedReports: AttributeValue {
    package static let attributeName = "rtcp-xr"
    /// The kinds as they are written, each perhaps with a value.
    package var formats: [String]

    /// The kind by which an end that only receives learns the round trip.
    package static let receiverRoundTrip = ExtendedReports(formats: ["rcvr-rtt=all"])

    /// True where an end that only receives may tell its time and have it answered.
    package var hasReceiverRoundTrip: Bool {
        // A size may follow, of a report that answers many.
        formats.contains { $0 == "rcvr-rtt=all" || $0.hasPrefix("rcvr-rtt=all:") }
    }

    init(formats: [String]) { self.formats = formats }

    package init?(attributeValue: String?) {
        formats = attributeValue?.split(separator: " ", omittingEmptySubsequences: true).map { String($0) } ?? []
    }

    package var attributeValue: String? { formats.isEmpty ? nil : formats.joined(separator: " ") }
}
