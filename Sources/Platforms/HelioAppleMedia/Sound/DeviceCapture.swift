package import HelioCore
private import HelioSoundCodecs
private import Synchronization

/// A capture of sound over a source of samples: outlives interruptions, devices that go and media services that crash.
///
/// `@unchecked Sendable`: what is no `Mutex` is touched on the runner alone; `deviceName` by whoever calls `next`.
package final class DeviceCapture: SoundCapturing, @unchecked Sendable {
    package typealias MakeSource = @Sendable (SampleIntake) throws(HelioError) -> any SampleSource

    package let origin: SoundOrigin
    package let format = SoundFormat.standard
    package private(set) var deviceName = ""
    package let intake: SampleIntake
    private let queue: CaptureQueue
    private let runner: any SerialRunner
    private let makeSource: MakeSource

    // The runner's own.
    private var policy: SoundSessionPolicy
    private var source: (any SampleSource)?
    private var observation: (any SoundObservation)?

    /// Throws what the source throws where nothing can be captured; from then on it waits for better times.
    package init(
        _ origin: SoundOrigin, of hardware: any SoundHardware, on runner: any SerialRunner,
        now: @escaping @Sendable () -> Instant, from makeSource: @escaping MakeSource
    ) throws(HelioError) {
        self.origin = origin
        self.runner = runner
        self.makeSource = makeSource
        queue = CaptureQueue(now: now)
        intake = SampleIntake(queue)
        // Whoever pulls out a headset with a microphone is heard by the next.
        policy = SoundSessionPolicy(.goesOn)
        var failure: HelioError?
        runner.sync {
            do throws(HelioError) { try open() } catch { failure = error }
        }
        if let failure { throw failure }
        deviceName = source?.deviceName ?? ""
        observation = hardware.observe(on: runner) { [weak self] event in self?.heard(event) }
    }

    deinit {
        observation?.end()
        intake.close()
        let (source, runner) = (source, runner)
        // Its calls come on the runner, on which the last hold of this may have been let go of.
        runner.async { source?.stop() }
    }

    package var overrunFrames: UInt64 { queue.overrunFrames }

    package var waker: @Sendable () -> Void { { [queue] in queue.wake() } }

    /// Does not throw: what is gone is waited for.
    package func next(until: Instant?) -> SoundCaptureEvent { queue.next(until: until, deviceName: &deviceName) }

    /// Captures no more, and lets go of the device.
    package func stop() {
        observation?.end()
        observation = nil
        runner.sync { follow(policy.close()) }
    }

    // MARK: On the runner

    private func heard(_ event: SoundSessionEvent) { follow(policy.handle(event)) }

    private func follow(_ step: SoundSessionPolicy.Step) {
        switch step {
        case .nothing: break
        case .halt:
            letGo()
            queue.put(.lost)
        // What a route's samples look like comes with each of them.
        case .check: break
        case .start:
            do throws(HelioError) {
                try open()
                queue.put(.device(source?.deviceName ?? ""))
            } catch {
                queue.put(.lost)
                follow(policy.failed())
            }
        case .wait(let duration):
            runner.after(duration) { [weak self] in
                guard let self else { return }
                follow(policy.retry())
            }
        }
    }

    private func open() throws(HelioError) {
        letGo()
        let source = try makeSource(intake)
        intake.reopen()
        do throws(HelioError) { try source.start() } catch {
            intake.close()
            throw error
        }
        self.source = source
        policy.started()
    }

    private func letGo() {
        intake.close()
        source?.stop()
        source = nil
    }
}
