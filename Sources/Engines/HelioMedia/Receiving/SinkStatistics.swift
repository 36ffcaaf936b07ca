package import HelioCore

/// Statistics of a sink's session since it began: video, sound, voice, clipboard and drops.
package struct SinkStatistics: DropReporting, Sendable {
    /// Statistics of the video stream.
    package var video: InboundStatistics
    /// The bytes received for the video, including packet headers and reports; another program's sound counts, too.
    package var bytesReceived: Int
    /// The present transport of the media; `nil` if it is not known.
    package var transport: StreamTransport?
    /// The kind of the link that carries the media of a session by a tunnel; set by the tunnel's owner.
    package var link: String?
    /// The bitrate that the host encodes at; `nil` if the host does not report it.
    package var codedBitrate: Bitrate?
    /// The host's present frame rate limit; `nil` if the host does not report it.
    package var codedFramesPerSecond: Int?
    /// Statistics of the received sound, of all sources (`SoundOrigin`) together.
    package var sound = Sound()
    /// Statistics of the viewer's own voice; `nil` if the host does not accept it.
    package var voice: SentSound?
    /// Statistics of the shared clipboard; `nil` if it is not shared.
    package var clipboard: ClipboardStatistics?
    /// Counts of drops, by name.
    package var drops: [String: Int] = [:]

    package init(video: InboundStatistics = InboundStatistics(), bytesReceived: Int = 0) {
        self.video = video
        self.bytesReceived = bytesReceived
    }

    /// Statistics of the received sound, of all sources together; the packet counts of `SinkStatistics` don't include
    /// them.
    package struct Sound: Sendable, Hashable {
        package var packets = 0
        /// Packets lost on the way, including those whose content a later packet repeated.
        package var lost = 0
        /// Lost packets whose content a later packet repeated.
        package var repeated = 0
        /// Bytes received, including the packets' headers.
        package var bytes = 0

        package init() {}

        package mutating func add(_ other: Sound) {
            packets += other.packets
            lost += other.lost
            repeated += other.repeated
            bytes += other.bytes
        }
    }
}
