/// A unit that can't be written: the caller's mistake, after which the stream goes on with the next unit.
package enum TransportStreamError: Error, Hashable, Sendable {
    /// The program has no stream of this kind.
    case noSuchStream
    /// The access unit has no picture in it.
    case noPicture
    /// A keyframe, and no parameter sets in it or before it.
    case noParameterSets
    /// More bytes than a unit may have.
    case tooLarge
    /// The sound's settings or a packet of it can't be carried.
    case unsupportedSound
}
