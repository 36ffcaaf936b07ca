package import HelioCore

/// Cuts one origin's sound into packets, and codes them once for each encode that somebody wants.
///
/// Time is counted in captured samples, so it is the device's clock that it follows; where sound is missing it goes on by
/// the machine's. It never goes back, however often capture begins anew. All encodes have the same time: what an encoder
/// delays its sound by is taken off. Digital silence is not sent once it has lasted for `longestSilence`, but where it is wanted.
package final class SoundCoder {
    package enum Drop: String, Sendable, CaseIterable {
        /// A packet that its encoder failed at.
        case failed = "sound-encoder-failed"
        /// An encode for which there is no encoder.
        case missing = "sound-encoder-missing"
        /// A block longer than any device gives at once.
        case tooLong = "sound-block-too-long"
        /// A block in a format that no sound has.
        case strange = "sound-format-unknown"
        /// A packet of a codec that nobody wants.
        case unwanted = "sound-codec-unwanted"
    }

    /// What is made for one encode.
    private struct Line {
        let encode: SoundEncode
        let encoder: any SoundEncoding
        /// The time of the first sample of the next packet that goes into the encoder.
        var next: Int64
        /// How many sample frames before `next` were silent, without a sound after them.
        var silent = 0
        /// True while each packet follows the one before it without a gap.
        var isTalking = false
        var failures = 0
    }

    /// The silence after which nothing is sent: 200 ms. The end of a sound is heard, and encoders have run empty.
    package static let longestSilence = 9600
    /// The loudest sample that 16 bits make nothing of.
    private static let inaudible: Float = 1 / 65536
    /// The longest block: a second.
    private static let longestBlock = 48000
    /// The failures after which an encoder is given up until it is asked for anew.
    private static let failuresTolerated = 10

    private let origin: SoundOrigin
    private let makeEncoder: (SoundEncode) throws(HelioError) -> any SoundEncoding
    private let put: (EncodedSound) -> Void
    private let note: (String) -> Void
    private let makesEncoders: Bool

    private var demand = SoundDemand.none
    private var lines: [Line] = []
    private var converter: SoundConverter?
    /// Samples that some encode has not taken yet, and the time of the first.
    private var waiting: [Float] = []
    private var start: Int64 = 0
    private var timeline: CaptureTimeline
    /// True once a packet was passed on.
    private var hasPassed = false
    package private(set) var packets: [SoundEncode: Int] = [:]
    package private(set) var drops = DropCounter<Drop>()

    /// - Parameters:
    ///   - put: takes each packet.
    ///   - note: takes a note for the person where an encoder can't be had.
    ///   - makesEncoders: false where all that comes is packets, by `pass`.
    ///   - patience: how long sound has to come late until some is taken to be missing.
    package init(
        _ origin: SoundOrigin, makesEncoders: Bool = true, patience: Duration = .milliseconds(300),
        makeEncoder: @escaping (SoundEncode) throws(HelioError) -> any SoundEncoding,
        put: @escaping (EncodedSound) -> Void, note: @escaping (String) -> Void
    ) {
        self.origin = origin
        self.makesEncoders = makesEncoders
        timeline = CaptureTimeline(patience: patience)
        self.makeEncoder = makeEncoder
        self.put = put
        self.note = note
    }

    /// Makes these encodes from now on; others end.
    package func set(_ demand: SoundDemand) {
        let isOtherwise =
            demand.lossShare != self.demand.lossShare || demand.takesSilence != self.demand.takesSilence
        let added = demand.encodes.subtracting(self.demand.encodes)
        self.demand = demand
        lines.removeAll { !demand.encodes.contains($0.encode) }
        if isOtherwise {
            for line in lines { configure(line.encoder, line.encode) }
        }
        if makesEncoders { for encode in added.sorted(by: { $0.order < $1.order }) { add(encode) } }
    }

    private func add(_ encode: SoundEncode) {
        do throws(HelioError) {
            let encoder = try makeEncoder(encode)
            guard encoder.format == .standard, (1...Self.longestBlock).contains(encoder.framesPerPacket) else {
                throw HelioError(.encoderFailed, "Its encoder takes another kind of sound.")
            }
            configure(encoder, encode)
            lines.append(Line(encode: encode, encoder: encoder, next: end))
        } catch {
            drops.count(.missing)
            note("Sound is not coded as \(encode.codec.rawValue): \(error.message)")
        }
    }

    private func configure(_ encoder: any SoundEncoding, _ encode: SoundEncode) {
        do {
            try encoder.reconfigure(
                SoundEncoderSettings(
                    bitrate: encode.bitrate, packetDuration: encode.packetDuration, lossShare: demand.lossShare,
                    codesRests: demand.takesSilence))
        } catch {
            // It goes on as it was.
            drops.count(.failed)
        }
    }

    private var end: Int64 { start + Int64(waiting.count / SoundFormat.standard.channels) }

    /// Takes note that sound is missing from here on: capture has ended, or another device begins.
    package func interrupt() {
        timeline.interrupt()
        converter = nil
    }

    /// Takes a stretch of sound, and codes what makes whole packets.
    package func take(_ block: SoundBlock) {
        guard block.frames > 0 else { return }
        guard block.frames <= Self.longestBlock * max(1, block.format.sampleRate / 48000) else {
            return drops.count(.tooLong)
        }
        if block.format == .standard {
            append(block.samples, captured: block.captured)
        } else {
            if converter?.input != block.format { converter = SoundConverter(from: block.format, to: .standard) }
            guard let made = converter?.convert(block.samples) else { return drops.count(.strange) }
            append(made.samples, captured: block.captured - made.delay)
        }
        for index in lines.indices.reversed() { code(&lines[index]) }
        lines.removeAll { line in
            guard line.failures >= Self.failuresTolerated else { return false }
            note("The encoder of \(line.encode.codec.rawValue) sound fails, and is given up.")
            return true
        }
        forget()
    }

    /// Appends samples to those that wait; where sound is missing before them, these are not coded any more.
    private func append(_ samples: [Float], captured: Instant) {
        let frames = samples.count / SoundFormat.standard.channels
        let time = timeline.place(end, captured: captured, frames: frames)
        if time > end {
            waiting.removeAll(keepingCapacity: true)
            start = time
            for index in lines.indices {
                lines[index].next = time
                lines[index].isTalking = false
            }
        }
        waiting += samples
    }

    /// Codes the whole packets that wait.
    private func code(_ line: inout Line) {
        let frames = line.encoder.framesPerPacket
        let channels = SoundFormat.standard.channels
        while end - line.next >= Int64(frames) {
            let first = Int(line.next - start) * channels
            let samples = waiting[first..<first + frames * channels]
            let time = line.next
            line.next += Int64(frames)
            line.silent = samples.allSatisfy { abs($0) < Self.inaudible } ? line.silent + frames : 0
            if line.silent > Self.longestSilence, !demand.takesSilence {
                line.isTalking = false
                continue
            }
            do {
                guard let payload = try line.encoder.encode(Array(samples)) else {
                    line.isTalking = false
                    continue
                }
                line.failures = 0
                send(
                    payload, as: line.encode, at: time - Int64(line.encoder.delayFrames), frames: frames,
                    beginsTalk: !line.isTalking)
                line.isTalking = true
            } catch {
                line.failures += 1
                line.isTalking = false
                drops.count(.failed)
            }
        }
    }

    private func send(_ payload: [UInt8], as encode: SoundEncode, at time: Int64, frames: Int, beginsTalk: Bool) {
        packets[encode, default: 0] += 1
        put(
            EncodedSound(
                origin: origin, encode: encode, payload: payload, mediaTime: time, frames: frames,
                captured: timeline.instant(of: time), beginsTalk: beginsTalk))
    }

    /// Drops the samples that all encodes have taken.
    private func forget() {
        let oldest = lines.map(\.next).min() ?? end
        guard oldest > start else { return }
        waiting.removeFirst(Int(oldest - start) * SoundFormat.standard.channels)
        start = oldest
    }

    /// Passes on a packet that is coded already, as each wanted encode of its codec.
    ///
    /// - Returns: whether anybody wants it.
    package func pass(_ payload: [UInt8], codec: SoundCodec, frames: Int, captured: Instant) -> Bool {
        let wanted = demand.encodes.filter { $0.codec == codec }.sorted { $0.order < $1.order }
        if wanted.isEmpty {
            drops.count(.unwanted)
            return false
        }
        let time = timeline.place(start, captured: captured, frames: frames)
        let isNext = time == start && hasPassed
        hasPassed = true
        start = time + Int64(frames)
        for encode in wanted {
            send(payload, as: encode, at: time, frames: frames, beginsTalk: !isNext)
        }
        return true
    }
}

extension SoundEncode {
    /// The order in which encodes are made and told of, the same each time.
    fileprivate var order: String { "\(codec.rawValue) \(packetDuration.nanoseconds) \(bitrate)" }
}
