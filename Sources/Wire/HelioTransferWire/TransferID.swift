/// The identifier of a transfer, assigned by the requester: each end numbers its own requests.
package struct TransferID: Hashable, Sendable {
    package var rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}
