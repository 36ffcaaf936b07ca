import HelioCore

// Fills the line with decoded sound, concealment or silence.
extension SoundPlayout {
    /// The maximum duration of concealment, in frames. Its volume is constant for the first `steady` frames, then
    /// fades.
    static let concealment = 3840
    private static let steady = 960
    /// The duration in frames beyond which an interruption counts as audible: 20 ms.
    private static let audible = 960
    /// The maximum length of a packet in frames: 120 ms, as in Opus; all other codecs have shorter packets.
    private static let mostFrames = 5760
    /// The tolerance in frames within which a packet follows its predecessor without a gap, as some media times are
    /// rounded, such as AAC's.
    private static let rounding: Int64 = 24

    /// Fills the line up to `wanted` frames: with packets, otherwise with concealment or silence.
    func fill(_ wanted: Int) {
        while line.count < wanted {
            let missing = wanted - line.count
            guard isPlaying else {
                isSilent = true
                return line.appendSilence(missing)
            }
            guard let next = packets.first else {
                starve(missing)
                continue
            }
            let gap = next.time - head
            if gap <= Self.rounding {
                playFirst()
            } else if isLeading || next.beginsTalk || next.sequence == lastSequence.map({ $0 &+ 1 }) {
                keepSilence(gap, missing)
            } else {
                bridge(gap, next)
            }
        }
    }

    /// Decodes packets ahead of time, as long as they follow without a gap, until `wanted` frames wait.
    func prefetch(_ wanted: Int) {
        while isPlaying, line.count < min(wanted, SoundLine.room / 2), let next = packets.first,
            next.time - head <= Self.rounding, concealed == 0
        {
            playFirst()
        }
    }

    // MARK: Playback

    private func playFirst() {
        guard let packet = packets.removeFirst() else { return }
        let last = lastSequence
        guard let block = decode(packet.codec, { try $0.decode(packet.payload) }) else { return }
        let frames = Int64(block.count / configuration.output.channels)
        let skip = max(0, head - packet.time)
        guard frames > skip else { return drops.count(frames == 0 ? .badLength : .late) }
        if let last, packet.sequence > last, packet.sequence - last < 1000 {
            statistics.lost += Int(packet.sequence - last - 1)
        }
        lastSequence = max(packet.sequence, last ?? 0)
        if packet.isRedundant { statistics.recovered += 1 }
        if concealed > Self.audible, concealsLoud { statistics.gaps += 1 }
        if unaccounted > 0, packet.sequence == last.map({ $0 &+ 1 }) { statistics.underruns += 1 }
        if isSilent {
            line.fadeIn()
        } else if concealed > 0 || lastCodec != packet.codec {
            fadeOver()
        }
        endConcealment()
        isSilent = false
        isLeading = false
        packetFrames = max(120, frames)
        lastCodec = packet.codec
        statistics.codec = packet.codec
        line.append(block, from: Int(skip))
        head = max(head, packet.time) + frames - skip
    }

    /// Decodes a block, and converts it to the output's channels. Returns `nil` if the decoder returns none, or fails,
    /// which counts as a drop.
    private func decode(
        _ codec: SoundCodec, _ body: (any SoundDecoding) throws -> [Float]?
    ) -> [Float]? {
        guard let decoder = decoder(of: codec) else {
            drops.count(.undecodable)
            return nil
        }
        let block: [Float]
        do {
            guard let decoded = try body(decoder) else { return nil }
            block = decoded
        } catch {
            drops.count(.undecodable)
            return nil
        }
        let channels = decoder.format.channels
        guard block.count <= Self.mostFrames * channels, block.count % channels == 0 else {
            drops.count(.badLength)
            return nil
        }
        return Self.convert(block, from: channels, to: configuration.output.channels)
    }

    private func decoder(of codec: SoundCodec) -> (any SoundDecoding)? {
        if let decoder = decoders[codec] { return decoder }
        guard !refused.contains(codec) else { return nil }
        let format = SoundFormat(sampleRate: Self.rate, channels: configuration.output.channels)
        if let decoder = try? makeDecoder(codec, format), decoder.format.sampleRate == Self.rate,
            (1...2).contains(decoder.format.channels)
        {
            decoders[codec] = decoder
            return decoder
        }
        refused.insert(codec)
        return nil
    }

    private static func convert(_ block: [Float], from: Int, to: Int) -> [Float] {
        if from == to { return block }
        if from == 1 { return block.flatMap { [$0, $0] } }
        return stride(from: 0, to: block.count, by: 2).map { (block[$0] + block[$0 + 1]) / 2 }
    }

    /// Cross-fades from a continuation of the present sound into the sound appended next.
    private func fadeOver() {
        var repeater = repeater ?? line.repeated()
        var next = repeater.take(SoundLine.fadeFrames)
        let gain = gainOfConcealment(at: concealed)
        if gain < 1 { for index in next.indices { next[index] *= gain } }
        line.fade(from: next)
    }

    // MARK: Silence

    /// Appends silence for a gap in which the source sent no packets (DTX).
    private func keepSilence(_ gap: Int64, _ missing: Int) {
        if concealed > 0 {
            // Count the concealed time as part of the gap, as it was silence at the source.
            let known = min(gap, unaccounted)
            head += known
            unaccounted = 0
            if known == gap { return }
        }
        if !isSilent { fadeOver() }
        endConcealment()
        isSilent = true
        let frames = min(gap, Int64(missing))
        line.appendSilence(Int(frames))
        head += frames
        if gap - frames > Int64(Self.audible), !isLeading { isPlaying = false }
    }

    /// Pauses playback. Only silence is appended until `begin` resumes it.
    func pause() {
        if !isSilent, concealed < Self.concealment { fadeOver() }
        endConcealment()
        // Set the flag even before silence is appended, so that sound that resumes at once fades in.
        isSilent = true
        isPlaying = false
        isLeading = false
    }

    // MARK: Loss

    /// Conceals missing sound while no packet waits: the next packet is lost or late, or the source sends no packets
    /// during silence (DTX).
    private func starve(_ missing: Int) {
        unaccounted += Int64(conceal(missing))
        endIfTooLong()
    }

    /// Fills a gap before a packet that has arrived: recovers the sound from that packet, or conceals it.
    private func bridge(_ gap: Int64, _ next: SoundPackets.Packet) {
        if unaccounted > 0 {
            let known = min(gap, unaccounted)
            head += known
            unaccounted -= known
            return
        }
        let length = min(gap, packetFrames)
        if gap <= packetFrames * 3 / 2 {
            // The packet's in-band redundancy restores its whole predecessor, part of whose time may have been
            // concealed already.
            let whole = max(packetFrames, (gap + 119) / 120 * 120)
            if let block = decode(next.codec, { try $0.recover(from: next.payload, frames: Int(whole)) }),
                !block.isEmpty
            {
                statistics.recovered += 1
                arrivals.take(transit: next.arrival - Double(head) / Double(Self.rate), now: next.arrival)
                if concealed > 0 { fadeOver() }
                endConcealment()
                isSilent = false
                let frames = Int64(block.count / configuration.output.channels)
                line.append(block, from: Int(max(0, frames - gap)))
                head += min(gap, frames)
                return
            }
            head += Int64(conceal(Int(gap)))
        } else {
            head += Int64(conceal(Int(length)))
        }
        endIfTooLong()
    }

    /// Appends concealment. Returns its number of frames, which may be less than `wanted`, or more, as some codecs
    /// conceal in multiples of 2.5 ms.
    private func conceal(_ wanted: Int) -> Int {
        let channels = configuration.output.channels
        var block: [Float]?
        if let lastCodec, repeater == nil {
            // Opus requires lengths that are multiples of 2.5 ms.
            let frames = min((wanted + 119) / 120 * 120, Int(packetFrames) / 120 * 120)
            block = decode(lastCodec) { try $0.conceal(frames: max(120, frames)) }
            if block?.isEmpty == true { block = nil }
        }
        if block == nil {
            var going = repeater ?? line.goOn()
            block = going.take(min(wanted, 480))
            repeater = going
        }
        guard var block else { return 0 }
        let frames = block.count / channels
        if concealed + frames > Self.steady {
            for frame in 0..<frames {
                let gain = gainOfConcealment(at: concealed + frame)
                for channel in 0..<channels { block[frame * channels + channel] *= gain }
            }
        }
        line.append(block)
        concealed += frames
        statistics.concealed += Double(frames) * 1000 / Double(Self.rate)
        if !concealsLoud { concealsLoud = block.contains { abs($0) > 0.001 } }
        return frames
    }

    private func gainOfConcealment(at frame: Int) -> Float {
        if frame <= Self.steady { return 1 }
        return max(0, 1 - Float(frame - Self.steady) / Float(Self.concealment - Self.steady))
    }

    private func endIfTooLong() {
        guard concealed >= Self.concealment else { return }
        brokeOffLoud = concealsLoud
        pause()
        brokeOff = true
    }

    private func endConcealment() {
        concealed = 0
        repeater = nil
        unaccounted = 0
        concealsLoud = false
    }
}
