/// A unit that can't be written: a mistake of the caller, after which the stream continues with the next unit.
package enum TransportStreamError: Error, Hashable, Sendable {
    /// The program has no stream of this kind.
    case noSuchStream
    /// The access unit has no picture in it.
    case noPicture
    /// A keyframe without parameter sets, none of which came earlier either.
    case noParameterSets
    /// A unit with more bytes than are allowed.
    case tooLarge
    /// The sound's configuration or a packet of it is not supported.
    case unsupportedSound
}
