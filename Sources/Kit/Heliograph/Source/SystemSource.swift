internal import HelioCore
private import HelioLinuxSource

/// What this system brings to the end that shares: the one place that chooses it.
let systemSource: some SourcePlatform = LinuxSource()
