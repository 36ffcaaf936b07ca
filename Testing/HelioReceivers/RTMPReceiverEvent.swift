package import HelioRTMP

/// An event that `RTMPReceiver` reports to its driver.
package enum RTMPReceiverEvent: Sendable, Hashable {
    /// The publisher has started to publish to this application.
    case publishing(application: String)
    case metadata([AMF0Property])
    /// A received video tag; `time` is the decoding time in milliseconds.
    case video(FLVVideoTag, time: UInt32)
    case sound(FLVSoundTag, time: UInt32)
    /// The connection has ended; no events follow.
    case ended(RTMPReceiverEnd)
}
