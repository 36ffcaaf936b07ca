package import HelioCore

/// The settings, inputs, events and statistics of a client that records.
extension RTSPRecordClient {
    package struct Settings: Sendable {
        package var address: RTSPAddress
        /// The format that is sent; the size may change while running.
        package var format: VideoFormat
        /// The encode of the sound that is sent beside the video; `nil`: none is.
        package var sound: SoundEncode?
        package var soundOrigin: SoundOrigin
        /// True to ask for no UDP: the media goes within the connection.
        package var isInterleavedOnly: Bool
        /// The offset from an instant to the NTP time since 1900: for sender reports.
        package var clockOffset: Duration

        package init(
            address: RTSPAddress, format: VideoFormat, sound: SoundEncode? = nil, soundOrigin: SoundOrigin = .system,
            isInterleavedOnly: Bool = false, clockOffset: Duration
        ) {
            self.address = address
            self.format = format
            self.sound = sound
            self.soundOrigin = soundOrigin
            self.isInterleavedOnly = isInterleavedOnly
            self.clockOffset = clockOffset
        }
    }

    package enum Input: RTSPClientInput, AudienceInput {
        case link(RTSPLinkEvent)
        case slice(EncodedSlice)
        case sound(EncodedSound)
        case format(VideoFormat)

        package static func source(_ format: VideoFormat, wantedSize: PixelSize) -> Self { .format(format) }
    }

    package enum Event: Sendable {
        /// The server takes the stream from now on.
        case published(isInterleaved: Bool)
        /// The server takes the pictures and not the sound; told once.
        case soundRefused(reason: String)
        /// The server takes the stream no more; it is tried again by itself.
        case lost(reason: String)
        /// The server does not take the stream yet, and is tried again by itself. Told once for each reason.
        case waiting(reason: String)
        /// The server never will take the stream: it is not tried again.
        case failed(HelioError)
        /// The need for the stream has begun or ended: it is needed, or about to be.
        case watched(Bool)
        case keyframeNeeded(reason: String)
        /// The screen rests: its picture is to be encoded once more, unchanged.
        case frameNeeded
        /// The sound that is wanted has changed; origins that are not named are wanted by nobody.
        case soundWanted([SoundOrigin: SoundDemand])
    }

    package struct Statistics: DropReporting, Sendable {
        package var isPublished = false
        /// Frames sent since the start, over all of the server's sessions, as are the counts below.
        package var framesSent = 0
        package var soundPacketsSent = 0
        package var packetsSent = 0
        package var bytesSent = 0
        /// The times that the server took the stream.
        package var sessions = 0
        /// Counts of what was thrown away, by name.
        package var drops: [String: Int] = [:]
    }

    package enum Drop: String, Sendable, CaseIterable, Hashable {
        /// A packet on a channel or port that nothing is expected from.
        case foreignChannel = "foreign-channel"
        /// A response that matches no pending request.
        case strayResponse = "stray-response"
        /// Reports on another stream than this.
        case foreignReports = "foreign-reports"
    }
}
