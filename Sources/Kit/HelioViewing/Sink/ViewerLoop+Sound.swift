internal import HelioCore
private import HelioSession
internal import HelioSound

extension ViewerLoop {
    /// The change of volume by one key press, as a fraction of full volume.
    static var volumeStep: Float { 0.1 }

    /// Checks the name of the sound device. Throws `invalidArgument`, naming the choices, if there is no such device.
    static func checkDevice(_ options: Viewer.Options, of platform: Platform) throws(HelioError) {
        guard let wanted = options.soundDevice, let sound = platform.sound else { return }
        let devices = try sound.outputDevices()
        if devices.named(wanted) == nil { throw .missing("sound device", wanted, choices: devices.map(\.name)) }
    }

    func toggleSound() {
        guard let sound else { return say("Sound can't be played on this system.") }
        let isOn = !sound.isHeard
        sound.turn(on: isOn)
        say(isOn ? "Sound on." : "Sound off: the host sends none.")
    }

    /// Makes the microphone if the options ask for one. Throws `unsupported` if this system has none.
    static func makeMicrophone(
        _ options: Viewer.Options, of platform: Platform, beside sound: SoundPlayer?, _ watch: HostWatch,
        notes: NoteBoard
    ) throws(HelioError) -> Microphone? {
        guard let wanted = options.microphone else { return nil }
        guard let system = platform.sound else {
            throw HelioError(.unsupported, "A microphone can't be used on this system.")
        }
        return try Microphone(wanted, of: system, beside: sound, for: watch, notes: notes)
    }

    func toggleMicrophone() {
        guard let microphone else {
            return say("The host does not hear you: this viewer was started without a microphone.")
        }
        let isOn = !microphone.status.isOn
        microphone.turn(on: isOn)
        say(isOn ? "Microphone on." : "Microphone off: the host does not hear you.")
    }

    func change(volumeBy step: Float) {
        guard let sound else { return say("Sound can't be played on this system.") }
        sound.set(volume: sound.loudness + step)
        if step > 0 { sound.turn(on: true) }
        say("Sound at \(Int((sound.loudness * 100).rounded())) %.")
    }
}

extension DecodedImaging {
    /// The fraction of the picture that has changed, 0 to 1.
    var changedShare: Double {
        guard let damage, size.area > 0 else { return 1 }
        return min(1, Double(damage.area) / Double(size.area))
    }
}
