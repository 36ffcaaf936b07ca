package import HelioCore
package import HelioRTMP

/// What is published, where, and by which key.
package struct RTMPStream: Sendable {
    package var address: RTMPAddress
    package var key: RTMPKey
    /// `nil` for sound alone.
    package var video: VideoCodec?
    /// `nil` for pictures alone.
    package var sound: RTMPSound?
    /// What players are told ahead, where it is known.
    package var framesPerSecond: Int?
    package var bitrate: Bitrate?
    package var soundBitrate: Bitrate?

    package init(to address: RTMPAddress, key: RTMPKey, video: VideoCodec?, sound: RTMPSound? = nil) {
        self.address = address
        self.key = key
        self.video = video
        self.sound = sound
    }

    /// The codecs that a server needs enhanced RTMP for, by their four characters.
    var enhancedCodecs: [String] {
        (video == .h265 ? ["hvc1"] : []) + (sound?.codec == .opus ? ["Opus"] : [])
    }
}
