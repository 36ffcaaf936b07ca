package import HelioCore

/// An event of a session's sound; events come in order.
package enum SoundNews: Sendable {
    /// Another session or stream begins, with the format of its PCM packets and AAC's `AudioSpecificConfig`.
    case begun(SoundFormat, configuration: [UInt8])
    case packet(ReceivedSound)
    /// A time of a stream, with the instant at which it was captured at the source.
    case clock(SoundClock)
}
