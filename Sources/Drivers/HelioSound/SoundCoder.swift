package import HelioCore

/// Splits one origin's sound into packets, and encodes them once for each wanted `SoundEncode`.
///
/// Times count captured samples, so they follow the device's clock; across missing sound they follow the machine's
/// clock. They never decrease, even if capture restarts. An encoder's delay is subtracted, so that all encodings have
/// the same times. Digital silence is no longer sent once it has lasted for `longestSilence`, unless the demand
/// includes silence.
package final class SoundCoder {
    package enum Drop: String, Sendable, CaseIterable {
        /// A packet that its encoder failed to encode.
        case failed = "sound-encoder-failed"
        /// A wanted encoding for which there is no encoder.
        case missing = "sound-encoder-missing"
        /// A block longer than any device delivers at once.
        case tooLong = "sound-block-too-long"
        /// A block in an unknown format.
        case strange = "sound-format-unknown"
        /// A packet given to `pass` in a codec that no viewer wants.
        case unwanted = "sound-codec-unwanted"
    }

    /// The state of one encoding.
    private struct Line {
        let encode: SoundEncode
        let encoder: any SoundEncoding
        /// The time of the first sample of the next packet that is passed to the encoder.
        var next: Int64
        /// The number of silent sample frames directly before `next`.
        var silent = 0
        /// True while each packet follows the one before it without a gap.
        var isTalking = false
        var failures = 0
    }

    /// The length of silence after which nothing is sent: 200 ms in sample frames, enough for encoders to output the
    /// sound that they delay.
    package static let longestSilence = 9600
    /// The amplitude below which a sample is 0 in 16 bits.
    private static let inaudible: Float = 1 / 65536
    /// The longest block in sample frames at 48 kHz: 1 s.
    private static let longestBlock = 48000
    /// The number of consecutive failures after which an encoder is dropped, until its encoding is wanted anew.
    private static let failuresTolerated = 10

    private let origin: SoundOrigin
    private let makeEncoder: (SoundEncode) throws(HelioError) -> any SoundEncoding
    private let put: (EncodedSound) -> Void
    private let note: (String) -> Void
    private let makesEncoders: Bool

    private var demand = SoundDemand.none
    private var lines: [Line] = []
    private var converter: SoundConverter?
    /// The samples that at least one encoder has not consumed yet; `start` is the time of the first sample.
    private var waiting: [Float] = []
    private var start: Int64 = 0
    private var timeline: CaptureTimeline
    /// True once `pass` has sent a packet.
    private var hasPassed = false
    package private(set) var packets: [SoundEncode: Int] = [:]
    package private(set) var drops = DropCounter<Drop>()

    /// - Parameters:
    ///   - put: called with each packet.
    ///   - note: receives a note for the user if an encoder is not available.
    ///   - makesEncoders: false if all input arrives as packets, by `pass`.
    ///   - patience: the time for which timestamps must deviate before sound counts as missing.
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

    /// Sets the encodings to make from now on; all others end.
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
            // The encoder keeps its earlier settings.
            drops.count(.failed)
        }
    }

    private var end: Int64 { start + Int64(waiting.count / SoundFormat.standard.channels) }

    /// Marks a gap, because capture has ended or another device begins.
    package func interrupt() {
        timeline.interrupt()
        converter = nil
    }

    /// Accepts a block of sound, and encodes all complete packets.
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

    /// Appends samples to the queue; if sound is missing before them, drops the queued samples.
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

    /// Encodes the complete packets in the queue.
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

    /// Drops the samples that all encoders have consumed.
    private func forget() {
        let oldest = lines.map(\.next).min() ?? end
        guard oldest > start else { return }
        waiting.removeFirst(Int(oldest - start) * SoundFormat.standard.channels)
        start = oldest
    }

    /// Sends a packet that is already encoded, once for each wanted `SoundEncode` of its codec.
    ///
    /// - Returns: true if the packet's codec is wanted.
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
    /// The sort key, so that encoders are made and reported in the same order each time.
    fileprivate var order: String { "\(codec.rawValue) \(packetDuration.nanoseconds) \(bitrate)" }
}
