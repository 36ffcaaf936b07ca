/// Why a peer was no use: the text goes into the test's report.
package struct ForeignPeerError: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}
