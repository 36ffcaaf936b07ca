package import HelioCore

/// The settings, inputs, events and statistics of a client that records.
extension RTSPRecordClient {
    package struct Settings: Sendable {
        package var address: RTSPAddress
        /// The format of the video sent; the size may change while running.
        package var format: VideoFormat
        /// The encode of the sound sent beside the video; `nil` for none.
        package var sound: SoundEncode?
        package var soundOrigin: SoundOrigin
        /// True to use no UDP: the media is sent within the connection.
        package var isInterleavedOnly: Bool
        /// The offset to be added to an instant to get NTP time, since 1900: for sender reports.
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
        /// The server accepts the stream from now on.
        case published(isInterleaved: Bool)
        /// The server accepts the video and not the sound; reported once.
        case soundRefused(reason: String)
        /// The server has stopped accepting the stream; the client retries by itself.
        case lost(reason: String)
        /// The server does not accept the stream yet; the client retries by itself. Reported once for each reason.
        case waiting(reason: String)
        /// The server will never accept the stream: the client does not retry.
        case failed(HelioError)
        /// The stream is needed from now on, or no longer. It is needed from the wait for the first keyframe on.
        case watched(Bool)
        case keyframeNeeded(reason: String)
        /// The screen is idle: its picture has to be encoded once more, unchanged.
        case frameNeeded
        /// The new demand for sound, by origin; origins that are not listed are not needed.
        case soundWanted([SoundOrigin: SoundDemand])
    }

    package struct Statistics: DropReporting, Sendable {
        package var isPublished = false
        /// The frames sent since the start; like the counts below, a total over all sessions with the server.
        package var framesSent = 0
        package var soundPacketsSent = 0
        package var packetsSent = 0
        package var bytesSent = 0
        /// The number of times that the server accepted the stream.
        package var sessions = 0
        /// Counts of what was dropped, by reason.
        package var drops: [String: Int] = [:]
    }

    package enum Drop: String, Sendable, CaseIterable, Hashable {
        /// A packet on a channel or port on which none is expected.
        case foreignChannel = "foreign-channel"
        /// A response that matches no pending request.
        case strayResponse = "stray-response"
        /// RTCP reports on another stream.
        case foreignReports = "foreign-reports"
    }
}
