internal import HelioCore

/// The supplier of a source's sound: devices of this machine, or an app.
protocol SoundFeed: Sendable {
    /// Sets the wanted encodings by origin of sound; no sound is wanted of an origin without an entry. Called on any
    /// thread.
    func set(_ wanted: [SoundOrigin: SoundDemand])
}

/// The receiver of the packets and reports of a source's sound. Called on any thread.
protocol SoundOutlet: Sendable {
    /// Sends a packet to all audiences that want its encoding.
    func submit(_ sound: EncodedSound)
    /// Reports the complete list of devices that are captured now.
    func captured(_ devices: [SharedSound])
    /// Shows a sentence to the user; the session continues.
    func note(_ sentence: String)
}
