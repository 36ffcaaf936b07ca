package import HelioCore
private import HelioSoundCodecs
private import Synchronization

/// Captures sound from a source of samples, and recovers from interruptions, lost devices and crashes of the media
/// services.
///
/// `@unchecked Sendable`: state without a `Mutex` is used on the runner only, except `deviceName`, which is used by the
/// caller of `next`.
package final class DeviceCapture: SoundCapturing, @unchecked Sendable {
    package typealias MakeSource = @Sendable (SampleIntake) throws(HelioError) -> any SampleSource

    package let origin: SoundOrigin
    package let format = SoundFormat.standard
    package private(set) var deviceName = ""
    package let intake: SampleIntake
    private let queue: CaptureQueue
    private let runner: any SerialRunner
    private let makeSource: MakeSource

    // State that is used on the runner only.
    private var policy: SoundSessionPolicy
    private var source: (any SampleSource)?
    private var observation: (any SoundObservation)?
    private var use: SoundUse?

    /// Throws the source's error if nothing can be captured now; later failures are retried.
    package init(
        _ origin: SoundOrigin, of hardware: any SoundHardware, on runner: any SerialRunner,
        from makeSource: @escaping MakeSource
    ) throws(HelioError) {
        self.origin = origin
        self.runner = runner
        self.makeSource = makeSource
        queue = CaptureQueue()
        intake = SampleIntake(queue)
        // Capture continues with another microphone when a headset with a microphone is unplugged.
        policy = SoundSessionPolicy(.goesOn)
        use = hardware.use()
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
        let (source, runner, use) = (source, runner, use)
        // Stop the source on the runner, but asynchronously, as the runner itself may be releasing this object.
        runner.async {
            source?.stop()
            withExtendedLifetime(use) {}
        }
    }

    package var overrunFrames: UInt64 { queue.overrunFrames }

    package var waker: @Sendable () -> Void { { [queue] in queue.wake() } }

    /// Returns the next event. Never throws: while the device is lost, this waits for it or another device.
    package func next(until: Instant?) -> SoundCaptureEvent { queue.next(until: until, deviceName: &deviceName) }

    /// Stops capturing, and releases the device.
    package func stop() {
        observation?.end()
        observation = nil
        runner.sync {
            follow(policy.close())
            use = nil
        }
    }

    // MARK: On the runner

    private func heard(_ event: SoundSessionEvent) { follow(policy.handle(event)) }

    private func follow(_ step: SoundSessionPolicy.Step) {
        switch step {
        case .nothing: break
        case .halt:
            letGo()
            queue.put(.lost)
        // Each block of samples has its own format, so a change of route needs no check.
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
