internal import HelioCore
internal import HelioGround

/// Captures and encodes one origin's sound on a thread, only while there is demand.
///
/// The pipeline runs on one thread; other threads reach it only through its orders.
final class SoundPipeline {
    /// The wait before a failed capture is tried again.
    private static let retryTime = Duration.seconds(5)
    /// The interval at which statistics are reported.
    private static let tellingTime = Duration.milliseconds(500)

    private let origin: SoundOrigin
    private let device: String?
    private let platform: any SoundPlatform
    private let orders: NewestMailbox<SoundOrders>
    private let owner: any SoundCaptureOwner
    private let coder: SoundCoder
    private var mute = SoundMute()
    /// Generates silence in place of missing sound; `nil` if gaps are allowed.
    private var silence: SilentSound?

    private var demand = SoundDemand.none
    private var capture: (any SoundCapturing)?
    private var retryAt: Instant?
    /// The message of the last failure that was reported; the same message is not reported again.
    private var toldFailure: String?
    private var overruns: UInt64 = 0
    private var earlierOverruns: UInt64 = 0
    private var nextTelling = Instant.zero

    /// - Parameter toldFailure: the message of a failure that was reported before.
    init(
        _ origin: SoundOrigin, device: String?, of platform: any SoundPlatform, orders: NewestMailbox<SoundOrders>,
        toldFailure: String? = nil, owner: any SoundCaptureOwner
    ) {
        self.origin = origin
        self.device = device
        self.platform = platform
        self.orders = orders
        self.toldFailure = toldFailure
        self.owner = owner
        coder = SoundCoder(
            origin, makeEncoder: { encode throws(HelioError) in try platform.makeEncoder(encode) },
            put: { owner.submit($0) }, note: { owner.note($0) })
    }

    /// Captures and encodes until the order to stop.
    func run() {
        defer { close() }
        while true {
            let new = orders.take()
            if new.stop { return }
            if let demand = new.demand { obey(demand) }
            let now = MonotonicClock.now
            if demand.encodes.isEmpty {
                close()
                orders.wait(until: nil)
            } else if let capture {
                hear(capture)
            } else if let retryAt, now < retryAt {
                fill(now)
                orders.wait(until: min(retryAt, silence?.due ?? retryAt))
            } else {
                open(now)
            }
        }
    }

    private func obey(_ demand: SoundDemand) {
        self.demand = demand
        coder.set(demand)
        tell()
        if demand.encodes.isEmpty { retryAt = nil }
        if !demand.takesSilence || demand.encodes.isEmpty {
            silence = nil
        } else if silence == nil {
            silence = SilentSound(now: MonotonicClock.now)
        }
    }

    /// Encodes the silence that is due in place of sound.
    private func fill(_ now: Instant) {
        while let block = silence?.take(now: now) { coder.take(block) }
    }

    private func open(_ now: Instant) {
        do {
            let capture = try platform.openCapture(origin, device: device)
            self.capture = capture
            overruns = 0
            orders.listen(capture.waker)
            coder.interrupt()
            toldFailure = nil
            owner.captured(capture.deviceName, of: origin)
        } catch {
            fail(error)
        }
    }

    /// Waits for the device's next sound, and encodes it.
    private func hear(_ capture: any SoundCapturing) {
        do {
            switch try capture.next(until: silence?.due) {
            case .sound(var block):
                // The device's clock differs from the machine's clock, which timed the silence.
                if silence?.isFilling == true { coder.interrupt() }
                silence?.heard(block)
                let lost = capture.overrunFrames
                if lost != overruns { coder.interrupt() }
                overruns = lost
                mute.apply(owner.isMuted(), to: &block)
                coder.take(block)
                if MonotonicClock.now >= nextTelling { tell() }
            case .deviceChanged:
                coder.interrupt()
                owner.captured(capture.deviceName, of: origin)
                owner.note("\(origin.title) is taken from \(capture.deviceName) from now on.")
            case .deviceLost:
                coder.interrupt()
                owner.captured(nil, of: origin)
                owner.note("The sound server is gone: \(origin.title) is not heard until it is back.")
            case .timeout: fill(MonotonicClock.now)
            case .woken: break
            }
        } catch {
            close()
            fail(error)
        }
    }

    private func fail(_ error: HelioError) {
        retryAt = MonotonicClock.now + Self.retryTime
        if error.message == toldFailure { return }
        toldFailure = error.message
        owner.note("\(origin.title) is not heard: \(error.message)")
    }

    private func close() {
        guard let capture else { return }
        orders.listen(nil)
        earlierOverruns += capture.overrunFrames
        self.capture = nil
        coder.interrupt()
        owner.captured(nil, of: origin)
        tell()
    }

    private func tell() {
        nextTelling = MonotonicClock.now + Self.tellingTime
        owner.counted(
            SoundTally(
                encodes: demand.encodes, packets: coder.packets, drops: coder.drops.byName,
                overruns: earlierOverruns + (capture?.overrunFrames ?? 0)), of: origin)
    }
}

extension SoundOrigin {
    /// The origin's name, as the beginning of a sentence.
    package var title: String {
        switch self {
        case .system: "What this machine plays"
        case .microphone: "The microphone"
        }
    }
}
