package import HelioCore
import HelioRTP
import HelioRTSP

/// What goes into a client that records, and what comes out of it.
extension RTSPRecordClient {
    package struct Settings: Sendable {
        package var address: RTSPAddress
        /// What is sent; the size may change while running.
        package var format: VideoFormat
        /// Asks for no UDP: the media goes within the connection.
        package var isInterleavedOnly: Bool
        /// Added to an instant, it gives the time since 1900: what sender reports tell.
        package var clockOffset: Duration

        package init(
            address: RTSPAddress, format: VideoFormat, isInterleavedOnly: Bool = false, clockOffset: Duration
        ) {
            self.address = address
            self.format = format
            self.isInterleavedOnly = isInterleavedOnly
            self.clockOffset = clockOffset
        }
    }

    package enum Input: RTSPClientInput, AudienceInput {
        case link(RTSPLinkEvent)
        case slice(EncodedSlice)
        case format(VideoFormat)

        package static func source(_ format: VideoFormat, wantedSize: PixelSize) -> Self { .format(format) }
    }

    package enum Event: Sendable {
        /// The server takes the stream from now on.
        case published(isInterleaved: Bool)
        /// It does no more; tried again by itself.
        case lost(reason: String)
        /// It does not take it yet, and is tried again by itself. Told once for each reason.
        case waiting(reason: String)
        /// It never will: not tried again.
        case failed(HelioError)
        /// Whether the stream is needed, or about to be.
        case watched(Bool)
        case keyframeNeeded(reason: String)
        /// The screen rests: its picture is to be coded once more, unchanged.
        case frameNeeded
    }

    package struct Statistics: DropReporting, Sendable {
        package var isPublished = false
        /// Since the start, over all of the server's sessions.
        package var framesSent = 0
        package var packetsSent = 0
        package var bytesSent = 0
        /// How often the server took the stream.
        package var sessions = 0
        /// What was thrown away, by name.
        package var drops: [String: Int] = [:]
    }

    package enum Drop: String, Sendable, CaseIterable, Hashable {
        /// Of a channel or port that nothing is expected from.
        case foreignChannel = "foreign-channel"
        /// A response that nobody waits for.
        case strayResponse = "stray-response"
        /// Reports on another stream than this.
        case foreignReports = "foreign-reports"
    }
}
