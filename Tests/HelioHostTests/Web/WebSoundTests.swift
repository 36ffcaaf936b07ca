import HelioCore
import HelioHost
import HelioMedia
import HelioPeer
import HelioRTP
import HelioRemoteWire
import HelioSDP
import HelioSession
import Testing

@testable import HelioHost

/// Rows 130 and 131: sound on the existing connection by a second offer.
@Suite("A browser hears")
struct WebSoundTests {
    @Test("nothing of sound is agreed on before it is asked for, and nothing made")
    func unasked() throws {
        let world = try SoundWorld()
        #expect(world.told.contains(.audioSources([.system])))
        #expect(world.demands.isEmpty)
        try world.hear(for: .milliseconds(100))
        world.hear()
        try world.run(for: .milliseconds(100))
        #expect(world.packets.isEmpty)
        let silent = try SoundWorld(sound: [])
        #expect(!silent.told.contains { $0.type == "audioSources" })
    }

    @Test("it is asked for by another offer, wanted from the answer on, and comes as it was given")
    func joins() throws {
        let world = try SoundWorld()
        world.show(keyframe: true)
        try world.run(for: .milliseconds(200))
        #expect(world.frames == 1)
        try world.askForSound()
        #expect(world.demand == [.system: SoundDemand(encodes: [.opus])])
        let first = world.mediaTime
        try world.hear(for: .milliseconds(500))
        try world.run(for: .milliseconds(50))
        let packets = world.takePackets().map(\.packet)
        #expect(packets.count == 100)
        #expect(packets.allSatisfy { $0.payload.count == 80 })
        // The timestamps count the source's media time at 48 kHz.
        let start = try #require(packets.first).timestamp
        #expect(packets.enumerated().allSatisfy { $1.timestamp == start &+ UInt32($0 * 240) })
        #expect(packets.map(\.marker) == [true] + [Bool](repeating: false, count: 99))
        #expect(world.mediaTime == first + 24_000)
        let told = try #require(world.host.statistics.viewers.first?.sound.first)
        #expect(told.origin == .system && told.encode == .opus && told.packets == 100 && told.bytes == 8000)
        // The picture continues on the same connection.
        world.show(keyframe: false)
        try world.run(for: .milliseconds(200))
        #expect(world.frames == 2 && world.events.isEmpty)
    }

    @Test("the answer has Opus in stereo with FEC, in a stream of the picture's own or not, as it is asked")
    func answer() throws {
        for inStep in [false, true] {
            let world = try SoundWorld()
            try world.askForSound(inStep: inStep)
            guard case .audioAnswer(let sdp)? = world.told.last(where: { $0.type == "audioAnswer" }) else {
                Issue.record("no answer")
                continue
            }
            let answer = try SessionDescription(parsing: Array(sdp.utf8))
            let audio = try #require(answer.media.last { $0.kind == .audio })
            #expect(audio.attributes.direction == .sendonly)
            let parameters = try #require(audio.attributes.values(of: FormatParameters.self).first)
            #expect(parameters["stereo"] == "1" && parameters["sprop-stereo"] == "1")
            #expect(parameters["useinbandfec"] == "1" && parameters["minptime"] == "5")
            let video = try #require(answer.media.first { $0.kind == .video })
            let picture = try #require(video.attributes.first(MediaStreamID.self))
            let sound = try #require(audio.attributes.first(MediaStreamID.self))
            #expect((picture.stream == sound.stream) == inStep)
            #expect(picture.track != sound.track)
        }
    }

    @Test("in step, the sound's time and the picture's are told ahead of the first packet, and when the clocks drift")
    func times() throws {
        for inStep in [false, true] {
            let world = try SoundWorld()
            try world.askForSound(inStep: inStep)
            func times() -> [(at: UInt32, picture: UInt32)] {
                world.told.compactMap { if case .soundTime(let at, let picture) = $0 { (at, picture) } else { nil } }
            }
            world.hear()
            try world.run(for: .milliseconds(100))
            #expect(times().count == (inStep ? 1 : 0))
            guard inStep else { continue }
            #expect(world.takePackets().map(\.packet.timestamp) == times().map(\.at))
            // Another 5 ms of sound after 100 ms: the clocks have drifted, but a second has not passed yet.
            world.hear()
            try world.run(for: .milliseconds(100))
            #expect(times().count == 1)
            try world.run(for: .seconds(1))
            world.hear()
            try world.run(for: .milliseconds(100))
            #expect(times().count == 2)
        }
    }

    @Test("a system's sound and a microphone's are a track each; a section too many stays silent")
    func origins() throws {
        let world = try SoundWorld(sound: [.system, .microphone])
        try world.askForSound(3)
        #expect(Set(world.demand.keys) == [.system, .microphone])
        world.hear(.system)
        world.hear(.microphone)
        try world.run(for: .milliseconds(100))
        #expect(Set(world.takePackets().map(\.track)).count == 2)
        // A browser with only one audio section receives the machine's sound.
        let other = try SoundWorld(sound: [.system, .microphone])
        try other.askForSound(1)
        #expect(Set(other.demand.keys) == [.system])
    }

    @Test("mute stops the packets at once and the capture a moment later; what comes back begins anew")
    func mute() throws {
        let world = try SoundWorld()
        try world.askForSound()
        try world.hear(for: .milliseconds(100))
        try world.does(.audioEnabled(false))
        try world.run(for: .milliseconds(50))
        _ = world.takePackets()
        try world.hear(for: .milliseconds(200))
        #expect(world.packets.isEmpty)
        #expect(!world.demand.isEmpty)
        try world.run(for: SoundLinger.length)
        #expect(world.demand.isEmpty)
        let told = world.demands.count
        try world.does(.audioEnabled(true))
        try world.run(for: .milliseconds(50))
        #expect(world.demands.count == told + 1 && !world.demand.isEmpty)
        try world.hear(for: .milliseconds(100))
        try world.run(for: .milliseconds(50))
        #expect(world.takePackets().map(\.packet.marker) == [true] + [Bool](repeating: false, count: 19))
    }

    @Test("what is heard at no volume is not sent; another volume changes nothing here")
    func volume() throws {
        let world = try SoundWorld()
        try world.askForSound()
        for level in [0.8, 0.01, 1] {
            try world.does(.audioVolume(level))
            try world.run(for: .milliseconds(50))
            _ = world.takePackets()
            try world.hear(for: .milliseconds(50))
            try world.run(for: .milliseconds(50))
            #expect(world.takePackets().count == 10)
        }
        #expect(world.demands.count == 1)
        try world.does(.audioVolume(0))
        try world.run(for: .milliseconds(50))
        _ = world.takePackets()
        try world.hear(for: .milliseconds(50))
        try world.run(for: .milliseconds(50))
        #expect(world.packets.isEmpty)
    }

    @Test("a flood of switches neither begins and ends the capture each time nor ends the session")
    func flood() throws {
        let world = try SoundWorld()
        try world.askForSound()
        for index in 0..<1500 { try world.does(.audioEnabled(index.isMultiple(of: 2))) }
        try world.run(for: .seconds(1))
        for index in 0..<300 {
            try world.does(.audioVolume(index.isMultiple(of: 2) ? 0 : 1))
            try world.run(for: .milliseconds(10))
        }
        #expect(world.demands.count <= 3, "\(world.demands.count)")
        #expect(world.events.isEmpty)
        try world.does(.audioEnabled(true))
        try world.does(.audioVolume(1))
        try world.run(for: .milliseconds(50))
        #expect(!world.demand.isEmpty)
    }

    private static func spoilt(_ sdp: String, by fault: String) -> String {
        switch fault {
        case "junk": "junk"
        case "no H.264": sdp.replacing("H264", with: "VP8")
        case "another certificate": sdp.replacing("a=fingerprint:sha-256 ", with: "a=fingerprint:sha-256 00:")
        case "another path": sdp.replacing("a=ice-ufrag:", with: "a=ice-ufrag:x")
        case "no picture": sdp.replacing("m=video 9 ", with: "m=video 0 ")
        default: String(sdp[..<(sdp.firstRange(of: "m=application")?.lowerBound ?? sdp.endIndex)])
        }
    }

    @Test(
        "an offer that can't be taken is answered, and picture and sound go on",
        arguments: ["junk", "no H.264", "another certificate", "another path", "no picture", "a section less"])
    func refused(name: String) throws {
        let world = try SoundWorld()
        try world.askForSound()
        try world.hear(for: .milliseconds(50))
        try world.engine.addReceiver(.audio, now: world.now)
        try world.offer { Self.spoilt($0, by: name) }
        try world.run(for: .milliseconds(100))
        #expect(world.answers == 1, "\(name)")
        #expect(world.errors.map(\.about) == ["audioOffer"], "\(name): \(world.errors)")
        try world.engine.rollback(now: world.now)
        _ = world.takePackets()
        try world.hear(for: .milliseconds(50))
        world.show(keyframe: true)
        try world.run(for: .milliseconds(100))
        #expect(world.takePackets().count == 10 && world.frames == 1 && world.events.isEmpty, "\(name)")
        // A valid offer is accepted after that.
        try world.offer()
        try world.run(for: .milliseconds(200))
        #expect(world.answers == 2, "\(name)")
    }

    @Test("offers one behind the other are each answered, in order; too many are refused and counted")
    func manyOffers() throws {
        let world = try SoundWorld()
        for _ in 0..<5 { try world.askForSound(0) }
        try world.askForSound(1)
        #expect(world.answers == 6 && world.errors.isEmpty)
        try world.offer()
        try world.run(for: .milliseconds(100))
        #expect(world.errors == [RemoteErrorReport(message: "too many offers", about: "audioOffer")])
        #expect(world.host.statistics.drops["web-too-many-offers"] == 1)
        try world.engine.rollback(now: world.now)
        try world.run(for: .seconds(10))
        try world.askForSound(0)
        #expect(world.answers == 7)
        try world.hear(for: .milliseconds(50))
        try world.run(for: .milliseconds(50))
        #expect(world.takePackets().count == 10)
    }

    @Test("in step or not is chosen anew with a new track, and the old one ends")
    func inStep() throws {
        let world = try SoundWorld()
        try world.askForSound()
        try world.hear(for: .milliseconds(50))
        let first = try #require(world.engine.transceivers.last { $0.kind == .audio }).id
        try world.engine.stop(first, now: world.now)
        try world.askForSound(inStep: true)
        let second = try #require(world.engine.agreement?.media.last { $0.kind == .audio })
        #expect(second.transceiver != first && second.remote.streams == ["screen"])
        _ = world.takePackets()
        try world.hear(for: .milliseconds(50))
        try world.run(for: .milliseconds(50))
        let packets = world.takePackets()
        #expect(packets.count == 10 && packets.allSatisfy { $0.track == second.transceiver })
        #expect(packets.first?.packet.marker == true)
    }

    @Test("a path that loses packets has each repeat earlier ones, in the form of RFC 2198, and stops when it is clean")
    func redundancy() throws {
        let world = try SoundWorld()
        try world.askForSound()
        try world.hear(for: .seconds(1))
        let section = try #require(world.engine.agreement?.media.last { $0.kind == .audio })
        let opus = try #require(section.codecs.first { $0.codec.encoding == "opus" }).receivePayloadType
        let red = try #require(section.codecs.first { $0.codec.encoding == "red" }).receivePayloadType
        #expect(world.takePackets().allSatisfy { $0.packet.payloadType == opus })
        // A loss of one packet in 50 does not lower the estimate of the path's rate; a path with a low estimate gets no
        // redundancy.
        world.losesEach = 50
        try world.hear(for: .seconds(6))
        let seen = "\(world.demand) \(String(describing: world.host.statistics.viewers.first))"
        #expect((world.demand[.system]?.lossShare ?? 0) >= 0.02, "\(seen)")
        _ = world.takePackets()
        try world.hear(for: .seconds(1))
        let packets = world.takePackets().map(\.packet)
        #expect(packets.count > 40 && packets.allSatisfy { $0.payloadType == red }, "\(packets.count) \(seen)")
        for packet in packets.dropFirst() where packet.payloadType == red {
            let bytes = Array(packet.bytes[packet.payload])
            guard let payload = RedundantPayload(bytes.span.bytes) else {
                Issue.record("no such payload")
                break
            }
            #expect(payload.payloadType == opus && payload.payload.count == 80)
            #expect([[480, 240], [240], [1920, 960], [960]].contains(payload.earlier.map(\.timestampOffset)))
            #expect(payload.earlier.allSatisfy { $0.payloadType == opus && $0.payload.count == 80 })
        }
        world.losesEach = 0
        try world.hear(for: .seconds(40))
        _ = world.takePackets()
        try world.hear(for: .milliseconds(100))
        #expect(world.takePackets().allSatisfy { $0.packet.payloadType == opus })
    }

    @Test("a peer that does not know redundancy is sent none")
    func withoutRedundancy() throws {
        let world = try SoundWorld(takesRedundancy: false)
        try world.askForSound()
        world.losesEach = 12
        try world.hear(for: .seconds(6))
        let section = try #require(world.engine.agreement?.media.last { $0.kind == .audio })
        #expect(section.codecs.map(\.codec.encoding) == ["opus"])
        #expect(world.takePackets().allSatisfy { $0.packet.payloadType == section.codecs[0].receivePayloadType })
    }

    @Test("a path that is known to be thin gets long packets")
    func thin() throws {
        let world = try SoundWorld(startBitrate: .kilobits(400))
        try world.askForSound()
        try world.hear(for: .milliseconds(500))
        #expect(world.demand[.system]?.encodes.contains(.thinOpus) == true)
        try world.hear(for: .milliseconds(500))
        #expect(world.demand[.system]?.encodes == [.thinOpus])
    }

    @Test("sound waits behind no picture, counts for the path, and leaves the encoder what is left")
    func pacing() throws {
        let world = try SoundWorld(startBitrate: .megabits(2))
        try world.askForSound()
        try world.run(for: .seconds(1))
        // A picture that takes a fifth of a second to send at this rate.
        world.show(keyframe: true, sliceBytes: 25_000)
        let sent = world.now
        world.hear()
        try world.run(for: .milliseconds(12))
        #expect(world.takePackets().map(\.packet.arrival) == [sent + .milliseconds(10)])
        #expect(world.frames == 0)
        try world.run(for: .seconds(1))
        #expect(world.frames == 1)
    }

    @Test("who leaves wants nothing more")
    func leaves() throws {
        let world = try SoundWorld()
        try world.askForSound()
        try world.hear(for: .milliseconds(50))
        world.engine.close(now: world.now)
        try world.run(for: .seconds(1))
        #expect(world.events.count == 1 && world.demand.isEmpty)
        #expect(world.host.webSoundDemand.isEmpty)
    }
}
