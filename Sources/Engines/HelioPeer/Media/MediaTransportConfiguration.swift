package import HelioCore
package import HelioMedia

/// The settings that do not change while a ``MediaTransport`` lasts.
package struct MediaTransportConfiguration: Sendable {
    /// The CNAME of this end in RTCP; the same as in its descriptions.
    package var cname: String
    /// The SSRC of this end in feedback while it sends no stream of its own.
    package var feedbackSSRC: SSRC
    /// The offset from an instant to the NTP time since 1900.
    package var clockOffset: Duration
    /// True where video is captured by the clock of `now`, and not by an app's own, of which only differences mean
    /// something: so reports can map its timestamps to the time.
    package var isHostClock = false
    /// The largest packet of header, extensions and payload, before encryption: the path's 1200 bytes less what SRTP
    /// appends.
    package var largestPacket = 1180
    /// The bytes that can be appended to a packet without allocating: SRTP's.
    package var reserve = 20
    /// The highest estimate, and the rate that the path is assumed to carry until the peer tells.
    package var mostBitrate: Bitrate = .megabits(30)
    /// The rate that the path is known to carry; `nil` where nothing is known: it is then begun with care.
    package var startBitrate: Bitrate?
    /// The longest that a picture waits for a packet that may still come; two round trips where those are longer.
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
