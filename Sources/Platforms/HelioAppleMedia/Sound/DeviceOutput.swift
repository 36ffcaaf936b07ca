package import HelioCore
private import Synchronization

/// A sound output through a device's queue of buffers: renders sound into each buffer that was played, and recovers
/// from interruptions, lost devices and crashes of the media services (requirement rows 59, 75, 76, 130).
///
/// `@unchecked Sendable`: state without a `Mutex` is used on the runner only.
package final class DeviceOutput: SoundPlaying, @unchecked Sendable {
    private struct Status {
        var deviceName = ""
        var latency = Duration.zero
        var underruns: UInt64 = 0
        var lateCallbacks: UInt64 = 0
        var refusedBuffers: UInt64 = 0
        var state = SoundOutputState.lost
    }

    /// A playing queue with its buffer filler and its route.
    private struct Stream {
        var queue: any OutputQueue
        var filler: OutputFiller
        var route: SoundRoute
        /// The indices of the buffers that the queue refused; they are enqueued again together with the next buffer.
        var idle: [Int] = []
        var lastCallback: Instant?
    }

    package let format = SoundFormat.standard
    private let device: String?
    private let hardware: any SoundHardware
    private let runner: any SerialRunner
    private let now: @Sendable () -> Instant
    private let render: SoundRenderer
    private let status = Mutex(Status())

    // State that is used on the runner only.
    private var policy: SoundSessionPolicy
    private var stream: Stream?
    /// The number of the present stream, by which callbacks of earlier streams are recognised.
    private var generation = 0
    private var observation: (any SoundObservation)?
    private var use: SoundUse?

    /// Throws the hardware's error if nothing can be played now; later failures are retried.
    package init(
        device: String?, of hardware: any SoundHardware, on runner: any SerialRunner,
        now: @escaping @Sendable () -> Instant, render: @escaping SoundRenderer
    ) throws(HelioError) {
        self.device = device
        self.hardware = hardware
        self.runner = runner
        self.now = now
        self.render = render
        policy = SoundSessionPolicy(hardware.unplugged)
        use = hardware.use()
        var failure: HelioError?
        runner.sync {
            do throws(HelioError) { try open() } catch { failure = error }
        }
        if let failure { throw failure }
        observation = hardware.observe(on: runner) { [weak self] event in self?.heard(event) }
    }

    package var deviceName: String { status.withLock { $0.deviceName } }
    package var latency: Duration { status.withLock { $0.latency } }
    package var underruns: UInt64 { status.withLock { $0.underruns } }
    package var state: SoundOutputState { status.withLock { $0.state } }
    /// The number of callbacks from released streams, for which no sound was rendered.
    package var lateCallbacks: UInt64 { status.withLock { $0.lateCallbacks } }
    /// The number of buffers that a queue refused.
    package var refusedBuffers: UInt64 { status.withLock { $0.refusedBuffers } }

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
        case .halt: letGo()
        case .start: reopen()
        case .check:
            if let route = try? hardware.openRoute(to: device), route == stream?.route { return }
            reopen()
        case .wait(let duration):
            runner.after(duration) { [weak self] in
                guard let self else { return }
                follow(policy.retry())
            }
        }
    }

    private func reopen() {
        do throws(HelioError) { try open() } catch { follow(policy.failed()) }
    }

    private func open() throws(HelioError) {
        letGo()
        let route = try hardware.openRoute(to: device)
        guard let plan = OutputPlan(route.format, from: format, cycle: route.cycle) else {
            throw HelioError(.unsupported, "\(route.name) plays in a format that is none of sound's.")
        }
        generation += 1
        let generation = generation
        let queue = try hardware.makeQueue(plan, to: device, on: runner) { [weak self] index in
            self?.consumed(index, generation)
        }
        stream = Stream(queue: queue, filler: OutputFiller(plan), route: route)
        for index in 0..<OutputPlan.buffers { fill(index) }
        do throws(HelioError) {
            guard let stream, stream.idle.count < OutputPlan.buffers else {
                throw HelioError(.unsupported, "\(route.name) takes no sound.")
            }
            try queue.start()
        } catch {
            letGo()
            throw error
        }
        stream?.lastCallback = now()
        policy.started()
        status.withLock {
            $0.deviceName = route.name
            $0.latency = plan.ringDuration + route.latency
            $0.state = .playing
        }
    }

    private func consumed(_ index: Int, _ generation: Int) {
        guard generation == self.generation, let stream, (0..<OutputPlan.buffers).contains(index) else {
            return status.withLock { $0.lateCallbacks += 1 }
        }
        let time = now()
        // If the last callback was longer ago than the duration of all buffers, the device has played all of them and
        // then nothing: an underrun.
        if let last = stream.lastCallback, time - last > stream.filler.plan.ringDuration {
            status.withLock { $0.underruns += 1 }
        }
        self.stream?.lastCallback = time
        let waiting = stream.idle
        self.stream?.idle = []
        for index in waiting + [index] { fill(index) }
        // All buffers are idle, so there will be no further callback.
        if (self.stream?.idle.count ?? 0) >= OutputPlan.buffers {
            letGo()
            follow(policy.failed())
        }
    }

    private func fill(_ index: Int) {
        guard let stream else { return }
        let plan = stream.filler.plan
        let queued = plan.duration.nanoseconds * Int64(OutputPlan.buffers - 1)
        let heard = now() + .nanoseconds(queued) + stream.route.latency
        var isFilled = false
        stream.queue.withBuffer(index) { buffer in
            isFilled = self.stream?.filler.fill(buffer, heard: heard, render) ?? false
        }
        do throws(HelioError) {
            guard isFilled else { throw HelioError(.systemFailed, "A buffer for sound is too small.") }
            try stream.queue.enqueue(index, bytes: plan.bytes)
        } catch {
            self.stream?.idle.append(index)
            status.withLock { $0.refusedBuffers += 1 }
        }
    }

    private func letGo() {
        generation += 1
        stream?.queue.dispose()
        stream = nil
        status.withLock { $0.state = .lost }
    }
}
