import HelioAppleMedia
import HelioCore
import Synchronization
import Testing

@Suite("An output of sound over a device's buffers")
struct SoundOutputTests {
    private let runner = StepRunner()
    private let hardware = FakeHardware()
    private let renderer = SineRenderer()

    private func open(_ hardware: FakeHardware? = nil) throws -> DeviceOutput {
        let hardware = hardware ?? self.hardware
        return try DeviceOutput(device: nil, of: hardware, on: runner, now: runner.clock) { [renderer] samples, heard in
            renderer.render(&samples, heard)
        }
    }

    /// Plays a number of buffers in real-time order.
    private func play(_ buffers: Int) {
        for _ in 0..<buffers {
            guard let queue = hardware.queues.last else { return }
            runner.advance(queue.plan.duration)
            queue.playOne()
        }
    }

    @Test("five buffers are filled before it starts, and each again when it was played")
    func fills() throws {
        let output = try open()
        let queue = try #require(hardware.queues.last)
        #expect(queue.isStarted && queue.queued == [0, 1, 2, 3, 4])
        play(40)
        #expect(queue.queued.count == 5 && output.underruns == 0 && output.state == .playing)
        #expect(queue.sizes.allSatisfy { $0 == 240 * 8 })
        #expect(renderer.frames == 45 * 240)
        let heard = Sine.left(Sine.floats(queue.played))
        #expect(heard == Sine.samples(40 * 240, rate: 48000))
        #expect(output.latency == .milliseconds(28))
    }

    @Test("the devices are given back at the end, also of one that could not be opened, but not for an interruption")
    func givenBack() throws {
        let output = try open()
        #expect(hardware.inUse == 1)
        hardware.tell(.interruptionBegan)
        runner.advance(.seconds(1))
        #expect(hardware.inUse == 1 && output.state == .lost)
        let other = try open()
        output.stop()
        output.stop()
        #expect(hardware.inUse == 1)
        other.stop()
        #expect(hardware.inUse == 0)
        hardware.failure = HelioError(.unsupported, "no device")
        #expect(throws: HelioError.self) { try open() }
        #expect(hardware.inUse == 0)
    }

    @Test("the size of buffers comes of both rates", arguments: [8000, 16000, 44100, 48000, 96000, 192_000])
    func sizes(rate: Int) throws {
        let device = DeviceSampleFormat(sampleRate: rate, channels: 2)
        let plan = try #require(OutputPlan(device, from: .standard, cycle: .milliseconds(10)))
        #expect(plan.frames == (rate * 5 + 999) / 1000)
        #expect(plan.sourceFrames >= plan.frames * 48000 / rate && plan.sourceFrames <= plan.frames * 48000 / rate + 2)
        #expect(plan.bytes == plan.frames * 8 && plan.ringDuration >= .milliseconds(25))
        let slow = try #require(OutputPlan(device, from: .standard, cycle: .milliseconds(24)))
        #expect(slow.duration >= .milliseconds(12))
    }

    @Test("formats that no device has are refused", arguments: [(0, 2), (48000, 0), (1_000_000, 2), (48000, 64)])
    func nonsense(rate: Int, channels: Int) throws {
        let device = DeviceSampleFormat(sampleRate: rate, channels: channels)
        #expect(OutputPlan(device, from: .standard, cycle: .zero) == nil)
        hardware.route.format = device
        let error = #expect(throws: HelioError.self) { try open() }
        #expect(error?.code == .unsupported)
        #expect(hardware.queues.isEmpty)
    }

    @Test("a device of 44.1 kHz that becomes one of 48 kHz, and back, plays the same pitch")
    func rates() throws {
        hardware.route = FakeHardware.route("Loudspeaker", rate: 44100)
        let output = try open()
        for rate in [44100, 48000, 44100] {
            if rate != hardware.route.format.sampleRate {
                hardware.route = FakeHardware.route("Loudspeaker", rate: rate)
                hardware.tell(.routeChanged(.other, wasPrivate: false))
            }
            play(200)
            let queue = try #require(hardware.queues.last)
            #expect(queue.plan.device.sampleRate == rate)
            // Without the first millisecond, in which the filter settles.
            let heard = Sine.left(Sine.floats(queue.played)).dropFirst(rate / 100)
            let pitch = Sine.pitch(of: Array(heard), rate: rate)
            #expect(abs(pitch - Sine.pitch) < 0.5, "at \(rate) Hz it is \(pitch)")
        }
        #expect(hardware.queues.count == 3 && output.underruns == 0)
        #expect(hardware.queues.map(\.disposals) == [1, 1, 0])
    }

    @Test("the time at which sound is heard runs as its samples do", arguments: [44100, 48000])
    func times(rate: Int) throws {
        hardware.route = FakeHardware.route("Loudspeaker", rate: rate)
        let output = try open()
        play(400)
        // From the sixth request on: the first five are made at once.
        let heard = renderer.heard.dropFirst(5)
        let (first, last) = (try #require(heard.first), try #require(heard.last))
        let elapsed = Double((last.at - first.at).nanoseconds) / 1e9
        #expect(abs(elapsed - Double(last.frame - first.frame) / 48000) < 0.0002)
        #expect(output.state == .playing)
    }

    @Test("what is not rendered is silence, in whole buffers")
    func silence() throws {
        let output = try DeviceOutput(device: nil, of: hardware, on: runner, now: runner.clock) { _, _ in }
        play(20)
        let queue = try #require(hardware.queues.last)
        #expect(queue.played.count == 20 * queue.plan.bytes && queue.played.allSatisfy { $0 == 0 })
        #expect(queue.sizes.allSatisfy { $0 > 0 })
        #expect(output.underruns == 0)
    }

    @Test("a device that has played all there was is counted as run dry, once, and all buffers are filled again")
    func underrun() throws {
        let output = try open()
        play(10)
        runner.advance(.milliseconds(80))
        let queue = try #require(hardware.queues.last)
        for _ in 0..<5 { queue.playOne() }
        #expect(output.underruns == 1 && queue.queued.count == 5)
        play(10)
        #expect(output.underruns == 1)
    }

    @Test("a callback that is merely late is no underrun")
    func lateCallback() throws {
        let output = try open()
        runner.advance(.milliseconds(20))
        for _ in 0..<4 { try #require(hardware.queues.last).playOne() }
        #expect(output.underruns == 0)
    }

    @Test("a phone call silences it; the call's end goes on where the system says so")
    func interruption() throws {
        let output = try open()
        hardware.tell(.interruptionBegan)
        #expect(output.state == .lost && hardware.queues[0].disposals == 1)
        let before = renderer.frames
        runner.advance(.seconds(30))
        #expect(renderer.frames == before && hardware.queues.count == 1)
        hardware.tell(.interruptionEnded(shouldResume: true))
        #expect(output.state == .playing && hardware.queues.count == 2)
        play(3)
        #expect(output.underruns == 0)
    }

    @Test("after an interruption without the advice to go on, or without an end, the app's return goes on")
    func interruptionWithoutEnd() throws {
        let output = try open()
        hardware.tell(.interruptionBegan)
        hardware.tell(.interruptionEnded(shouldResume: false))
        hardware.tell(.routeChanged(.other, wasPrivate: false))
        #expect(output.state == .lost)
        hardware.tell(.becameActive)
        #expect(output.state == .playing)
        hardware.tell(.interruptionBegan)
        hardware.tell(.becameActive)
        #expect(output.state == .playing && hardware.queues.count == 3)
        // Output that is already playing is not restarted.
        hardware.tell(.becameActive)
        #expect(hardware.queues.count == 3)
    }

    @Test("headphones pulled out: silence on a phone, until there is another device")
    func unpluggedPhone() throws {
        let output = try open()
        hardware.tell(.routeChanged(.deviceGone, wasPrivate: true))
        #expect(output.state == .lost)
        // A change of the loudspeaker's own route is no request to play.
        hardware.tell(.routeChanged(.other, wasPrivate: false))
        hardware.tell(.interruptionEnded(shouldResume: true))
        #expect(output.state == .lost)
        hardware.route = FakeHardware.route("Headphones", rate: 44100)
        hardware.tell(.routeChanged(.deviceAvailable, wasPrivate: false))
        #expect(output.state == .playing && output.deviceName == "Headphones")
    }

    @Test("headphones pulled out: a computer plays on by the next device; so does a phone whose loudspeaker went")
    func unpluggedComputer() throws {
        let mac = FakeHardware(.goesOn)
        let output = try open(mac)
        mac.route = FakeHardware.route("Built-in", rate: 48000)
        mac.tell(.routeChanged(.deviceGone, wasPrivate: true))
        #expect(output.state == .playing && output.deviceName == "Built-in")
        let phone = try open()
        hardware.tell(.routeChanged(.deviceGone, wasPrivate: false))
        #expect(phone.state == .playing && hardware.queues.count == 2)
    }

    @Test("media services that crash and come back: everything is made anew, whatever was going on")
    func services() throws {
        let output = try open()
        hardware.tell(.servicesLost)
        #expect(output.state == .lost)
        hardware.tell(.becameActive)
        #expect(output.state == .lost)
        hardware.tell(.servicesReset)
        #expect(output.state == .playing && hardware.queues.count == 2)
        // The system does not always report the loss of its services beforehand.
        hardware.tell(.servicesReset)
        #expect(hardware.queues.count == 3 && hardware.queues.map(\.disposals) == [1, 1, 0])
    }

    @Test("news of a route that is the same changes nothing")
    func sameRoute() throws {
        let output = try open()
        for _ in 0..<10 { hardware.tell(.routeChanged(.other, wasPrivate: false)) }
        #expect(hardware.queues.count == 1 && output.state == .playing)
    }

    @Test("a session that can't be had is asked for again, less and less often, and never twice at once")
    func retries() throws {
        let output = try open()
        hardware.failure = HelioError(.unsupported, "busy")
        hardware.tell(.routeChanged(.deviceGone, wasPrivate: false))
        var waits: [Duration] = []
        for _ in 0..<8 {
            #expect(runner.waits.count == 1)
            let wait = try #require(runner.waits.first)
            waits.append(wait)
            runner.advance(wait)
        }
        #expect(waits.map { $0 / .milliseconds(1) } == [500, 1000, 2000, 4000, 8000, 8000, 8000, 8000])
        hardware.failure = nil
        runner.advance(.seconds(8))
        #expect(output.state == .playing && runner.waits.isEmpty)
    }

    @Test("a queue that takes nothing any more is replaced")
    func refusedBuffers() throws {
        let output = try open()
        let queue = try #require(hardware.queues.last)
        queue.refuses = true
        for _ in 0..<2 { queue.playOne() }
        queue.refuses = false
        play(1)
        // The buffers that it had rejected are queued again.
        #expect(queue.queued.count == 5 && output.refusedBuffers > 0)
        queue.refuses = true
        for _ in 0..<5 { queue.playOne() }
        #expect(output.state == .lost && queue.disposals == 1)
        runner.advance(.seconds(1))
        #expect(output.state == .playing && hardware.queues.count == 2)
    }

    @Test("callbacks after the end, of an earlier queue or of a buffer that is none ask for no sound")
    func afterStop() throws {
        let output = try open()
        let queue = try #require(hardware.queues.last)
        queue.consumed(77)
        queue.consumed(-1)
        #expect(output.lateCallbacks == 2)
        hardware.tell(.interruptionBegan)
        queue.playOne()
        hardware.tell(.interruptionEnded(shouldResume: true))
        queue.playOne()
        let before = renderer.frames
        output.stop()
        output.stop()
        for queue in hardware.queues { for _ in 0..<5 { queue.playOne() } }
        #expect(renderer.frames == before)
        #expect(hardware.queues.map(\.disposals) == [1, 1])
        #expect(hardware.observation.isEnded.withLock { $0 })
        hardware.tell(.servicesReset)
        hardware.tell(.becameActive)
        #expect(output.state == .lost && hardware.queues.count == 2)
    }

    @Test("a retry that is due after the end opens nothing")
    func retryAfterStop() throws {
        let output = try open()
        hardware.failure = HelioError(.unsupported, "busy")
        hardware.tell(.servicesReset)
        output.stop()
        hardware.failure = nil
        runner.advance(.seconds(60))
        #expect(hardware.queues.count == 1 && output.state == .lost)
    }
}
