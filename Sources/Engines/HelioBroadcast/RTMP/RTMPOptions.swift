package import HelioCore

/// The settings of an RTMP sender that are not in its address.
package struct RTMPOptions: Sendable {
    package var broadcast = BroadcastSettings()
    /// The frame rate announced to players in the stream's metadata; `nil` if unknown.
    package var framesPerSecond: Int?
    /// The video bitrate announced to players in the stream's metadata; `nil` if unknown.
    package var bitrate: Bitrate?
    /// The sound bitrate announced to players in the stream's metadata; `nil` if unknown.
    package var soundBitrate: Bitrate?

    package init() {}
}
