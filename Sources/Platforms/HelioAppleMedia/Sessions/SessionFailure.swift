/// The status that VideoToolbox returned when a session could not be made.
package struct SessionFailure: Error, Sendable, Hashable {
    package var status: SessionStatus

    package init(_ status: SessionStatus) { self.status = status }
}
