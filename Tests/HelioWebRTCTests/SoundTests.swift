import HelioCore
import HelioTestLanes
import HelioWebRTC
import Testing

@Suite("Sound from one end of the library to the other", .timeLimit(.minutes(1)), .tags(.quiet))
struct SoundTests {
    private static var options: PeerConnection.Options {
        var options = PeerConnection.Options()
        options.hasSound = true
        return options
    }

    /// Returns an Opus packet of silence, with a number appended.
    private func packet(_ number: Int) -> [UInt8] { [0xF8, 0xFF, 0xFE, UInt8(number)] }

    @Test("it is added later, beside a channel and a picture, and packets arrive with their times")
    func addedLater() async throws {
        let host = try await PeerEnd.make(.onLoopback, Self.options)
        let viewer = try await PeerEnd.make(.onLoopback, Self.options)
        let chat = try await host.peer.openChannel("chat")
        let video = try await host.peer.addVideoTrack(stream: "screen")
        try await host.connect(to: viewer)
        _ = try await host.channel("chat")
        let clip = try CodedClip.make()
        await video.send(clip.pictures[0])
        let track = try await host.peer.addAudioTrack()
        #expect(await !track.isWanted())
        await track.send(packet(99), at: .zero)
        try await host.offer(to: viewer)
        #expect(await track.isWanted())
        for number in 0..<100 {
            await track.send(
                packet(number), at: .seconds(100_000) + .milliseconds(20 * number), beginsTalk: number == 0)
        }
        var first: HelioWebRTC.ReceivedSound?
        for number in 0..<100 {
            let sound = try await viewer.wait("sound") { if case .sound(let sound) = $0 { sound } else { nil } }
            #expect(sound.packet == packet(number))
            let begin = first ?? sound
            first = begin
            #expect(sound.number - begin.number == number && sound.time - begin.time == .milliseconds(20 * number))
        }
        await video.send(clip.pictures[1])
        for picture in clip.pictures[0..<2] {
            #expect(CodedClip.units(of: try await viewer.picture().annexB) == CodedClip.units(of: picture.annexB))
        }
        try await chat.send(.text("still here"))
        #expect(try await viewer.message() == .text("still here"))
        await track.stop()
        try await host.offer(to: viewer)
        #expect(await !track.isWanted())
        await viewer.endpoint.close()
        await host.endpoint.close()
    }

    @Test("who has none refuses it, and all else goes on")
    func refused() async throws {
        let host = try await PeerEnd.make(.onLoopback, Self.options)
        let viewer = try await PeerEnd.make()
        let track = try await host.peer.addAudioTrack()
        _ = try await host.peer.openChannel("chat")
        try await host.connect(to: viewer)
        _ = try await viewer.channel("chat")
        #expect(await !track.isWanted())
        await viewer.endpoint.close()
        await host.endpoint.close()
    }

    @Test("a viewer asks for it by its own offer")
    func asked() async throws {
        let host = try await PeerEnd.make(.onLoopback, Self.options)
        let viewer = try await PeerEnd.make(.onLoopback, Self.options)
        try await viewer.peer.receiveAudio()
        let track = try await host.peer.addAudioTrack()
        try await viewer.connect(to: host)
        #expect(await track.isWanted())
        await track.send(packet(1), at: .zero)
        let sound = try await viewer.wait("sound") { if case .sound(let sound) = $0 { sound } else { nil } }
        #expect(sound.packet == packet(1))
        await viewer.endpoint.close()
        await host.endpoint.close()
    }
}
