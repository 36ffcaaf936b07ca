package import HelioCore
package import HelioMedia

/// The settings that do not change while a ``MediaTransport`` lasts.
package struct MediaTransportConfiguration: Sendable {
    /// The CNAME of this end in RTCP; the same as in its descriptions.
    package var cname: String
    /// The SSRC of this end in feedback while it sends no stream of its own.
    package var feedbackSSRC: SSRC
    /// The offset to be added to an instant to get NTP time, since 1900.
    package var clockOffset: Duration
    /// True if video timestamps are on the clock of `now`, so that sender reports can map them to NTP time. Of an app's
    /// own clock only differences are known.
    package var isHostClock = false
    /// The largest packet in bytes, of header, extensions and payload before encryption: the path's 1200 bytes minus
    /// SRTP's overhead.
    package var largestPacket = 1180
    /// The spare capacity of a packet's buffer in bytes, so that SRTP can append to it without allocating.
    package var reserve = 20
    /// The upper bound of every estimate, and the bitrate assumed for the path until the peer's first feedback.
    package var mostBitrate: Bitrate = .megabits(30)
    /// The bitrate that the path is known in advance to carry; with `nil`, sending starts cautiously.
    package var startBitrate: Bitrate?
    /// The longest that a picture waits for a missing packet; two round trips if those are longer.
    package var longestWait: Duration = .milliseconds(200)
    /// The pacer's settings for each stream of video.
    package var pacer = SendPacer.Configuration()
    /// The bounds of each stream's history for retransmissions.
    package var history = SendHistory.Configuration()

    /// - Precondition: `cname` has at most 255 bytes.
    package init(cname: String, feedbackSSRC: SSRC, clockOffset: Duration) {
        precondition(cname.utf8.count <= 255, "a CNAME has at most 255 bytes")
        self.cname = cname
        self.feedbackSSRC = feedbackSSRC
        self.clockOffset = clockOffset
    }
}
