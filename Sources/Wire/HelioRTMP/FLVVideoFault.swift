/// A picture that can't be written: the caller's mistake, after which the stream goes on with the next one.
package enum FLVVideoFault: Error, Hashable, Sendable {
    /// The access unit has no picture in it.
    case noPicture
    /// No parameter sets in it or before it, or some that can't be read.
    case noParameterSets
    /// More bytes than a message may have.
    case tooLarge
}
