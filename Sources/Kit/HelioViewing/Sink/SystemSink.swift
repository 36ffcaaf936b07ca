internal import HelioCore

#if canImport(HelioAppleSink)
private import HelioAppleSink

/// This system's decoders and windows: the one place that chooses a platform for the sink.
let systemSink: some SinkPlatform = AppleSink()
#else
private import HelioLinuxSink

/// This system's decoders and windows: the one place that chooses a platform for the sink.
let systemSink: some SinkPlatform = LinuxSink()
#endif
