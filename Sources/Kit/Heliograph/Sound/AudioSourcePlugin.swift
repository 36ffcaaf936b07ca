public import HelioViewing

/// An app's own sound: the session's requests to it. Its sound goes into ``MirrorSource/write(sound:of:)`` or, coded,
/// ``MirrorSource/write(_:of:)``, and is of use from `start` or `resume` on until `pause`: while somebody hears it.
public protocol AudioSourcePlugin: AudioPlugin {}
