/// An attribute without a value: its presence is the information.
package protocol FlagAttribute: AttributeValue {
    init()
}

extension FlagAttribute {
    package init?(attributeValue: String?) {
        guard attributeValue == nil else { return nil }
        self.init()
    }
    package var attributeValue: String? { nil }
}

/// `a=bundle-only`: a section with port 0 is not rejected, but offered only as part of its bundle (RFC 9143 section 6).
package struct BundleOnly: FlagAttribute {
    package static let attributeName = "bundle-only"
    package init() {}
}

/// `a=end-of-candidates`: no more trickled candidates will be sent (RFC 8840 section 8.2).
package struct EndOfCandidates: FlagAttribute {
    package static let attributeName = "end-of-candidates"
    package init() {}
}

/// `a=extmap-allow-mixed`: a stream may mix header extensions of both forms (RFC 8285 section 6).
package struct ExtensionMapAllowMixed: FlagAttribute {
    package static let attributeName = "extmap-allow-mixed"
    package init() {}
}

/// `a=ice-lite`, of the session: this end only answers connectivity checks (RFC 8839 section 5.3).
package struct ICELite: FlagAttribute {
    package static let attributeName = "ice-lite"
    package init() {}
}

/// `a=rtcp-mux`: RTP and RTCP share one port (RFC 5761 section 5.1.1).
package struct RTCPMux: FlagAttribute {
    package static let attributeName = "rtcp-mux"
    package init() {}
}

/// `a=rtcp-rsize`: reduced-size RTCP is supported (RFC 5506 section 5).
package struct RTCPReducedSize: FlagAttribute {
    package static let attributeName = "rtcp-rsize"
    package init() {}
}
