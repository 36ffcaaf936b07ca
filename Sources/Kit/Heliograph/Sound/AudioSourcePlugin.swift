public import HelioSharing

/// The session's requests to an app that supplies its own sound. The app passes samples to
/// ``MirrorSource/write(sound:of:)``, or coded packets to ``MirrorSource/write(_:of:)``. The sound is used from `start`
/// or `resume` until `pause`, while somebody listens.
public protocol AudioSourcePlugin: AudioPlugin {}
