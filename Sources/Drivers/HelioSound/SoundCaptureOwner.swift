package import HelioCore

/// The owner of one or more `SoundCapture`s. Called on the thread of each capture.
package protocol SoundCaptureOwner: AnyObject, Sendable {
    /// Takes an encoded packet.
    func submit(_ sound: EncodedSound)
    /// Takes the device that is captured from now on; `nil` for none.
    func captured(_ device: String?, of origin: SoundOrigin)
    /// Takes new statistics.
    func counted(_ tally: SoundTally, of origin: SoundOrigin)
    /// Takes a note for the user; the session goes on.
    func note(_ sentence: String)
    /// Returns true while captured sound must be muted; called for each captured block.
    func isMuted() -> Bool
}
