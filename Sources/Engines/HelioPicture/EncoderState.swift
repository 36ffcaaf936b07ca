package import HelioCore

/// A snapshot of an encoder's state, by which the engine decides on its next request to the encoder.
package struct EncoderState: Sendable {
    package var keyframeAside = KeyframeAside.absent
    /// The time that it takes at the bitrate to send the bits coded in excess of the bitrate: see
    /// `VideoEncoding.debt(now:)`.
    package var debt = Duration.zero
    package var repairs = false
    package var changesRatesInPlace = true
    package var refinementSteps = 0
    package var isSharp = true
    package var quality: CodedQuality?

    package init() {}

    package init(_ encoder: some VideoEncoding, now: Instant) {
        keyframeAside = encoder.keyframeAside
        debt = encoder.debt(now: now)
        repairs = encoder.repairs
        changesRatesInPlace = encoder.changesRatesInPlace
        refinementSteps = encoder.refinementSteps
        isSharp = encoder.isSharp
        quality = encoder.quality
    }
}

/// The traits of an encoder that don't change while it runs.
package struct EncoderTraits: Sendable, Hashable {
    /// The encoder's human-readable name.
    package var summary: String
    package var isHardware: Bool

    package init(summary: String, isHardware: Bool) {
        self.summary = summary
        self.isHardware = isHardware
    }

    package init(_ encoder: some VideoEncoding) {
        self.init(summary: encoder.summary, isHardware: encoder.isHardware)
    }
}
