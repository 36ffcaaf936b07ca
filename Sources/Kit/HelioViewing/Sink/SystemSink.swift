internal import HelioCore
private import HelioLinuxSink

/// This system's decoders and windows: the one place that chooses a platform for the sink.
let systemSink: some SinkPlatform = LinuxSink()
