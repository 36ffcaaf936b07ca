/// A track of a stream from another program; each track is set up separately and has its own transport.
package enum PlainTrack: Sendable, Hashable, CaseIterable {
    case video
    case sound
}
