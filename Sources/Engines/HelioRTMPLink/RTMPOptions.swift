package import HelioBroadcast
package import HelioCore

/// The settings of a sender that are not in its address.
package struct RTMPOptions: Sendable {
    package var broadcast = BroadcastSettings()
    /// What players are told ahead, where it is known.
    package var framesPerSecond: Int?
    package var bitrate: Bitrate?
    package var soundBitrate: Bitrate?

    package init() {}
}
