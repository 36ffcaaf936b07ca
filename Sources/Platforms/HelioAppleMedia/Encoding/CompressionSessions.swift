package import HelioCore

/// Makes compression sessions.
package protocol CompressionSessions<Session> {
    associatedtype Session: CompressionSession

    func makeSession(_ specification: CompressionSpecification) -> Result<Session, SessionFailure>
    /// The size of a picture.
    func size(of picture: Session.Picture) -> PixelSize
}
