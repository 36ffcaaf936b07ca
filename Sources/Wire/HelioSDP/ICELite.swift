/// `a=ice-lite`, of the session: this end only answers connectivity checks (RFC 8839 section 5.3).
package struct ICELite: FlagAttribute {
    package static let attributeName = "ice-lite"
    package init() {}
}
