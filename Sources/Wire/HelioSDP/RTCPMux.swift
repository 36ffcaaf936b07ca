/// `a=rtcp-mux`: RTP and RTCP share one port (RFC 5761 section 5.1.1).
package struct RTCPMux: FlagAttribute {
    package static let attributeName = "rtcp-mux"
    package init() {}
}
