package import HelioAppleMedia
internal import HelioCore
private import HelioGround

extension DeviceSound {
    /// Makes the sound platform of Apple's systems, with devices by AudioToolbox and AAC by AVFAudio.
    ///
    /// The platform is only type-checked; no test runs it.
    ///
    /// - Parameter feeds: the samples of screen capture or a broadcast.
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
