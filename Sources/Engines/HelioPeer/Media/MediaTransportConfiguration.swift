package import HelioCore
package import HelioMedia

/// What does not change while a ``MediaTransport`` lasts.
package struct MediaTransportConfiguration: Sendable {
    /// Names this end in RTCP; the same as in its descriptions.
    package var cname: String
    /// Names this end in feedback while it sends no stream of its own.
    package var feedbackSSRC: SSRC
    /// Added to an instant, it gives the time since 1900 that NTP counts.
    package var clockOffset: Duration
    /// Header, extensions and payload, before protection: the path's 1200 bytes less what SRTP appends.
    package var largestPacket = 1180
    /// Bytes that can be appended to a packet without allocating: SRTP's.
    package var reserve = 20
    /// No estimate exceeds it, and it is what the path is thought to carry until the peer tells.
    package var mostBitrate: Bitrate = .megabits(30)
    /// How long a picture waits for a packet that may still come; two round trips where those are longer.
    package var longestWait: Duration = .milliseconds(200)
    /// For each stream of video.
    package var pacer = SendPacer.Configuration()
    /// What is kept of each stream to be sent again.
    package var history = SendHistory.Configuration()

    /// - Precondition: `cname` has at most 255 bytes.
    package init(cname: String, feedbackSSRC: SSRC, clockOffset: Duration) {
        precondition(cname.utf8.count <= 255, "a CNAME has at most 255 bytes")
        self.cname = cname
        self.feedbackSSRC = feedbackSSRC
        self.clockOffset = clockOffset
    }
}
