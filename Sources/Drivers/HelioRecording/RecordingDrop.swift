/// The reason why a recording dropped a picture or packet.
package enum RecordingDrop: String, CaseIterable, Sendable {
    /// A picture that was dropped because the disk is too slow.
    case pictureTooSlow = "recording-picture-disk-too-slow"
    /// A packet of sound that was dropped because the disk is too slow; silence takes its place.
    case soundTooSlow = "recording-sound-disk-too-slow"
    /// A picture that refers to a dropped picture, or precedes the first keyframe.
    case withoutKeyframe = "recording-picture-without-keyframe"
    /// A picture with missing slices.
    case incomplete = "recording-picture-incomplete"
    /// A keyframe without usable parameter sets, at the beginning of a file.
    case undescribed = "recording-picture-undescribed"
    /// A packet of sound for a time for which silence was already written.
    case late = "recording-sound-late"
    /// A payload that is not a valid Opus packet.
    case noOpus = "recording-sound-no-opus"
}
