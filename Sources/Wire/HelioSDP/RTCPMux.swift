/// `a=rtcp-mux`: RTP and RTCP share one port (RFC 5761 section 5.1.1).
package struct RTCPMux: AttributeValue {
    package static let attributeName = "rtcp-mux"

    package init() {}
    package init?(attributeValue: String?) {
        guard attributeValue == nil else { return nil }
    }
    package var attributeValue: String? { nil }
}
