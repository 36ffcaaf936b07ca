import HelioBitstream
package import HelioCore
import HelioMPEGTS

/// Reads one program from an MPEG transport stream, strictly: every fault is counted, and the PES packet in which it
/// occurs is dropped, but no later one.
///
/// Append the bytes as they arrive, split anywhere, then call ``next()`` until it returns `nil`. The reader selects the
/// first program of the tables, and in it the first stream of H.264 or H.265 and the first stream of AAC (ADTS) or
/// Opus. A PES packet that states its length is output as soon as it is complete; any other one when the next PES
/// packet starts, or upon ``finish()``.
package struct TransportStreamReader: Sendable {
    private struct Stream: Sendable {
        /// The continuity counter of the last packet.
        var counter: UInt8?
        var units: PESAssembler
    }

    private var buffer: [UInt8] = []
    private var start = 0
    private var isInSync = true

    private var patCounter: UInt8?
    private var pmtCounter: UInt8?
    private var associations = SectionAssembler()
    private var maps = SectionAssembler()
    private var pmtPID: UInt16?
    private var map: ProgramMapTable?
    private var video: Stream
    private var sound: Stream
    private var times = TimeWidener()
    private var outputs: [TransportStreamOutput] = []
    private var taken = 0

    /// The faults so far, by kind.
    package private(set) var faults = DropCounter<TransportStreamFault>()
    /// The last program clock reference (PCR) in ticks of 27 MHz, not widened: a 33-bit count of 90 kHz, times 300,
    /// plus 0 to 299.
    package private(set) var pcr: Int64?

    /// - Parameter pictureLimit: the maximum size of a picture's PES packet in bytes; that of sound is limited to 64
    ///   KiB, as its length field has 16 bits.
    package init(pictureLimit: Int = TransportStream.maximumPicture) {
        // Add one transport packet, as the last one of a PES packet may be padded.
        video = Stream(units: PESAssembler(limit: pictureLimit + TransportStream.packetSize))
        sound = Stream(units: PESAssembler(limit: 1 << 16 + TransportStream.packetSize))
    }

    /// The number of buffered bytes of incomplete packets; bounded if ``next()`` is always called until it returns
    /// `nil`.
    package var bufferedByteCount: Int {
        buffer.count - start + video.units.bufferedByteCount + sound.units.bufferedByteCount
    }

    /// Appends bytes of the stream, in order.
    package mutating func append(_ bytes: [UInt8]) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next output; `nil` if more bytes are needed.
    package mutating func next() -> TransportStreamOutput? {
        while true {
            if taken < outputs.count {
                taken += 1
                return outputs[taken - 1]
            }
            outputs.removeAll(keepingCapacity: true)
            taken = 0
            guard takePacket() else { return nil }
        }
    }

    /// Ends the stream, and with it PES packets without a length; ``next()`` then returns their contents.
    package mutating func finish() {
        if let unit = video.units.end(&faults) { takePicture(unit) }
        if let unit = sound.units.end(&faults) { takeSound(unit) }
    }

    /// Reads and handles the next transport packet in the buffer; returns false if none is complete.
    private mutating func takePacket() -> Bool {
        while start < buffer.count, buffer[start] != TransportStream.syncByte {
            if isInSync { faults.count(.lostSync) }
            isInSync = false
            start += 1
        }
        guard buffer.count - start >= TransportStream.packetSize else { return false }
        isInSync = true
        let place = start
        start += TransportStream.packetSize
        do throws(TransportPacketError) {
            let packet = try TransportPacket(buffer.span.bytes, at: place)
            take(packet)
        } catch {
            faults.count(error.fault)
        }
        return true
    }

    private mutating func take(_ packet: TransportPacket) {
        if packet.pid == TransportStream.nullPID { return }
        if packet.pid == map?.pcrPID, let pcr = packet.pcr { self.pcr = pcr }
        switch packet.pid {
        case TransportStream.patPID:
            guard let isWhole = Self.follows(packet, &patCounter, &faults) else { return }
            if !isWhole { associations.reset() }
            let payload = Array(buffer[packet.payload])
            for section in associations.take(payload, startsUnit: packet.startsUnit, &faults) {
                takeAssociation(section)
            }
        case pmtPID:
            guard let isWhole = Self.follows(packet, &pmtCounter, &faults) else { return }
            if !isWhole { maps.reset() }
            let payload = Array(buffer[packet.payload])
            for section in maps.take(payload, startsUnit: packet.startsUnit, &faults) { takeMap(section) }
        case map?.videoPID:
            guard let isWhole = Self.follows(packet, &video.counter, &faults) else { return }
            if !isWhole { video.units.reset(&faults) }
            if packet.startsUnit {
                if let unit = video.units.end(&faults) { takePicture(unit) }
                video.units.begin()
            }
            if let unit = video.units.goOn(buffer[packet.payload], &faults) { takePicture(unit) }
        case map?.soundPID:
            guard let isWhole = Self.follows(packet, &sound.counter, &faults) else { return }
            if !isWhole { sound.units.reset(&faults) }
            if packet.startsUnit {
                if let unit = sound.units.end(&faults) { takeSound(unit) }
                sound.units.begin()
            }
            if let unit = sound.units.goOn(buffer[packet.payload], &faults) { takeSound(unit) }
        default: break
        }
    }

    /// Returns true if a packet's payload directly follows the last one of its stream, false if packets are missing,
    /// and `nil` if the packet has no payload or is a duplicate.
    private static func follows(
        _ packet: TransportPacket, _ counter: inout UInt8?, _ faults: inout DropCounter<TransportStreamFault>
    ) -> Bool? {
        guard packet.hasPayload else { return nil }
        defer { counter = packet.counter }
        guard let last = counter else { return true }
        if packet.counter == (last + 1) & 0x0F { return true }
        if packet.isDiscontinuity { return false }
        if packet.counter == last {
            faults.count(.duplicate)
            return nil
        }
        faults.count(.discontinuity)
        return false
    }

    private mutating func takeAssociation(_ section: [UInt8]) {
        guard let association = ProgramAssociationTable(section: section.span.bytes) else {
            return faults.count(.malformedTable)
        }
        guard association.pmtPID != pmtPID else { return }
        pmtPID = association.pmtPID
        pmtCounter = nil
        maps.reset()
        setMap(nil)
    }

    private mutating func takeMap(_ section: [UInt8]) {
        guard let pmtPID, let map = ProgramMapTable(section: section.span.bytes, pmtPID: pmtPID) else {
            return faults.count(.malformedTable)
        }
        guard map != self.map else { return }
        // A new table version with the same streams needs no reset.
        let isSame =
            map.program == self.map?.program && map.videoPID == self.map?.videoPID
            && map.soundPID == self.map?.soundPID
        if isSame { self.map = map } else { setMap(map) }
    }

    private mutating func setMap(_ map: ProgramMapTable?) {
        // End the PES packets of the old streams, as the new streams do not continue them.
        finish()
        video.counter = nil
        sound.counter = nil
        pcr = nil
        self.map = map
        if let map { outputs.append(.program(map.program)) }
    }

    // MARK: - Units

    private mutating func takePicture(_ unit: [UInt8]) {
        guard let codec = map?.program.video else { return }
        guard let header = PESHeader(unit.span.bytes, stream: .video) else { return faults.count(.malformedUnit) }
        let annexB = Array(unit[header.size...])
        var hasPicture = false
        let bytes = annexB.span.bytes
        AnnexB.forEachNALUnit(in: bytes) { range in
            if let first = bytes.uint8(at: range.lowerBound), NALHeader.isVCL(first, codec: codec) { hasPicture = true }
        }
        guard hasPicture else { return faults.count(.malformedContent) }
        let decode = times.widen(header.decode ?? header.presentation)
        let presentation = header.decode == nil ? decode : times.widen(header.presentation)
        outputs.append(
            .picture(
                TransportPicture(
                    annexB: annexB, presentation: presentation, decode: decode,
                    isKeyframe: AnnexB.containsKeyframe(bytes, codec: codec))))
    }

    private mutating func takeSound(_ unit: [UInt8]) {
        guard let program = map?.program.sound else { return }
        let stream: PESHeader.Stream = program == .aac ? .sound : .privateData
        guard let header = PESHeader(unit.span.bytes, stream: stream), header.decode == nil else {
            return faults.count(.malformedUnit)
        }
        let time = times.widen(header.presentation)
        let isWhole = program == .aac ? takeAAC(unit, header.size, time) : takeOpus(unit, header.size, time)
        if !isWhole { faults.count(.malformedContent) }
    }

    /// Outputs the AAC access units of a PES packet, each of which follows an ADTS header; returns false if one is
    /// malformed or truncated.
    private mutating func takeAAC(_ unit: [UInt8], _ offset: Int, _ time: Int64) -> Bool {
        var offset = offset
        var samples: Int64 = 0
        repeat {
            guard let header = ADTSHeader(unit.span.bytes, at: offset) else { return false }
            let start = offset + header.headerSize
            guard header.unitSize <= unit.count - start else { return false }
            offset = start + header.unitSize
            let passed = samples * TransportStream.rate / Int64(header.config.sampleRate)
            outputs.append(
                .sound(
                    TransportSoundUnit(
                        bytes: Array(unit[start..<offset]), config: header.config, presentation: time &+ passed)))
            samples += Int64(header.config.unitLength)
        } while offset < unit.count
        return true
    }

    /// Outputs the Opus packets of a PES packet; returns false if one is malformed or truncated.
    private mutating func takeOpus(_ unit: [UInt8], _ offset: Int, _ time: Int64) -> Bool {
        var offset = offset
        var samples: Int64 = 0
        repeat {
            guard let header = OpusControlHeader(unit.span.bytes, at: offset) else { return false }
            let start = offset + header.size
            guard header.packetSize <= unit.count - start else { return false }
            offset = start + header.packetSize
            let bytes = Array(unit[start..<offset])
            guard let packet = OpusPacket(bytes.span.bytes) else { return false }
            outputs.append(
                .sound(
                    TransportSoundUnit(
                        bytes: bytes, config: nil, presentation: time &+ samples * TransportStream.rate / 48000)))
            samples += Int64(packet.frames)
        } while offset < unit.count
        return true
    }
}
