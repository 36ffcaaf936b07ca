/// The status because of which a session could not be made.
package struct SessionFailure: Error, Sendable, Hashable {
    package var status: SessionStatus

    package init(_ status: SessionStatus) { self.status = status }
}
