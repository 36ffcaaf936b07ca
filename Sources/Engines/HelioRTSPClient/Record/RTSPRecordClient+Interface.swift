package import HelioCore
package import HelioMedia

/// The settings, inputs, events and statistics of a recording client.
extension RTSPRecordClient {
    package struct Settings: Sendable {
        package var address: RTSPAddress
        /// The format of the video; the size may change while running.
        package var format: VideoFormat
        /// The encoder settings of the sound; `nil` for no sound.
        package var sound: SoundEncode?
        package var soundOrigin: SoundOrigin
        /// True to send the media interleaved in the connection, without UDP.
        package var isInterleavedOnly: Bool
        /// The offset from an `Instant` to NTP time (since 1900), for sender reports.
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
        /// The server has accepted the stream.
        case published(isInterleaved: Bool)
        /// The server accepts the video, but not the sound; reported once.
        case soundRefused(reason: String)
        /// The server no longer accepts the stream; the client retries.
        case lost(reason: String)
        /// The server does not accept the stream yet; the client retries. Reported again only if the reason changes.
        case waiting(reason: String)
        /// The server has refused the stream permanently; the client does not retry.
        case failed(HelioError)
        /// True while the stream is needed: from the wait for the first keyframe until recording ends or fails.
        case watched(Bool)
        case keyframeNeeded(reason: String)
        /// The screen is idle, and its last picture has to be encoded again.
        case frameNeeded
        /// The new demand for sound by origin; no sound is needed from other origins.
        case soundWanted([SoundOrigin: SoundDemand])
    }

    package struct Statistics: DropReporting, Sendable {
        package var isPublished = false
        /// The media sent, over all sessions with the server.
        package var sent = SentMedia()
        /// The number of times that the server has accepted the stream.
        package var sessions = 0
        /// The number of drops by reason.
        package var drops: [String: Int] = [:]
    }

    package enum Drop: String, Sendable, CaseIterable, Hashable {
        /// A packet on an unexpected channel or port.
        case foreignChannel = "foreign-channel"
        /// A response that matches no pending request.
        case strayResponse = "stray-response"
        /// RTCP reports on another stream.
        case foreignReports = "foreign-reports"
    }
}
