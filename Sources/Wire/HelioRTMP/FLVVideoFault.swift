/// The reason why an access unit can't be written: an error of the caller. The stream can continue with the next access
/// unit.
package enum FLVVideoFault: Error, Hashable, Sendable {
    /// The access unit has no slice.
    case noPicture
    /// No complete parameter sets have arrived yet, or they can't be parsed.
    case noParameterSets
    /// The access unit exceeds ``FLVVideoWriter/maximumPicture``.
    case tooLarge
}
