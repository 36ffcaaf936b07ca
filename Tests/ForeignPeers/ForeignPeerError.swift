/// The failure of a peer; the description goes into the test's report.
package struct ForeignPeerError: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}
