import HelioCore
import Synchronization
import Testing

@testable import HelioLinuxSink

/// The automatic choice between software and NVIDIA's engine, by injected measurements.
@Suite struct DecoderMeasurementTests {
    private static let hd = PixelSize(width: 1280, height: 720)
    private static let fullHD = PixelSize(width: 1920, height: 1080)
    private static let uhd = PixelSize(width: 3840, height: 2160)

    /// A machine whose every measurement takes `step`.
    private final class Machine: Sendable {
        private let state = Mutex((now: Instant.zero, asked: [String]()))
        let step: Duration
        init(step: Duration = .zero) { self.step = step }

        var now: Instant { state.withLock { $0.now } }
        var asked: [String] { state.withLock { $0.asked } }

        func note(_ codec: VideoCodec, _ size: PixelSize) {
            state.withLock {
                $0.now = $0.now + step
                $0.asked.append("\(codec) \(size)")
            }
        }
    }

    private static func measurement(
        _ machine: Machine = Machine(), device: (any DecodingDevice)? = StandInDevice(),
        _ times: @escaping @Sendable (VideoCodec, PixelSize) -> DecodingTimes?
    ) -> DecoderMeasurement {
        DecoderMeasurement(
            open: { device },
            time: { codec, size, _, _ in
                machine.note(codec, size)
                return times(codec, size)
            }, now: { machine.now })
    }

    /// Decoding times in proportion to the size, plus a fixed time per picture for the device.
    private static func times(_ size: PixelSize, software: Int, device: Int, fixed: Int) -> DecodingTimes {
        DecodingTimes(
            software: .microseconds(software * size.area / 1_000_000),
            device: .microseconds(fixed + device * size.area / 1_000_000))
    }

    @Test("without a device software decodes, and nothing is measured")
    func absent() {
        let machine = Machine()
        let measurement = Self.measurement(machine, device: nil) { _, _ in nil }
        measurement.measure()
        #expect(measurement.device(for: .h264, size: Self.uhd) == nil && measurement.codecs.isEmpty)
        #expect(machine.asked.isEmpty)
    }

    @Test("a device that is slower is not taken at any size")
    func slower() {
        let machine = Machine()
        let measurement = Self.measurement(machine) { Self.times($1, software: 3000, device: 4000, fixed: 1000) }
        measurement.measure()
        for codec in VideoCodec.allCases {
            for size in DecoderMeasurement.sizes { #expect(measurement.device(for: codec, size: size) == nil) }
        }
        #expect(measurement.codecs.isEmpty)
        #expect(machine.asked.prefix(3) == ["h264 1920x1080", "h264 2560x1440", "h264 3840x2160"])
    }

    @Test("a device that is faster is taken, from the least size on at which it is")
    func faster() {
        let device = StandInDevice()
        let machine = Machine()
        let measurement = Self.measurement(machine, device: device) { _, size in
            Self.times(size, software: 20_000, device: 1000, fixed: 2000)
        }
        #expect(measurement.device(for: .h264, size: Self.uhd) == nil, "not measured yet")
        measurement.measure()
        #expect(measurement.codecs == [.h264, .h265])
        for size in DecoderMeasurement.sizes + [
            PixelSize(width: 1920, height: 1088), PixelSize(width: 7680, height: 4320),
        ] {
            #expect(measurement.device(for: .h264, size: size) === device)
        }
        #expect(measurement.device(for: .h264, size: PixelSize(width: 1024, height: 576)) == nil)
        #expect(machine.asked.prefix(2) == ["h264 1920x1080", "h264 1280x720"])
    }

    @Test("a device may be faster for large pictures alone, and for one codec alone")
    func byCodecAndSize() {
        let measurement = Self.measurement { codec, size in
            codec == .h264
                ? Self.times(size, software: 3000, device: 1000, fixed: 5000)
                : Self.times(size, software: 3000, device: 5000, fixed: 0)
        }
        measurement.measure()
        #expect(measurement.codecs == [.h264])
        #expect(measurement.device(for: .h264, size: Self.fullHD) == nil)
        #expect(measurement.device(for: .h264, size: PixelSize(width: 2560, height: 1440)) != nil)
        #expect(measurement.device(for: .h264, size: Self.uhd) != nil)
        #expect(measurement.device(for: .h265, size: Self.uhd) == nil)
    }

    @Test("software that has room left keeps H.264, of which it decodes only what has changed; not so H.265")
    func roomLeft() {
        let quick = DecodingTimes(software: .milliseconds(8), device: .milliseconds(2))
        #expect(!quick.prefersDevice(for: .h264) && quick.prefersDevice(for: .h265))
        let slow = DecodingTimes(software: .milliseconds(9), device: .milliseconds(2))
        #expect(slow.prefersDevice(for: .h264) && slow.prefersDevice(for: .h265))
        let slower = DecodingTimes(software: .milliseconds(9), device: .milliseconds(9))
        #expect(!slower.prefersDevice(for: .h264) && !slower.prefersDevice(for: .h265))
    }

    @Test("what is not measured in time is left to software, and larger pictures follow the last result")
    func outOfTime() {
        let machine = Machine(step: .milliseconds(200))
        let measurement = Self.measurement(machine) { Self.times($1, software: 20_000, device: 1000, fixed: 2000) }
        measurement.measure()
        #expect(machine.asked == ["h264 1920x1080", "h264 1280x720"])
        #expect(measurement.codecs == [.h264])

        let slowMachine = Machine(step: DecoderMeasurement.limit)
        let late = Self.measurement(slowMachine) { Self.times($1, software: 20_000, device: 1000, fixed: 2000) }
        late.measure()
        #expect(slowMachine.asked == ["h264 1920x1080"])
        #expect(late.device(for: .h264, size: Self.hd) == nil && late.device(for: .h264, size: Self.uhd) != nil)

        let none = Self.measurement { _, _ in nil }
        none.measure()
        #expect(none.codecs.isEmpty)
    }

    @Test("a decoder made before the measurement has ended begins in software, and takes the device at a keyframe")
    func nobodyWaits() throws {
        let device = StandInDevice()
        let measurement = Self.measurement(device: device) { Self.times($1, software: 20_000, device: 1000, fixed: 0) }
        let decoder = try FFmpegDecoder(.h264, device: nil, choose: { measurement.device(for: $0, size: $1) })
        let stream = try TestStream.generate("color=gray:s=1280x720:r=30", frames: 2, parameters: "")
        #expect(try decoder.decode(stream[0]) != nil && !decoder.isHardware)
        measurement.measure()
        #expect(try decoder.decode(stream[1]) != nil && !decoder.isHardware, "no keyframe")
        #expect(try decoder.decode(stream[0]) != nil && decoder.isHardware && decoder.decodedByHardware)
    }

    @Test("automatic takes the device where it was measured, software takes none; H.265 is reported")
    func catalog() throws {
        let measurement = Self.measurement { Self.times($1, software: 20_000, device: 1000, fixed: 0) }
        measurement.measure()
        #expect(DecoderCatalog.hardware(of: .automatic, measurement: measurement) == [.h265])
        #expect(DecoderCatalog.hardware(of: .software, measurement: measurement).isEmpty)
        let frame = try TestStream.generate("color=gray:s=1280x720:r=30", frames: 1, parameters: "")[0]
        let automatic = try DecoderCatalog.make(.h264, measurement: measurement)
        #expect(try automatic.decode(frame) != nil && automatic.isHardware)
        let software = try DecoderCatalog.make(.h264, choice: .software, measurement: measurement)
        #expect(try software.decode(frame) != nil && !software.isHardware)
    }

    @Test("without a card the error names what is missing")
    func noCard() throws {
        guard DecoderCatalog.hardware(of: .named("nvdec")).isEmpty else {
            return try DecoderCatalog.check(.named("nvdec"))
        }
        let missing = #expect(throws: HelioError.self) { try DecoderCatalog.check(.named("nvdec")) }
        #expect(missing?.code == .unsupported && missing?.message.contains("NVIDIA card") == true)
        let refused = #expect(throws: HelioError.self) { try DecoderCatalog.make(.h264, choice: .named("nvdec")) }
        #expect(refused?.code == .unsupported && refused?.message.contains("NVDEC") == true)
        let unknown = #expect(throws: HelioError.self) { try DecoderCatalog.make(.h264, choice: .named("magic")) }
        #expect(unknown?.code == .invalidArgument && unknown?.message.contains("nvdec") == true)
    }

    @Test("FFmpeg makes the pictures that are measured, and each decodes at once", arguments: VideoCodec.allCases)
    func trialStream(codec: VideoCodec) throws {
        let stream = try #require(TrialStream(codec, Self.hd))
        let decoder = try FFmpegDecoder(codec)
        var bytes = 0
        for number in 0..<3 {
            let unit = try #require(stream.next(number))
            bytes += unit.count
            let picture = try decoder.decodePart(
                unit, isFirst: true, isLast: true, isKeyframe: number == 0, frameIndex: UInt64(number), mediaTime: 0)
            #expect(picture?.size == Self.hd)
        }
        #expect(bytes > 20_000, "\(bytes): a flat picture measures nothing")
    }
}
