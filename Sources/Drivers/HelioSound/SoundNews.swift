package import HelioCore

/// An event of a session's sound; events come in order.
package enum SoundNews: Sendable {
    /// Another session or stream begins, with the format of its PCM packets and AAC's `AudioSpecificConfig`.
    case begun(SoundFormat, configuration: [UInt8])
    case packet(ReceivedSound)
    /// The instant at which a time of a stream was captured at the source.
    case clock(SoundClock)
}
