import HelioBitstream
import HelioCore
import HelioFuzzing
import Testing

@testable import HelioMPEGTS
@testable import HelioReceivers

/// The writer and the reader together, and the layout of the packets.
struct TransportStreamTests {
    static let config = AudioSpecificConfig(SoundFormat(sampleRate: 48000, channels: 2))
    static let keyframe: [UInt8] = [0, 0, 0, 1, 0x67, 1, 2, 3, 0, 0, 0, 1, 0x68, 4, 5, 0, 0, 0, 1, 0x65, 0x88]
    static let opusPacket: [UInt8] = [0xFC, 1, 2, 3]

    static func picture(_ size: Int, isKeyframe: Bool = false) -> [UInt8] {
        (isKeyframe ? keyframe : [0, 0, 0, 1, 0x41]) + [UInt8](repeating: 0x9A, count: size)
    }

    static func read(_ stream: [UInt8], piece: Int = .max) -> ([TransportStreamOutput], [String: Int]) {
        var reader = TransportStreamReader()
        var outputs: [TransportStreamOutput] = []
        var rest = stream[...]
        while !rest.isEmpty {
            reader.append(Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
            while let output = reader.next() { outputs.append(output) }
        }
        reader.finish()
        while let output = reader.next() { outputs.append(output) }
        return (outputs, reader.faults.byName)
    }

    static func packets(_ stream: [UInt8]) throws -> [TransportPacket] {
        try stride(from: 0, to: stream.count, by: 188).map { try TransportPacket(stream.span.bytes, at: $0) }
    }

    /// Units of all sizes around that of a packet, so that each number of stuffing bytes occurs.
    @Test(arguments: [VideoCodec.h264, .h265])
    func sizes(codec: VideoCodec) throws {
        var writer = try TransportStreamWriter(video: codec)
        var stream: [UInt8] = []
        let head: [UInt8] =
            codec == .h264
            ? Self.keyframe : [0, 0, 1, 0x40, 1, 9, 0, 0, 1, 0x42, 1, 9, 0, 0, 1, 0x44, 1, 9, 0, 0, 1, 0x26, 1, 9]
        for size in 0..<600 {
            try writer.write(video: head + [UInt8](repeating: 1, count: size), at: Int64(size) * 1500, into: &stream)
            #expect(stream.count.isMultiple(of: 188))
        }
        let (outputs, faults) = Self.read(stream)
        #expect(faults.isEmpty)
        #expect(outputs.first == .program(TransportProgram(video: codec)))
        #expect(outputs.count == 601)
        for (size, output) in outputs.dropFirst().enumerated() {
            guard case .picture(let picture) = output else { return #expect(Bool(false)) }
            #expect(picture.isKeyframe)
            #expect(picture.presentation == Int64(size) * 1500)
            #expect(picture.annexB.suffix(size + 3).elementsEqual(head.suffix(3) + Array(repeating: 1, count: size)))
        }
    }

    /// Each picture has exactly one access unit delimiter, and each keyframe the newest parameter sets.
    @Test func parameterSets() throws {
        var writer = try TransportStreamWriter(video: .h264)
        var stream: [UInt8] = []
        let (sps, pps): ([UInt8], [UInt8]) = ([0, 0, 0, 1, 0x67, 7], [0, 0, 0, 1, 0x68, 8])
        let (idr, slice): ([UInt8], [UInt8]) = ([0, 0, 0, 1, 0x65, 1], [0, 0, 0, 1, 0x41, 2])
        let delimiter: [UInt8] = [0, 0, 0, 1, 0x09, 0xF0]
        #expect(throws: TransportStreamError.noParameterSets) { try writer.write(video: idr, at: 0, into: &stream) }
        #expect(throws: TransportStreamError.noPicture) { try writer.write(video: sps, at: 0, into: &stream) }
        #expect(throws: TransportStreamError.noPicture) { try writer.write(video: [1, 2], at: 0, into: &stream) }
        #expect(stream.isEmpty)
        #expect(try writer.write(video: delimiter + sps + pps + idr, at: 0, into: &stream))
        #expect(try !writer.write(video: slice, at: 1500, into: &stream))
        #expect(try writer.write(video: idr, at: 3000, into: &stream))
        let (outputs, faults) = Self.read(stream)
        #expect(faults.isEmpty)
        let pictures = outputs.compactMap { output -> [UInt8]? in
            if case .picture(let picture) = output { picture.annexB } else { nil }
        }
        #expect(pictures == [delimiter + sps + pps + idr, delimiter + slice, delimiter + sps + pps + idr])
    }

    /// A minute of pictures and sound: tables at least every 100 ms and before each keyframe, the PCR at least every 40
    /// ms and never ahead of the decoding time, and continuity counters without gaps.
    @Test(arguments: [(10, 1024), (30, 1024), (60, 960), (0, 1024)])
    func pcrAndTables(rate: Int, soundLength: Int) throws {
        let isOpus = soundLength == 960
        var writer = try TransportStreamWriter(
            video: rate > 0 ? .h264 : nil, sound: isOpus ? .opus(channels: 2) : .aac(Self.config))
        var (nextPicture, nextSound): (Int64, Int64) = (0, 0)
        var counters: [UInt16: UInt8] = [:]
        var (lastClock, lastTables): (Int64?, Int64) = (nil, 0)
        while min(nextPicture, nextSound) < 90000 * 60 {
            var stream: [UInt8] = []
            let time: Int64
            var isKeyframe = false
            if rate > 0, nextPicture <= nextSound {
                time = nextPicture
                isKeyframe = nextPicture % 180_000 == 0
                try writer.write(video: Self.picture(3000, isKeyframe: isKeyframe), at: time, into: &stream)
                nextPicture += 90000 / Int64(rate)
            } else {
                time = nextSound
                try writer.write(sound: isOpus ? Self.opusPacket : [1, 2, 3], at: time, into: &stream)
                nextSound += Int64(soundLength) * 90000 / 48000
                if rate == 0 { nextPicture = nextSound }
            }
            let packets = try Self.packets(stream)
            if isKeyframe {
                #expect(packets[0].pid == 0)
                #expect(packets[1].pid == 0x1000)
            }
            for packet in packets {
                if packet.pid == 0 {
                    #expect(time - lastTables <= 9000 + 1920)
                    lastTables = time
                }
                if let pcr = packet.pcr {
                    #expect(pcr.isMultiple(of: 300))
                    // The 33-bit value, sign-extended for times before the epoch.
                    let ticks = ((pcr / 300) << 31) >> 31
                    #expect(ticks <= time)
                    if let lastClock {
                        #expect(ticks > lastClock)
                        #expect(ticks - lastClock <= 3600)
                    }
                    lastClock = ticks
                }
                guard packet.hasPayload else { continue }
                if let last = counters[packet.pid] { #expect(packet.counter == (last + 1) & 15) }
                counters[packet.pid] = packet.counter
            }
        }
        #expect(lastClock ?? 0 > 90000 * 59)
    }

    /// Timestamps continue where 33 bits wrap, at every distance from the wrap.
    @Test(arguments: [0, 1, 2999, 3000, 3001, 90000] as [Int64])
    func wrap(before: Int64) throws {
        var writer = try TransportStreamWriter(video: .h264, sound: .opus(channels: 2))
        let start = Int64(1) << 33 - before
        var stream: [UInt8] = []
        for index in 0..<200 as Range<Int64> {
            let time = start + index * 1500
            try writer.write(
                video: Self.picture(10, isKeyframe: index == 0), at: time + 3000, decodedAt: time, into: &stream)
            try writer.write(sound: Self.opusPacket, at: time - 200, into: &stream)
        }
        let (outputs, faults) = Self.read(stream)
        #expect(faults.isEmpty)
        // The first timestamp is read as its 33-bit value.
        let shift = start - start & ((1 << 33) - 1)
        var index: Int64 = 0
        for output in outputs {
            switch output {
            case .program: break
            case .picture(let picture):
                #expect(picture.decode == start + index * 1500 - shift)
                #expect(picture.presentation == picture.decode + 3000)
            case .sound(let sound):
                #expect(sound.presentation == start + index * 1500 - 200 - shift)
                index += 1
            }
        }
        #expect(index == 200)
    }

    /// A picture too large for the 16-bit length field ends with the next one; a smaller one is complete at once.
    @Test func largePictures() throws {
        var writer = try TransportStreamWriter(video: .h264)
        var reader = TransportStreamReader()
        var stream: [UInt8] = []
        try writer.write(video: Self.picture(65000, isKeyframe: true), at: 0, into: &stream)
        reader.append(stream)
        var count = 0
        while let output = reader.next() { if case .picture = output { count += 1 } }
        #expect(count == 1)
        stream = []
        try writer.write(video: Self.picture(3_000_000), at: 1500, into: &stream)
        reader.append(stream)
        #expect(reader.next() == nil)
        #expect(reader.bufferedByteCount > 3_000_000)
        stream = []
        try writer.write(video: Self.picture(10), at: 3000, into: &stream)
        reader.append(stream)
        while let output = reader.next() { if case .picture = output { count += 1 } }
        #expect(count == 3)
        #expect(reader.faults.total == 0)
        #expect(throws: TransportStreamError.tooLarge) {
            try writer.write(video: Self.picture(9_000_000), at: 4500, into: &stream)
        }
    }

    /// After a change of the streams, new tables are written at once, and the reader follows.
    @Test func change() throws {
        var writer = try TransportStreamWriter(video: .h264)
        var stream: [UInt8] = []
        try writer.write(video: Self.keyframe, at: 0, into: &stream)
        try writer.change(video: .h264, sound: .opus(channels: 1))
        try writer.write(sound: Self.opusPacket, at: 10, into: &stream)
        try writer.change(video: nil, sound: .opus(channels: 1))
        try writer.write(sound: Self.opusPacket, at: 20, into: &stream)
        let (outputs, faults) = Self.read(stream)
        #expect(faults.isEmpty)
        let programs = outputs.compactMap { output -> TransportProgram? in
            if case .program(let program) = output { program } else { nil }
        }
        #expect(
            programs == [
                TransportProgram(video: .h264), TransportProgram(video: .h264, sound: .opus(channels: 1)),
                TransportProgram(sound: .opus(channels: 1)),
            ])
        #expect(throws: TransportStreamError.noSuchStream) { try writer.write(video: [], at: 0, into: &stream) }
        #expect(throws: TransportStreamError.noSuchStream) { try writer.change(video: nil) }
        #expect(throws: TransportStreamError.unsupportedSound) {
            try writer.write(sound: [0xFF], at: 0, into: &stream)
        }
    }

    /// After a step back, the PCR has a discontinuity mark, and continues from there.
    @Test func stepBack() throws {
        var writer = try TransportStreamWriter(video: .h264)
        var stream: [UInt8] = []
        try writer.write(video: Self.keyframe, at: 900_000, into: &stream)
        stream = []
        try writer.write(video: Self.picture(10), at: 0, into: &stream)
        let packets = try Self.packets(stream)
        #expect(packets.map(\.pid) == [0, 0x1000, 0x100])
        #expect(packets[2].isDiscontinuity)
        let pcr: Int64 = ((1 << 33) - 9000) * 300
        #expect(packets[2].pcr == pcr)
    }

    @Test func messages() {
        #expect(Array(TransportStream.messages(in: 188 * 16)) == [0..<1316, 1316..<2632, 2632..<3008])
        #expect(Array(TransportStream.messages(in: 1316)) == [0..<1316])
        #expect(Array(TransportStream.messages(in: 0)).isEmpty)
    }

    /// Random programs, units and times are read unchanged, however the stream is split.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func seeds(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let script = (0..<Int.random(in: 1...3000, using: &generator)).map { _ in
            UInt8.random(in: .min ... .max, using: &generator)
        }
        TransportStreamFuzz.run(script)
    }
}
