/// A track of another program's stream: each is set up by itself, and has a transport of its own.
package enum PlainTrack: Sendable, Hashable, CaseIterable {
    case video
    case sound
}
