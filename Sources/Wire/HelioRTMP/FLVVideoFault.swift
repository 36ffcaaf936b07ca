/// A picture that can't be written: a mistake of the caller, after which the stream continues with the next one.
package enum FLVVideoFault: Error, Hashable, Sendable {
    /// The access unit has no picture in it.
    case noPicture
    /// The stream has had no parameter sets yet, or some that can't be read.
    case noParameterSets
    /// The picture has more bytes than a message may have.
    case tooLarge
}
