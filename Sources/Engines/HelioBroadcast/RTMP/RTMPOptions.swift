package import HelioCore

/// The settings of a sender that are not in its address.
package struct RTMPOptions: Sendable {
    package var broadcast = BroadcastSettings()
    /// The frame rate and the bitrates announced to players in the stream's metadata; `nil` if unknown.
    package var framesPerSecond: Int?
    package var bitrate: Bitrate?
    package var soundBitrate: Bitrate?

    package init() {}
}
