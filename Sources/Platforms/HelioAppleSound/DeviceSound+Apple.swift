package import HelioAppleMedia
internal import HelioCore
private import HelioGround

extension DeviceSound {
    /// Sound by AudioToolbox and AVFAudio.
    ///
    /// Type-checked, not run.
    ///
    /// - Parameter feeds: take the samples of a screen's capture or a broadcast.
    package static func apple(feeds: SampleFeeds) -> DeviceSound {
        DeviceSound(
            AudioHardware(), feeds: feeds,
            coders: Coders(
                encoder: { format throws(HelioError) in try ConverterUnitEncoder(format) },
                decoder: { format, configuration throws(HelioError) in
                    try ConverterUnitDecoder(format, configuration: configuration)
                }),
            now: { MonotonicClock.now })
    }
}
