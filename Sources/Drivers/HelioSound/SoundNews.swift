package import HelioCore

/// An event of a session's sound; events are reported in order.
package enum SoundNews: Sendable {
    /// Another session or stream begins, with the format of its PCM packets and AAC's `AudioSpecificConfig`.
    case begun(SoundFormat, configuration: [UInt8])
    case packet(ReceivedSound)
    /// A media time of a stream, with the instant at which the sample of that time was captured, on the source's clock.
    case clock(SoundClock)
}
