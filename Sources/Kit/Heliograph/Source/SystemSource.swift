internal import HelioCore

#if canImport(HelioAppleSource)
private import HelioAppleSource

/// This system's capture, encoders and input: the one place that chooses a platform for the source.
let systemSource: some SourcePlatform = AppleSource()
#else
private import HelioLinuxSource

/// This system's capture, encoders and input: the one place that chooses a platform for the source.
let systemSource: some SourcePlatform = LinuxSource()
#endif
