internal import HelioCore
private import HelioLinuxSink

/// What this system brings to the end that watches: the one place that chooses it.
let systemSink: some SinkPlatform = LinuxSink()
