import Foundation
import HelioCore
import HelioGround

/// The simulated sound of a machine: one device of each kind; the test provides the captured sound, and reads the
/// played one.
///
/// `@unchecked Sendable`: all state is accessed with the condition locked.
final class FakeSound: SoundPlatform, @unchecked Sendable {
    static let device = "fake-device"

    private let condition = NSCondition()
    private var hasServer = true
    /// Owned by the capturing code; the capture is closed when it is released.
    private weak var capture: FakeCapture?
    private var output: FakeOutput?
    private var opened: [String] = []
    /// The encoders' delay, in sample frames.
    var encoderDelay = 0
    /// The number of next packets that fail to encode.
    private var failures = 0

    /// Removes the sound server, or restores it.
    func set(hasServer: Bool) {
        let (capture, output) = condition.withLock {
            self.hasServer = hasServer
            return (self.capture, self.output)
        }
        capture?.set(isLost: !hasServer)
        output?.set(isLost: !hasServer)
    }

    func fail(packets: Int) { condition.withLock { failures = packets } }

    fileprivate func takeFailure() -> Bool {
        condition.withLock {
            guard failures > 0 else { return false }
            failures -= 1
            return true
        }
    }

    /// The present capture.
    var openCapture: FakeCapture? { condition.withLock { capture } }
    /// The present output, if it is open.
    var openOutput: FakeOutput? { condition.withLock { output?.isOpen == true ? output : nil } }
    /// The opened devices, in order.
    var history: [String] { condition.withLock { opened } }

    private func check(_ device: String?) throws(HelioError) {
        guard condition.withLock({ hasServer }) else { throw HelioError(.unsupported, "There is no sound server.") }
        if let device, device != Self.device { throw HelioError(.invalidArgument, "There is no device '\(device)'.") }
    }

    private var devices: [SoundDevice] { [SoundDevice(id: Self.device, name: "Fake device", isDefault: true)] }

    func captureDevices(of origin: SoundOrigin) throws(HelioError) -> [SoundDevice] {
        try check(nil)
        return devices
    }

    func openCapture(_ origin: SoundOrigin, device: String?) throws(HelioError) -> any SoundCapturing {
        try check(device)
        let made = FakeCapture(origin)
        condition.withLock {
            capture = made
            opened.append("capture \(origin)")
        }
        return made
    }

    func outputDevices() throws(HelioError) -> [SoundDevice] {
        try check(nil)
        return devices
    }

    func openOutput(device: String?, render: @escaping SoundRenderer) throws(HelioError) -> any SoundPlaying {
        try check(device)
        let made = FakeOutput(render)
        condition.withLock {
            output = made
            opened.append("output")
        }
        return made
    }

    func openVirtualMicrophone(name: String, render: @escaping SoundRenderer) throws(HelioError) -> any SoundPlaying {
        try check(nil)
        let made = FakeOutput(render)
        condition.withLock {
            output = made
            opened.append("microphone \(name)")
        }
        return made
    }

    func makeEncoder(_ encode: SoundEncode) throws(HelioError) -> any SoundEncoding {
        if encode.codec == .aac { throw HelioError(.unsupported, "There is no AAC in memory.") }
        return FakeSoundEncoder(encode, self)
    }

    func makeDecoder(
        _ codec: SoundCodec, format: SoundFormat, configuration: [UInt8]
    ) throws(HelioError) -> any SoundDecoding {
        FakeSoundDecoder(codec: codec, format: format)
    }
}

/// `@unchecked Sendable`: all state is accessed with the condition locked.
final class FakeCapture: SoundCapturing, @unchecked Sendable {
    let origin: SoundOrigin
    let format = SoundFormat.standard
    let deviceName = "Fake device"
    let overrunFrames: UInt64 = 0
    private let condition = NSCondition()
    private var events: [SoundCaptureEvent] = []

    init(_ origin: SoundOrigin) { self.origin = origin }

    var waker: @Sendable () -> Void {
        { [weak self] in self?.put(.woken) }
    }

    func put(_ event: SoundCaptureEvent) {
        condition.withLock {
            events.append(event)
            condition.broadcast()
        }
    }

    func set(isLost: Bool) { put(isLost ? .deviceLost : .deviceChanged) }

    /// Delivers a block of captured sound.
    func hear(_ samples: [Float], at captured: Instant) {
        put(.sound(SoundBlock(format: format, samples: samples, captured: captured)))
    }

    func next(until: Instant?) throws(HelioError) -> SoundCaptureEvent {
        condition.withLock {
            while events.isEmpty {
                guard let until else {
                    condition.wait()
                    continue
                }
                let left = until - MonotonicClock.now
                if left <= .zero { return .timeout }
                _ = condition.wait(until: Date(timeIntervalSinceNow: left.inSeconds))
            }
            return events.removeFirst()
        }
    }
}

/// A loudspeaker; the test requests the played samples.
///
/// `@unchecked Sendable`: only the test calls `render`; all other state is accessed with the lock held.
final class FakeOutput: SoundPlaying, @unchecked Sendable {
    let format = SoundFormat.standard
    let deviceName = "Fake device"
    let latency = Duration.milliseconds(10)
    let underruns: UInt64 = 0
    private let lock = NSLock()
    private var isLost = false
    private var isStopped = false
    private let render: SoundRenderer

    init(_ render: @escaping SoundRenderer) { self.render = render }

    var state: SoundOutputState { lock.withLock { isLost ? .lost : .playing } }
    var isOpen: Bool { lock.withLock { !isStopped } }
    func set(isLost: Bool) { lock.withLock { self.isLost = isLost } }
    func stop() { lock.withLock { isStopped = true } }

    /// Plays this many frames; the first is audible at `heard`.
    func play(_ frames: Int, heard: Instant) -> [Float] {
        var samples = [Float](repeating: .nan, count: frames * format.channels)
        var span = samples.mutableSpan
        render(&span, heard)
        return samples
    }
}

/// For any codec, its packets contain the raw samples (L16) behind the TOC byte of an Opus packet of 5 ms.
private final class FakeSoundEncoder: SoundEncoding {
    let codec: SoundCodec
    let format = SoundFormat.standard
    let framesPerPacket: Int
    let delayFrames: Int
    private let world: FakeSound
    /// The TOC byte of 5 ms of CELT, stereo, one frame (RFC 6716 section 3.1).
    static let head: UInt8 = 29 << 3 | 4
    /// Samples that are not in a packet yet, as real encoders delay some.
    private var held: [Float]

    init(_ encode: SoundEncode, _ world: FakeSound) {
        codec = encode.codec
        framesPerPacket = Int(encode.packetDuration.nanoseconds * 48 / 1_000_000)
        delayFrames = encode.codec == .pcm ? 0 : world.encoderDelay
        held = Array(repeating: 0, count: delayFrames * 2)
        self.world = world
    }

    func encode(_ samples: [Float]) throws(HelioError) -> [UInt8]? {
        if world.takeFailure() { throw HelioError(.encoderFailed, "It fails, as it was told to.") }
        held += samples
        let taken = held.prefix(samples.count)
        held.removeFirst(samples.count)
        let head: [UInt8] = codec == .opus ? [Self.head] : []
        return head
            + taken.flatMap { sample -> [UInt8] in
                let value = UInt16(bitPattern: Int16(max(-1, min(1, sample)) * 32767))
                return [UInt8(value >> 8), UInt8(value & 255)]
            }
    }

    func reconfigure(_ settings: SoundEncoderSettings) {}
}

private final class FakeSoundDecoder: SoundDecoding {
    let codec: SoundCodec
    let format: SoundFormat

    init(codec: SoundCodec, format: SoundFormat) {
        self.codec = codec
        self.format = format
    }

    func decode(_ payload: [UInt8]) -> [Float] {
        stride(from: codec == .opus ? 1 : 0, to: payload.count - 1, by: 2).map { index in
            Float(Int16(bitPattern: UInt16(payload[index]) << 8 | UInt16(payload[index + 1]))) / 32768
        }
    }

    func recover(from next: [UInt8], frames: Int) -> [Float]? { nil }
    func conceal(frames: Int) -> [Float]? { nil }
}
