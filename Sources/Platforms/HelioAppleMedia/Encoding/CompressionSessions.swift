package import HelioCore

/// Makes compression sessions: of VideoToolbox, or for tests.
package protocol CompressionSessions<Session> {
    associatedtype Session: CompressionSession

    func makeSession(_ specification: CompressionSpecification) -> Result<Session, SessionFailure>
    /// The size of a picture in pixels, read from its buffer.
    func size(of picture: Session.Picture) -> PixelSize
}
