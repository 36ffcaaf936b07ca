package import HelioCore

/// What comes of a session's sound, in order.
package enum SoundNews: Sendable {
    /// Another session, or stream, begins: of packets in this format, where PCM's are meant; with AAC's
    /// `AudioSpecificConfig`.
    case begun(SoundFormat, configuration: [UInt8])
    case packet(ReceivedSound)
    /// When a time of a stream was heard at the source.
    case clock(SoundClock)
}
