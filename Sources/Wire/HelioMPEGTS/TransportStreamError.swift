/// The reason why an access unit can't be written: an error of the caller. The stream can continue with the next access
/// unit.
package enum TransportStreamError: Error, Hashable, Sendable {
    /// The program has no video stream or no sound stream.
    case noSuchStream
    /// The access unit has no slice.
    case noPicture
    /// The keyframe has no parameter sets, and none were written before.
    case noParameterSets
    /// The access unit exceeds ``TransportStream/maximumPicture``.
    case tooLarge
    /// The sound's configuration or one of its packets is not supported.
    case unsupportedSound
}
