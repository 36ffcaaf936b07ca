internal import HelioCore
private import HelioLinuxSource

/// This system's capture, encoders and input: the one place that chooses a platform for the source.
let systemSource: some SourcePlatform = LinuxSource()
