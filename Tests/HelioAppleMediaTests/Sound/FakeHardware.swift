import HelioAppleMedia
import HelioCore
import Synchronization

/// Audio devices that the test connects, disconnects, or switches to another sample rate.
final class FakeHardware: SoundHardware, @unchecked Sendable {
    final class Observation: SoundObservation {
        let isEnded = Mutex(false)
        func end() { isEnded.withLock { $0 = true } }
    }

    let unplugged: SoundSessionPolicy.Unplugged
    var route = FakeHardware.route("Loudspeaker", rate: 48000)
    /// The error that opening a route throws.
    var failure: HelioError?
    private(set) var queues: [FakeQueue] = []
    private(set) var opened = 0
    /// The number of uses that have not ended.
    let uses = Mutex(0)
    private(set) var sources: [FakeSource] = []
    var microphonePermission = MicrophonePermission.granted
    private(set) var asked = 0
    private(set) var observation = Observation()
    private var handler: (@Sendable (SoundSessionEvent) -> Void)?

    init(_ unplugged: SoundSessionPolicy.Unplugged = .pauses) { self.unplugged = unplugged }

    static func route(_ name: String, rate: Int) -> SoundRoute {
        SoundRoute(
            name: name, format: DeviceSampleFormat(sampleRate: rate, channels: 2), latency: .milliseconds(3),
            cycle: .milliseconds(10))
    }

    var inUse: Int { uses.withLock { $0 } }

    func tell(_ event: SoundSessionEvent) { handler?(event) }

    func outputs() -> [SoundDevice] { [SoundDevice(id: "a", name: route.name, isDefault: true)] }
    func microphones() -> [SoundDevice] { [] }

    func openRoute(to device: String?) throws(HelioError) -> SoundRoute {
        opened += 1
        if let failure { throw failure }
        return route
    }

    func makeQueue(
        _ plan: OutputPlan, to device: String?, on runner: any SerialRunner,
        consumed: @escaping @Sendable (Int) -> Void
    ) -> any OutputQueue {
        let queue = FakeQueue(plan, consumed: consumed)
        queues.append(queue)
        return queue
    }

    func use() -> SoundUse {
        uses.withLock { $0 += 1 }
        return SoundUse { [self] in uses.withLock { $0 -= 1 } }
    }

    func askForMicrophone() { asked += 1 }

    func makeMicrophone(
        _ device: String?, on runner: any SerialRunner, into intake: SampleIntake
    ) throws(HelioError) -> any SampleSource {
        if let failure { throw failure }
        let source = FakeSource(intake, name: "Microphone \(sources.count + 1)")
        sources.append(source)
        return source
    }

    func observe(
        on runner: any SerialRunner, _ handler: @escaping @Sendable (SoundSessionEvent) -> Void
    ) -> any SoundObservation {
        self.handler = handler
        return observation
    }
}

/// A microphone that delivers the test's samples.
final class FakeSource: SampleSource, @unchecked Sendable {
    let deviceName: String
    let intake: SampleIntake
    private(set) var isStarted = false

    init(_ intake: SampleIntake, name: String) {
        self.intake = intake
        deviceName = name
    }

    func start() { isStarted = true }
    func stop() { isStarted = false }
}
