public import HelioSharing

/// The session's requests to an app that supplies its own sound. Samples go into ``MirrorSource/write(sound:of:)``,
/// coded packets into ``MirrorSource/write(_:of:)``. They are used from `start` or `resume` until `pause`: while
/// somebody hears them.
public protocol AudioSourcePlugin: AudioPlugin {}
