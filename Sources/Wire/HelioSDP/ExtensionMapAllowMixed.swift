/// `a=extmap-allow-mixed`: a stream may hold header extensions of both forms (RFC 8285 section 6).
package struct ExtensionMapAllowMixed: FlagAttribute {
    package static let attributeName = "extmap-allow-mixed"
    package init() {}
}
