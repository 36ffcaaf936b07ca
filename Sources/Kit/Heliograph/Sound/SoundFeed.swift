internal import HelioCore

/// The supplier of a source's sound: devices of this machine, or an app.
protocol SoundFeed: Sendable {
    /// Sets the wanted encodes; an origin that is not named is not wanted. Any thread.
    func set(_ wanted: [SoundOrigin: SoundDemand])
}

/// The rest of a source, as the supplier of its sound sees it. Called on any thread.
protocol SoundOutlet: Sendable {
    /// Sends a packet to all audiences that want its encode.
    func submit(_ sound: EncodedSound)
    /// Reports all devices that are captured now.
    func captured(_ devices: [SharedSound])
    /// Shows a sentence to the person; the session goes on.
    func note(_ sentence: String)
}
