import Foundation
import HelioBroadcast
import HelioBroadcasting
import HelioCore
import HelioMPEGTS
import HelioReceivers
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Sends to third-party programs, as caller and listener: srt-live-transmit and FFmpeg.
@Suite(.serialized, .tags(.quiet))
struct SRTSenderTests {
    struct Peer: Sendable, CustomTestStringConvertible {
        /// The peer's SRT mode; the sender uses the other one.
        var mode: String
        var secret = ""

        var testDescription: String { "\(mode)\(secret.isEmpty ? "" : ", encrypted")" }
        var ours: String { (mode == "listener" ? "mode=caller" : "mode=listener") + secret }
        var theirs: String { "mode=\(mode)\(secret)" }
    }

    static let peers = [
        Peer(mode: "listener"), Peer(mode: "caller"),
        Peer(mode: "listener", secret: "&passphrase=correct-horse&pbkeylen=32"),
        Peer(mode: "caller", secret: "&passphrase=correct-horse&pbkeylen=16"),
    ]

    private let stream: SRTStream
    private let events = SenderEvents()
    private let port: UInt16

    init() throws {
        stream = try SRTStream.shared.get()
        port = try #require(LoopbackPort.find())
    }

    private func sender(_ parameters: String, options: SRTOptions = SRTOptions()) throws -> SRTSender {
        try SRTSender(
            to: SRTAddress(parsing: "srt://127.0.0.1:\(port)?\(parameters)"), BroadcastTracks(video: .h264),
            options: options
        ) { [events] in events.add($0) }
    }

    /// The received bytes equal the sent ones, to the last packet.
    @Test(arguments: peers)
    func liveTransmit(peer: Peer) async throws {
        let receiver = try Receiver.transmit(port, peer.theirs)
        let sender = try sender(peer.ours)
        try await events.connected()
        for picture in stream.pictures { sender.send(picture) }
        await sender.close()
        #expect(receiver.finish() == (try stream.packets()))
        #expect(events.all.last == .state(.ended))
        #expect(sender.statistics.drops.isEmpty)
        #expect(sender.statistics.sentBytes >= (try stream.packets().count))
        #expect(sender.linkStatistics.latency == .seconds(1))
        #expect(sender.statistics.pictures == 120)
        #expect(sender.statistics.connections == 1)
    }

    /// The pictures arrive unchanged. FFmpeg's library discards unread data when the connection closes; `liveTransmit`
    /// shows that the last packet arrives.
    @Test(arguments: peers)
    func ffmpeg(peer: Peer) async throws {
        let receiver = try Receiver.ffmpeg(port, peer.theirs)
        let sender = try sender(peer.ours)
        try await events.connected()
        for picture in stream.pictures { sender.send(picture) }
        #expect(stream.digests.count == 120)
        try await eventually("FFmpeg has half of them") { FrameDigests.parse(receiver.written).count > 60 }
        await sender.close()
        let played = FrameDigests.parse(receiver.finish())
        #expect(played == Array(stream.digests.prefix(played.count)))
    }

    /// A wrong address or passphrase is reported as such, and ends the broadcast without a retry.
    @Test(
        arguments: [
            ("&passphrase=correct-horse", "&passphrase=battery-staple", .badPassphrase),
            ("&passphrase=correct-horse", "", .passphraseMismatch),
            ("", "&passphrase=battery-staple", .passphraseMismatch),
        ] as [(String, String, SRTFailure)])
    func wrongPassphrase(theirs: String, ours: String, refusal: SRTFailure) async throws {
        let receiver = try Receiver.transmit(port, "mode=listener" + theirs)
        let sender = try sender("mode=caller" + ours)
        #expect(try await events.end() == .refused(refusal.failure))
        #expect(events.all == [.state(.connecting), .state(.refused(refusal.failure))])
        sender.send(stream.pictures[0])
        #expect(sender.statistics.drops == ["broadcast-ended": 1])
        await sender.close()
        for event in events.all { #expect(!"\(event)".contains("battery")) }
        receiver.program.kill()
    }

    /// A caller with a wrong passphrase is rejected, and a later one with the right passphrase is accepted.
    @Test func wrongCaller() async throws {
        let sender = try sender("mode=listener&passphrase=correct-horse")
        // srt-live-transmit polls its socket only after it has begun to connect, and so may miss the rejection.
        let wrong = try Receiver.ffmpeg(port, "mode=caller&passphrase=battery-staple")
        #expect(wrong.finish() == [])
        let receiver = try Receiver.transmit(port, "mode=caller&passphrase=correct-horse")
        try await events.connected()
        for picture in stream.pictures { sender.send(picture) }
        await sender.close()
        #expect(receiver.finish() == (try stream.packets()))
        #expect(events.connections == 1)
    }

    /// A receiver that is unavailable at first, available, killed, and available again.
    @Test func comesAndGoes() async throws {
        var options = SRTOptions()
        options.peerTimeout = .seconds(2)
        let sender = try sender("mode=caller&conntimeo=250", options: options)
        try await eventually("nobody answers", sees: "\(events.all)") { events.breaks == [.unreachable] }
        let first = try Receiver.transmit(port, "mode=listener")
        try await events.connected()
        first.program.kill()
        try await eventually("it is gone", sees: "\(events.all)") { events.breaks.contains(.lost) }
        sender.send(stream.pictures[0])
        #expect(sender.statistics.drops["broadcast-not-connected"] == 1)
        let second = try Receiver.transmit(port, "mode=listener")
        try await events.connected(times: 2)
        for picture in stream.pictures { sender.send(picture) }
        await sender.close()
        #expect(second.finish() == (try stream.packets()))
        #expect(sender.statistics.connections == 2)
    }

    /// A regular close is noticed at once, and a listener waits for the next caller.
    @Test func callerEnds() async throws {
        let sender = try sender("mode=listener")
        let first = try Receiver.ffmpeg(port, "mode=caller", pictures: 5)
        try await events.connected()
        for picture in stream.pictures { sender.send(picture) }
        #expect(FrameDigests.parse(first.finish()) == Array(stream.digests.prefix(5)))
        try await eventually("it is gone", within: .seconds(4), sees: "\(events.all)") { events.breaks == [.lost] }
        let second = try Receiver.transmit(port, "mode=caller")
        try await events.connected(times: 2)
        sender.send(stream.pictures[0])
        await sender.close()
        #expect(second.finish() == (try stream.packets(0..<1)))
    }

    /// A receiver that stalls causes whole groups of pictures to be dropped and counted, and a keyframe request; the
    /// queue stays bounded.
    @Test func stalls() async throws {
        var options = SRTOptions()
        options.peerTimeout = .seconds(30)
        let receiver = try Receiver.transmit(port, "mode=listener")
        let sender = try sender("mode=caller", options: options)
        try await events.connected()
        // The shell was replaced by the receiver (`exec`).
        receiver.program.kill(SIGSTOP)
        sender.send(stream.pictures[0])
        var next = ContinuousClock.now
        try await eventually("pictures are dropped", sees: "\(sender.statistics)") {
            if ContinuousClock.now >= next {
                next += .milliseconds(10)
                sender.send(stream.pictures[1])
            }
            return sender.statistics.drops["broadcast-stale-picture", default: 0] > 10
                && events.all.last(where: { $0 != .wantsKeyframe }) == .state(.stalled)
        }
        #expect(events.keyframesWanted >= 2)
        receiver.program.kill(SIGCONT)
        sender.send(stream.pictures[30])
        await sender.close()
        let received = receiver.finish()
        #expect(received.count.isMultiple(of: 188))
        var reader = TransportStreamReader()
        reader.append(received)
        reader.finish()
        var last: TransportPicture?
        while let output = reader.next() { if case .picture(let picture) = output { last = picture } }
        // The received stream has no gaps, since pictures were dropped before they were packetized.
        #expect(reader.faults.byName == [:])
        #expect(last?.isKeyframe == true)
        #expect(last?.annexB.suffix(1000) == stream.pictures[30].annexB.suffix(1000))
    }

    /// Closing while waiting or connecting takes effect at once.
    @Test(arguments: ["mode=listener", "mode=caller"])
    func closesEarly(mode: String) async throws {
        let sender = try sender(mode)
        let begun: BroadcastState = mode == "mode=listener" ? .waiting(nil) : .connecting
        try await eventually("it has begun", sees: "\(events.all)") { events.all == [.state(begun)] }
        await sender.close()
        #expect(events.all == [.state(begun), .state(.ended)])
    }

    /// An unknown host name, and a port in use.
    @Test func unusable() async throws {
        let unknown = SenderEvents()
        let caller = try SRTSender(to: SRTAddress(parsing: "srt://nobody.invalid:9000"), BroadcastTracks(video: .h264))
        { unknown.add($0) }
        try await eventually("the name is unknown", sees: "\(unknown.all)") { unknown.breaks == [.unresolved] }
        await caller.close()

        let first = try sender("mode=listener")
        // A sender reports that it waits before it looks up its address, and so before it has the port.
        try await eventually("it has the port", sees: "\(events.all)") { LoopbackPort.receives(port) }
        #expect(events.all == [.state(.waiting(nil))])
        let second = SenderEvents()
        let other = try SRTSender(
            to: SRTAddress(parsing: "srt://:\(port)?mode=listener&latency=200&open=yes"), BroadcastTracks(video: .h264)
        ) {
            second.add($0)
        }
        let end = try await second.end()
        #expect(end?.failure?.kind == .unusable)
        await other.close()
        await first.close()
    }
}
