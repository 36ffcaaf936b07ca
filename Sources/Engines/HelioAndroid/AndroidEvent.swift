package import HelioCore

/// An event of a shared phone.
package enum AndroidEvent: Sendable, Hashable {
    /// The phone is connected and its server runs: its serial number, model and screen, and a line about each encoder.
    case ready(serial: String, model: String, screen: PixelSize, encoders: [String])
    /// Pictures of this codec and size follow; the first is a keyframe.
    case format(codec: VideoCodec, size: PixelSize, screen: PixelSize)
    case picture(AndroidPicture)
    /// PCM samples of 48 kHz, stereo, 16 bits, big-endian, and the instant of the first one.
    case sound([UInt8], captured: Instant)
    /// Text that was copied on the phone.
    case clipboard(String)
    /// The phone is not shared now; it will be again once the trouble is over.
    case waiting(AndroidTrouble)
    /// A sentence for the user.
    case note(String)
    /// The phone can't be shared. The last event.
    case failed(AndroidTrouble)
}

/// A picture of the phone's screen, coded there.
package struct AndroidPicture: Sendable, Hashable {
    package var isKeyframe: Bool
    /// The access unit in Annex B form; a keyframe has its parameter sets.
    package var annexB: [UInt8]
    /// The instant at which the phone's display showed it, as far as it can be known: by the shortest way that a
    /// picture took since the connection was made.
    package var captured: Instant

    package init(isKeyframe: Bool, annexB: [UInt8], captured: Instant) {
        (self.isKeyframe, self.annexB, self.captured) = (isKeyframe, annexB, captured)
    }
}

/// Input for a phone. Positions are fractions of the picture, 0 to 1 from left and from top.
///
/// Descriptions contain no keys and no text, as those may be a password.
package enum AndroidInput: Sendable, Hashable {
    case touch(finger: UInt8, FingerPhase, x: Double, y: Double, pressure: Double)
    case pointerMoved(x: Double, y: Double)
    case button(PointerButton, isDown: Bool, x: Double, y: Double)
    /// In 1/120 of a wheel's detent: positive y is up, positive x right.
    case scroll(dx: Int, dy: Int)
    /// A key by its USB HID usage, page 7.
    case key(usage: UInt16, isDown: Bool)
    case text(String)
    /// All keys and touches are released.
    case releaseAll
}

/// The reason why something of a phone, or for it, was dropped.
package enum AndroidDrop: String, CaseIterable, Hashable, Sendable {
    /// A picture of an encoder that has been replaced.
    case oldPicture = "phone-old-picture"
    /// A picture before the encoder's first keyframe.
    case beforeKeyframe = "phone-before-keyframe"
    /// Input while the phone was not there.
    case inputWhileAway = "phone-input-while-away"
    /// A move or an end of a touch that never began, or an eleventh finger.
    case strayTouch = "phone-stray-touch"
    /// A key that Android does not have.
    case unknownKey = "phone-unknown-key"
    /// Text, typed or copied, that is longer than the phone takes.
    case textTooLong = "phone-text-too-long"
    /// A message on a channel where it does not belong.
    case outOfPlace = "phone-out-of-place"
    /// Bytes that were no message of this version: the connection was ended.
    case malformed = "phone-malformed"
    /// An answer of adb's server that made no sense: the connection was ended.
    case adbMalformed = "phone-adb-malformed"
    /// A line of the server's output beyond the longest.
    case lineTooLong = "phone-line-too-long"
}

package struct AndroidStatistics: Sendable {
    package var pictures = 0
    package var keyframes = 0
    package var pictureBytes = 0
    package var sounds = 0
    /// Connections to the phone that reached its server.
    package var connections = 0
    /// Encoders started.
    package var encoders = 0
    /// Steps to keyframes, from the weakest.
    package var keyframesAsked = 0
    package var resurfaced = 0
    package var restarted = 0
    /// The last round trip to the phone's server; `nil` before the first.
    package var roundTrip: Duration?
    package var drops = DropCounter<AndroidDrop>()

    package init() {}
}
