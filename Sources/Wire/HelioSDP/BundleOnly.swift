/// `a=bundle-only`: port 0 does not refuse this section; it is wanted, but only within its bundle
/// (RFC 9143 section 6).
package struct BundleOnly: FlagAttribute {
    package static let attributeName = "bundle-only"
    package init() {}
}
