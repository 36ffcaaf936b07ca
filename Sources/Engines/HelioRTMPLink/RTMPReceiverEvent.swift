package import HelioRTMP

/// What a receiver by RTMP tells.
package enum RTMPReceiverEvent: Sendable, Hashable {
    /// The other end publishes to this application.
    case publishing(application: String)
    case metadata([AMF0Property])
    /// - time: milliseconds, of decoding.
    case video(FLVVideoTag, time: UInt32)
    case sound(FLVSoundTag, time: UInt32)
    /// Nothing follows.
    case ended(RTMPReceiverEnd)
}
