internal import AVFAudio
internal import Foundation
internal import HelioAppleMedia
internal import HelioCore

/// The sound devices of this machine; on iOS, only the system's present output and microphone. It is only type-checked;
/// no test runs it.
struct AudioHardware: SoundHardware {
    #if os(macOS) || CHECKED_AS_MACOS
    let unplugged = SoundSessionPolicy.Unplugged.goesOn

    /// Does nothing: a Mac's devices are shared by all apps.
    func use() -> SoundUse { SoundUse {} }

    func outputs() -> [SoundDevice] { CoreDevices.read().outputs }

    func microphones() -> [SoundDevice] { CoreDevices.read().microphones }

    func openRoute(to device: String?) throws(HelioError) -> SoundRoute { try CoreDevices.read().route(to: device) }

    func makeQueue(
        _ plan: OutputPlan, to device: String?, on runner: any SerialRunner,
        consumed: @escaping @Sendable (Int) -> Void
    ) throws(HelioError) -> any OutputQueue {
        let uid = try CoreDevices.read().output(device)?.uid
        return try AudioQueueOutput(plan, to: uid, on: dispatchQueue(of: runner), consumed: consumed)
    }

    func makeMicrophone(
        _ device: String?, on runner: any SerialRunner, into intake: SampleIntake
    ) throws(HelioError) -> any SampleSource {
        let found = try CoreDevices.read().microphone(device)
        let uid = (device ?? "").isEmpty ? nil : found.uid
        return try AudioQueueMicrophone(found.name, of: uid, on: dispatchQueue(of: runner), into: intake)
    }
    #else
    let unplugged = SoundSessionPolicy.Unplugged.pauses

    func use() -> SoundUse { AudioSession.use() }

    private var system: SoundDevice { SoundDevice(id: "", name: "The system's output", isDefault: true) }

    func outputs() -> [SoundDevice] { [system] }

    func microphones() -> [SoundDevice] { [SoundDevice(id: "", name: "The system's microphone", isDefault: true)] }

    func openRoute(to device: String?) throws(HelioError) -> SoundRoute {
        guard (device ?? "").isEmpty else {
            throw HelioError(.invalidArgument, "Sound is played by the output that the system is set to.")
        }
        do { return try AudioSession.openPlayback() } catch {
            throw HelioError(.unsupported, "Sound can't be played now: another app has the devices.", cause: error)
        }
    }

    func makeQueue(
        _ plan: OutputPlan, to device: String?, on runner: any SerialRunner,
        consumed: @escaping @Sendable (Int) -> Void
    ) throws(HelioError) -> any OutputQueue {
        try AudioQueueOutput(plan, to: nil, on: dispatchQueue(of: runner), consumed: consumed)
    }

    func makeMicrophone(
        _ device: String?, on runner: any SerialRunner, into intake: SampleIntake
    ) throws(HelioError) -> any SampleSource {
        do { try AudioSession.openCapture() } catch {
            throw HelioError(.captureFailed, "The microphone can't be used now.", cause: error)
        }
        return try AudioQueueMicrophone(microphones()[0].name, of: nil, on: dispatchQueue(of: runner), into: intake)
    }
    #endif

    var microphonePermission: MicrophonePermission {
        switch AVAudioApplication.shared.recordPermission {
        case .granted: .granted
        case .undetermined: .undetermined
        default: .denied
        }
    }

    func askForMicrophone() { AVAudioApplication.requestRecordPermission { _ in } }

    func observe(
        on runner: any SerialRunner, _ handler: @escaping @Sendable (SoundSessionEvent) -> Void
    ) -> any SoundObservation {
        AudioSessionObservation(on: runner, handler)
    }

    private func dispatchQueue(of runner: any SerialRunner) throws(HelioError) -> DispatchQueue {
        guard let runner = runner as? DispatchRunner else {
            throw HelioError(.systemFailed, "Devices call back on dispatch queues alone.")
        }
        return runner.queue
    }
}
