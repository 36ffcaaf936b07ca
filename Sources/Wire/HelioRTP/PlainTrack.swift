/// A track of a third-party program's RTSP stream; each track has its own SETUP request and transport.
package enum PlainTrack: Sendable, Hashable, CaseIterable {
    case video
    case sound
}
