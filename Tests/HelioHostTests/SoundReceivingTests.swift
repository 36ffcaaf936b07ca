import HelioCore
import HelioMedia
import HelioOpenSSL
import HelioProtection
import HelioRTP
import HelioSimulation
import Testing

@testable import HelioSession

/// Malicious packets of a host, or of an attacker on the path, in sound streams.
@Suite("Hostile sound")
struct SoundReceivingTests {
    /// A viewer's receiver, and a host that has the key and sends arbitrary packets.
    private final class Stage {
        static let ssrc = SSRC(77)
        let receiving: SoundReceiving
        private var sealer: SRTPSender
        private(set) var sounds: [ReceivedSound] = []
        private(set) var clocks: [SoundClock] = []

        init(takes: Set<SoundCodec> = [.pcm, .opus]) throws {
            var random = SeededGenerator(seed: 3)
            let key = SRTPMasterKey(profile: StreamOffer.profile, using: &random)
            let offer = StreamOffer.Sound(.system, codecs: [.pcm, .opus], key: key)
            receiving = try SoundReceiving(offer, ssrc: Self.ssrc, takes: takes, crypto: OpenSSLCrypto())
            sealer = try SRTPSender(key: key, crypto: OpenSSLCrypto())
        }

        func sealed(_ type: UInt8, _ sequence: UInt64, _ timestamp: UInt32, _ payload: [UInt8]) throws -> [UInt8] {
            let number = ExtendedSequence(sequence)
            var packet: [UInt8] = []
            RTPHeader(
                marker: false, payloadType: PayloadType(type), sequence: number.wire, timestamp: timestamp,
                ssrc: Self.ssrc
            ).write(into: &packet, hasExtension: false)
            packet += payload
            try sealer.protect(rtp: &packet, headerLength: 12, sequence: number)
            return packet
        }

        func receive(_ datagram: [UInt8]) {
            guard let (packet, header, sequence) = receiving.open(rtp: datagram) else { return }
            receiving.handle(packet, header, sequence, now: .zero) { take($0) }
        }

        func send(_ type: UInt8, _ sequence: UInt64, _ timestamp: UInt32, _ payload: [UInt8]) throws {
            receive(try sealed(type, sequence, timestamp, payload))
        }

        func report(ntp: UInt64, timestamp: UInt32, of ssrc: SSRC = Stage.ssrc) throws {
            var bytes: [UInt8] = []
            RTCPPacket.senderReport(
                SenderReport(ssrc: ssrc, ntpTime: ntp, rtpTimestamp: timestamp, packetCount: 0, octetCount: 0)
            ).write(into: &bytes)
            try sealer.protect(rtcp: &bytes)
            for packet in receiving.open(rtcp: bytes) ?? [] { receiving.handle(packet, now: .zero) { take($0) } }
        }

        private func take(_ output: SoundReceiving.Output) {
            switch output {
            case .sound(let sound): sounds.append(sound)
            case .clock(let clock): clocks.append(clock)
            }
        }

        var drops: [String: Int] { receiving.allDrops }
    }

    private static func red(_ blocks: [(type: UInt8, offset: UInt16, payload: [UInt8])], _ payload: [UInt8]) -> [UInt8]
    {
        var bytes: [UInt8] = []
        RedundantPayload(
            PayloadType(101), payload: payload,
            earlier: blocks.map { .init(PayloadType($0.type), timestampOffset: $0.offset, payload: $0.payload) }
        ).write(into: &bytes)
        return bytes
    }

    @Test("forged, replayed and cut packets are counted drops")
    func forged() throws {
        let stage = try Stage()
        let genuine = try stage.sealed(101, 5, 1000, [1, 2, 3, 4])
        for bit in 0..<genuine.count * 8 {
            var changed = genuine
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            stage.receive(changed)
        }
        for length in 0..<genuine.count { stage.receive(Array(genuine.prefix(length))) }
        #expect(stage.sounds.isEmpty)
        stage.receive(genuine)
        for _ in 0..<10 { stage.receive(genuine) }
        #expect(stage.sounds.count == 1)
        #expect(stage.drops["srtp-replayed"] == 10)
        #expect(stage.drops["sound-not-genuine"] == genuine.count * 8 + genuine.count + 10)
    }

    @Test("types that are not the stream's, or were not agreed on, are counted drops")
    func types() throws {
        let stage = try Stage(takes: [.opus])
        for type in UInt8(0)..<128 { try stage.send(type, UInt64(type), 0, [9, 9, 9, 9]) }
        // Payload type 103 is redundancy (RED); the unknown 9 is the type of a block in it.
        #expect(stage.sounds.map(\.codec) == [.opus])
        #expect(stage.drops["media-unknown-payload-type"] == 126)
        #expect(stage.drops["sound-unknown-payload-type"] == 1)
        let other = try Stage(takes: [.pcm])
        for type in UInt8(0)..<128 { try other.send(type, UInt64(type), 0, [9, 9, 9, 9]) }
        #expect(other.sounds.map(\.codec) == [.pcm])
    }

    @Test("samples that are no whole frames, and packets without a payload")
    func samples() throws {
        let stage = try Stage()
        for count in 0..<9 { try stage.send(102, UInt64(count), 0, [UInt8](repeating: 1, count: count)) }
        #expect(stage.sounds.map(\.payload.count) == [4, 8])
        #expect(stage.drops["sound-malformed-sound"] == 6)
        try stage.send(101, 20, 0, [])
        #expect(stage.sounds.count == 2)
    }

    @Test("what is repeated has its own number and time, and comes once, whichever way it comes first")
    func repeated() throws {
        let stage = try Stage()
        try stage.send(101, 10, 4800, [10])
        // Packets 11 and 12 are lost.
        try stage.send(103, 13, 5520, Self.red([(101, 480, [11]), (101, 240, [12])], [13]))
        #expect(stage.sounds.map(\.sequence.rawValue) == [10, 11, 12, 13])
        #expect(stage.sounds.map(\.mediaTime) == [4800, 5040, 5280, 5520])
        #expect(stage.sounds.map(\.payload) == [[10], [11], [12], [13]])
        #expect(stage.sounds.map(\.isRedundant) == [false, true, true, false])
        // Packet 12 was only late.
        try stage.send(101, 12, 5280, [12])
        try stage.send(103, 14, 5760, Self.red([(101, 480, [12]), (101, 240, [13])], [14]))
        #expect(stage.sounds.map(\.sequence.rawValue) == [10, 11, 12, 13, 14])
    }

    @Test("what is repeated from before a silence is left out: it would seem to have been under way for as long")
    func beforeSilence() throws {
        let stage = try Stage()
        try stage.send(101, 10, 4800, [10])
        try stage.send(103, 12, 5040 + 2881, Self.red([(101, 2881, [11])], [12]))
        #expect(stage.sounds.map(\.sequence.rawValue) == [10, 12])
        try stage.send(103, 14, 10_801 + 2880, Self.red([(101, 2880, [13])], [14]))
        #expect(stage.sounds.map(\.sequence.rawValue) == [10, 12, 13, 14])
    }

    @Test("junk in what repeats harms nothing: wrong types, itself in itself, empty, cut, before the first number")
    func redundancyJunk() throws {
        let stage = try Stage()
        try stage.send(103, 0, 0, Self.red([(101, 100, [1]), (101, 50, [2])], [3]))
        #expect(stage.sounds.map(\.payload) == [[3]], "there is nothing before number 0")
        try stage.send(103, 50, 9000, Self.red([(103, 480, [1]), (102, 240, [1, 2, 3, 4])], [5]))
        #expect(stage.sounds.map(\.payload) == [[3], [5]])
        #expect(stage.drops["sound-unknown-payload-type"] == 2)
        try stage.send(103, 52, 9000, Self.red([(101, 240, [])], []))
        #expect(stage.sounds.count == 2)
        var random = SeededGenerator(seed: 9)
        for number in UInt64(100)..<3000 {
            let junk = (0..<Int.random(in: 1...60, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
            }
            try stage.send(103, number, UInt32.random(in: 0 ... .max, using: &random), junk)
        }
        #expect(try #require(stage.drops["sound-malformed-redundancy"]) > 500)
        #expect(Set(stage.sounds.map(\.sequence)).count == stage.sounds.count)
    }

    @Test("timestamps and clocks that jump lead to some time, and to nothing worse")
    func jumps() throws {
        let stage = try Stage()
        var random = SeededGenerator(seed: 4)
        for number in UInt64(0)..<2000 {
            try stage.send(101, number, UInt32.random(in: 0 ... .max, using: &random), [1])
            try stage.report(
                ntp: UInt64.random(in: 0 ... .max, using: &random),
                timestamp: UInt32.random(in: 0 ... .max, using: &random))
        }
        #expect(stage.sounds.count == 2000 && stage.clocks.count == 2000)
        try stage.report(ntp: .max, timestamp: .max)
        try stage.report(ntp: 0, timestamp: 0)
        let count = stage.clocks.count
        try stage.report(ntp: 0, timestamp: 0, of: SSRC(78))
        #expect(stage.clocks.count == count, "another stream's clock is none of this one's")
    }

    @Test("times are widened: they go on past 2^32, and back for what is late")
    func widening() throws {
        let stage = try Stage()
        for (number, time) in [(0, UInt32.max - 239), (2, 240), (1, 0), (3, 480)] as [(UInt64, UInt32)] {
            try stage.send(101, number, time, [1])
        }
        let first = Int64(UInt32.max - 239)
        #expect(stage.sounds.map(\.mediaTime) == [first, first + 480, first + 240, first + 720])
    }

    @Test(
        "what a viewer says of sound is read, and junk is not",
        arguments: [
            ("on=", Set<SoundOrigin>()), ("on=system", [.system]), ("on=microphone,system", [.system, .microphone]),
            ("on=system,radio", [.system]), ("volume=3;on=system", [.system]), ("", nil), ("off=system", nil),
            ("on", nil), ("on=" + String(repeating: "system,", count: 40), nil),
        ] as [(String, Set<SoundOrigin>?)])
    func message(text: String, origins: Set<SoundOrigin>?) {
        #expect(SoundMessage.decode(Array(text.utf8)) == origins)
        if let origins { #expect(SoundMessage.decode(SoundMessage.encode(origins)) == origins) }
    }

    @Test("what a sink takes of sound is told, and what is not known is passed over")
    func capabilities() {
        for sound in [[], [.opus], [.pcm], [.pcm, .opus]] as [[SoundCodec]] {
            let told = StreamCapabilities(sound: sound)
            #expect(StreamCapabilities(headerValue: told.headerValue) == told)
        }
        #expect(StreamCapabilities(sound: [.aac, .opus, .pcm, .opus]).sound == [.pcm, .opus])
        #expect(StreamCapabilities(headerValue: "codecs=h264;sound=mp3,opus,opus,aac")?.sound == [.opus])
        #expect(StreamCapabilities(headerValue: "codecs=h264")?.sound == [])
        #expect(StreamCapabilities(headerValue: "codecs=h264;sound=") == nil)
    }
}
