package import HelioCore

/// The sound devices of an Apple system: a shim over `AVAudioSession`, Core Audio and `AudioQueue`.
package protocol SoundHardware: Sendable {
    /// The reaction when headphones are unplugged.
    var unplugged: SoundSessionPolicy.Unplugged { get }

    func outputs() throws(HelioError) -> [SoundDevice]
    func microphones() throws(HelioError) -> [SoundDevice]

    /// Activates the audio session for playing, and returns the route to a device; `nil` means the default device.
    /// Throws `invalidArgument` if the device is unknown, and `unsupported` if nothing can be played now.
    func openRoute(to device: String?) throws(HelioError) -> SoundRoute
    /// Makes a queue with `OutputPlan.buffers` buffers of `plan.bytes`.
    ///
    /// - Parameter consumed: called on the runner with the index of each buffer that was played.
    func makeQueue(
        _ plan: OutputPlan, to device: String?, on runner: any SerialRunner,
        consumed: @escaping @Sendable (Int) -> Void
    ) throws(HelioError) -> any OutputQueue

    /// Begins a use of the devices, which ends when the value is released.
    func use() -> SoundUse

    var microphonePermission: MicrophonePermission { get }
    /// Makes the system prompt the user for the microphone; `microphonePermission` returns the answer later.
    func askForMicrophone()
    func makeMicrophone(
        _ device: String?, on runner: any SerialRunner, into intake: SampleIntake
    ) throws(HelioError) -> any SampleSource

    /// Reports events on the runner, until the observation ends.
    func observe(
        on runner: any SerialRunner, _ handler: @escaping @Sendable (SoundSessionEvent) -> Void
    ) -> any SoundObservation
}

/// An observation of the system's events, active until `end` is called.
package protocol SoundObservation: AnyObject, Sendable {
    func end()
}

/// The user's decision about the microphone (requirement row 159).
package enum MicrophonePermission: Sendable, Hashable {
    case undetermined
    case denied
    case granted
}
