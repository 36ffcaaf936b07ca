/// `a=end-of-candidates`: no more candidates will trickle in (RFC 8840 section 8.2).
package struct EndOfCandidates: FlagAttribute {
    package static let attributeName = "end-of-candidates"
    package init() {}
}
