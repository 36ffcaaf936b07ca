import HelioAppleMedia
import HelioCore
import HelioLinuxSound
import Synchronization
import Testing

@Suite("Captures of sound, and the platform of them")
struct SoundCaptureTests {
    private let runner = StepRunner()
    private let hardware = FakeHardware()
    private let feeds = SampleFeeds()

    private var sound: DeviceSound {
        DeviceSound(
            hardware, feeds: feeds,
            coders: DeviceSound.Coders(
                encoder: { format throws(HelioError) in try FFmpegUnits(format) },
                decoder: { format, configuration throws(HelioError) in
                    FFmpegUnitDecoder(decoder: try AACDecoder(format, configuration: configuration))
                }), now: runner.clock
        ) { [runner] _ in runner }
    }

    private let mono = DeviceSampleFormat(sampleRate: 48000, channels: 1)

    private func give(_ value: Float, to take: ([UnsafeRawBufferPointer]) -> Void) {
        withUnsafeBytes(of: value) { take([$0]) }
    }

    private func next(_ capture: any SoundCapturing) throws -> SoundCaptureEvent { try capture.next(until: .zero) }

    @Test("whoever captures the screen hears whether anybody wants its sound")
    func wanted() throws {
        let told = Mutex<[Set<SoundOrigin>]>([])
        feeds.announce("The screen", of: .system)
        feeds.listen { wanted in told.withLock { $0.append(wanted) } }
        var one: (any SoundCapturing)? = try sound.openCapture(.system, device: nil)
        var other: (any SoundCapturing)? = try sound.openCapture(.system, device: nil)
        #expect(one != nil && other != nil)
        // The other capture takes over.
        one = nil
        #expect(told.withLock { $0.last } == [.system])
        other = nil
        #expect(told.withLock { $0.first } == [] && told.withLock { $0.last } == [])
    }

    @Test("what an app plays and the microphone are fed apart, and never mixed up")
    func apart() throws {
        feeds.announce("The screen", of: .system)
        feeds.announce("The microphone", of: .microphone)
        let app = try sound.openCapture(.system, device: nil)
        let microphone = try sound.openCapture(.microphone, device: nil)
        #expect(app.deviceName == "The screen" && microphone.deviceName == "The microphone")
        give(0.5) { feeds.take($0, mono, of: .system, captured: .zero) }
        give(0.25) { feeds.take($0, mono, of: .microphone, captured: .zero) }
        guard case .sound(let one) = try next(app), case .sound(let other) = try next(microphone) else {
            Issue.record("no sound")
            return
        }
        #expect(one.samples == [0.5, 0.5] && other.samples == [0.25, 0.25])
        #expect(feeds.unclaimed == 0)
        // The broadcast's microphone is used, to which the person has consented: no other one is opened.
        #expect(hardware.sources.isEmpty)
    }

    @Test("samples that nobody wants are counted; without a feed there is none of what is played")
    func unclaimed() throws {
        give(0.5) { feeds.take($0, mono, of: .system, captured: .zero) }
        #expect(feeds.unclaimed == 1)
        let error = #expect(throws: HelioError.self) { try sound.openCapture(.system, device: nil) }
        #expect(error?.code == .unsupported)
        #expect(try sound.captureDevices(of: .system).isEmpty)
    }

    @Test("a microphone waits for permission, and a refusal is explained")
    func permission() throws {
        hardware.microphonePermission = .undetermined
        #expect(#expect(throws: HelioError.self) { try sound.openCapture(.microphone, device: nil) }?.code == .refused)
        #expect(hardware.asked == 1)
        hardware.microphonePermission = .denied
        let error = #expect(throws: HelioError.self) { try sound.openCapture(.microphone, device: nil) }
        #expect(error?.message.contains("Privacy") == true && hardware.asked == 1)
        hardware.microphonePermission = .granted
        #expect(try sound.openCapture(.microphone, device: nil).deviceName == "Microphone 1")
    }

    @Test("an interruption is told as a device that is gone, and its end as another device")
    func interruption() throws {
        let capture = try sound.openCapture(.microphone, device: nil)
        let first = try #require(hardware.sources.last)
        hardware.tell(.interruptionBegan)
        #expect(!first.isStarted)
        guard case .deviceLost = try next(capture) else {
            Issue.record("the loss is not told")
            return
        }
        give(1) { first.intake.take($0, mono, captured: .zero) }
        hardware.tell(.interruptionEnded(shouldResume: true))
        guard case .deviceChanged = try next(capture) else {
            Issue.record("the new device is not told")
            return
        }
        #expect(capture.deviceName == "Microphone 2")
        give(0.5) { first.intake.take($0, mono, captured: .zero) }
        guard case .sound = try next(capture), case .timeout = try next(capture) else {
            Issue.record("what came in the interruption was taken")
            return
        }
    }

    @Test("a microphone that can't be had again is tried again")
    func retry() throws {
        let capture = try sound.openCapture(.microphone, device: nil)
        hardware.failure = HelioError(.captureFailed, "busy")
        hardware.tell(.servicesReset)
        guard case .deviceLost = try next(capture) else {
            Issue.record("the loss is not told")
            return
        }
        hardware.failure = nil
        runner.advance(.milliseconds(500))
        guard case .deviceChanged = try next(capture) else {
            Issue.record("it was not tried again")
            return
        }
    }

    @Test("a capture that is let go of lets go of the device")
    func letGo() throws {
        var capture: (any SoundCapturing)? = try sound.openCapture(.microphone, device: nil)
        let source = try #require(hardware.sources.last)
        #expect(capture != nil && source.isStarted)
        capture = nil
        #expect(!source.isStarted && hardware.observation.isEnded.withLock { $0 })
    }

    @Test(
        "every codec of ours is there, and what is coded is heard again",
        arguments: [
            SoundEncode.pcm, .opus, .thinOpus, .aac,
        ])
    func codecs(encode: SoundEncode) throws {
        let encoder = try sound.makeEncoder(encode)
        let decoder = try sound.makeDecoder(encode.codec, format: .standard, configuration: [])
        var output: [Float] = []
        let packets = 48000 / encoder.framesPerPacket
        for packet in 0..<packets {
            let tone = Sine.samples(encoder.framesPerPacket, rate: 48000, from: packet * encoder.framesPerPacket)
            if let payload = try encoder.encode(tone.flatMap { [$0, $0] }) { output += try decoder.decode(payload) }
        }
        let pitch = Sine.pitch(of: Array(Sine.left(output).dropFirst(9600)), rate: 48000)
        #expect(abs(pitch - Sine.pitch) < 1)
        #expect(throws: HelioError.self) { try encoder.encode([0]) }
        #expect(throws: HelioError.self) { try decoder.decode([]) }
    }

    @Test("there is no microphone for other programs")
    func virtualMicrophone() {
        let error = #expect(throws: HelioError.self) { try sound.openVirtualMicrophone(name: "a") { _, _ in } }
        #expect(error?.code == .unsupported)
    }
}

/// FFmpeg's AAC encoder in place of the system's.
private final class FFmpegUnits: AccessUnitCoding {
    private let encoder: AACEncoder
    var delayFrames: Int { encoder.delayFrames }

    init(_ format: SoundFormat) throws(HelioError) { encoder = try AACEncoder(format, bitrate: 128_000) }

    func encode(_ samples: [Float]) throws(HelioError) -> [UInt8]? { try encoder.encode(samples) }
    func set(bitrate: Int) {
        encoder.reconfigure(SoundEncoderSettings(bitrate: bitrate, packetDuration: .milliseconds(20)))
    }
}

private final class FFmpegUnitDecoder: AccessUnitDecoding {
    private let decoder: AACDecoder

    init(decoder: AACDecoder) { self.decoder = decoder }

    func decode(_ unit: [UInt8]) throws(HelioError) -> [Float] { try decoder.decode(unit) }
}
