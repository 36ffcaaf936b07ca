/// Counts of the media sent to one or more receivers.
package struct SentMedia: Sendable, Hashable {
    package var frames = 0
    package var soundPackets = 0
    /// The packets of picture and sound.
    package var packets = 0
    package var bytes = 0

    package init() {}
}
