/// `a=rtcp-rsize`: RTCP that is no compound packet is understood (RFC 5506 section 5).
package struct RTCPReducedSize: FlagAttribute {
    package static let attributeName = "rtcp-rsize"
    package init() {}
}
