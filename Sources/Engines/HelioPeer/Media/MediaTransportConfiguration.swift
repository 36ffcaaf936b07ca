package import HelioCore
package import HelioMedia

/// The constant settings of a ``MediaTransport``.
package struct MediaTransportConfiguration: Sendable {
    /// This end's CNAME in RTCP, which is also in its descriptions.
    package var cname: String
    /// The sender SSRC of this end's feedback while it sends no stream.
    package var feedbackSSRC: SSRC
    /// The offset from an `Instant` to NTP time (since 1900).
    package var clockOffset: Duration
    /// True if the timestamps of video use the clock of `now`, so that sender reports can map them to NTP time. The
    /// offset of an app's own clock from that clock is unknown.
    package var isHostClock = false
    /// The maximum packet size before encryption, in bytes, with header and extensions: the datagram size of 1200 bytes
    /// minus the SRTP overhead.
    package var largestPacket = 1180
    /// The spare capacity of each packet's buffer in bytes, so that SRTP can append without an allocation.
    package var reserve = 20
    /// The upper bound of the bandwidth estimate, and the estimate until the peer's first feedback.
    package var mostBitrate: Bitrate = .megabits(30)
    /// The known bandwidth of the path, used as the first estimate; with `nil`, sending starts at a low bitrate.
    package var startBitrate: Bitrate?
    /// The maximum time for which a picture waits for a missing packet; at least two round trips.
    package var longestWait: Duration = .milliseconds(200)
    /// The pacer's settings for each stream of video.
    package var pacer = SendPacer.Configuration()
    /// The limits of each stream's packet history for retransmissions.
    package var history = SendHistory.Configuration()

    /// - Precondition: `cname` has at most 255 bytes.
    package init(cname: String, feedbackSSRC: SSRC, clockOffset: Duration) {
        precondition(cname.utf8.count <= 255, "a CNAME has at most 255 bytes")
        self.cname = cname
        self.feedbackSSRC = feedbackSSRC
        self.clockOffset = clockOffset
    }
}
