/// What a recording leaves out, by name.
package enum RecordingDrop: String, CaseIterable, Sendable {
    /// A picture: the disk is too slow.
    case pictureTooSlow = "recording-picture-disk-too-slow"
    /// A packet of sound: the disk is too slow. Silence is in its place.
    case soundTooSlow = "recording-sound-disk-too-slow"
    /// A picture that refers to one that was left out, or comes before the first keyframe.
    case withoutKeyframe = "recording-picture-without-keyframe"
    /// A picture of which a part is missing.
    case incomplete = "recording-picture-incomplete"
    /// A keyframe that does not say what it is, at the beginning of a file.
    case undescribed = "recording-picture-undescribed"
    /// Sound of a time that silence has been written for.
    case late = "recording-sound-late"
    /// Bytes that are no packet of Opus.
    case noOpus = "recording-sound-no-opus"
}
