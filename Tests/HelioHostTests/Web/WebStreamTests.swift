import HelioAdmission
import HelioCore
import HelioHost
import HelioPeer
import HelioProtection
import HelioRemote
import HelioRemoteWire
import HelioSession
import HelioSimulation
import Testing

@Suite("A browser watches")
struct WebStreamTests {
    private static func names(_ events: [SourceHost.Event]) -> [String] {
        events.compactMap {
            switch $0 {
            case .joined: "joined"
            case .left(_, _, _, let reason): "left: \(reason)"
            case .watched(let watched): "watched: \(watched)"
            case .keyframeNeeded: "keyframe"
            case .bitrate(let rate): "bitrate: \(rate.bitsPerSecond)"
            case .agreed(let agreement): "agreed: \(agreement.format.codec) \(agreement.format.chroma.rawValue)"
            default: nil
            }
        }
    }

    @Test("an offer goes on, candidates go both ways, and the answer comes back")
    func signalling() {
        let world = WebWorld()
        let browser = world.open()
        browser.join(world.host.linkSecret)
        _ = browser.takeReceived()
        browser.send(.offer(sdp: browser.offer()))
        #expect(browser.state == .offered)
        // The host had gathered its address before it could answer; the answer is sent first all the same.
        guard case .answer(let sdp)? = browser.received.first, case .candidate(let told?) = browser.received[1] else {
            Issue.record("no answer, or no candidate behind it: \(browser.received)")
            return
        }
        #expect(sdp.contains("a=sendonly") && told.candidate.contains("10.0.0.1 5000 typ host"))
        #expect(browser.received.count == 3 && browser.received[2] == .candidate(nil))
        #expect(browser.datagrams.isEmpty)
        browser.send(
            .candidate(
                .init(candidate: "candidate:1 1 udp 1 10.0.0.7 5 typ host", sdpMid: "0", sdpMLineIndex: 0)))
        browser.send(.candidate(nil))
        browser.tickPeer()
        #expect(browser.datagrams.map(\.to) == [TransportAddress(.v4(0x0A00_0007), port: 5)])
    }

    @Test("the first who watches starts the capture and gets a keyframe, the last who leaves ends it")
    func watched() {
        let world = WebWorld()
        let first = world.open()
        first.join(world.host.linkSecret)
        first.send(.offer(sdp: first.offer()))
        #expect(Self.names(world.takeEvents()).isEmpty)
        first.peer(.peerConnected)
        #expect(Self.names(world.takeEvents()) == ["watched: true", "joined", "keyframe"])
        // Reported only once.
        first.peer(.peerConnected)
        #expect(Self.names(world.takeEvents()).isEmpty)
        world.pass(.seconds(1))
        let second = world.watch(address: "10.0.0.8")
        #expect(Self.names(world.takeEvents()) == ["joined", "keyframe"])
        #expect(world.host.webPeers == [first.id, second.id])
        first.peer(.peerLost)
        #expect(Self.names(world.takeEvents()) == ["left: no way to the peer works"])
        #expect(first.isClosed && first.isPeerClosed)
        second.peer(.peerLeft)
        #expect(Self.names(world.takeEvents()) == ["watched: false", "left: left"])
        #expect(world.host.webPeers.isEmpty && world.control.channelCount == 0)
        #expect(world.host.held.values.allSatisfy { $0 == 0 })
    }

    @Test("each gets whole frames from a keyframe on, in one list for all")
    func slices() {
        let world = WebWorld()
        var encoder = TestEncoder(seed: 1)
        func send(keyframe: Bool) -> [(index: UInt64, to: [ConnectionID])] {
            for slice in encoder.frame(keyframe: keyframe, now: world.now) { world.tell(.slice(slice)) }
            return world.takeSlices()
        }
        #expect(send(keyframe: true).isEmpty)
        let first = world.watch()
        #expect(send(keyframe: false).isEmpty)
        #expect(send(keyframe: true).map(\.to) == [[first.id], [first.id]])
        let second = world.watch(address: "10.0.0.8")
        #expect(send(keyframe: false).map(\.to) == [[first.id], [first.id]])
        #expect(send(keyframe: true).map(\.to) == [[first.id, second.id], [first.id, second.id]])
        #expect(send(keyframe: false).map(\.to) == [[first.id, second.id], [first.id, second.id]])
        // The first slice was lost before the host: the second slice, and frames that refer to it, are not sent.
        world.tell(.slice(encoder.frame(keyframe: false, now: world.now)[1]))
        #expect(world.takeSlices().isEmpty)
        #expect(send(keyframe: false).isEmpty)
        #expect(send(keyframe: true).count == 2)
        #expect(world.host.statistics.viewers.map(\.framesSent) == [5, 3])
        #expect(world.host.statistics.viewers.allSatisfy { $0.isWeb && $0.mayDrive && !$0.isPaused })
        #expect(world.host.statistics.drops["web-awaiting-keyframe"] == 10)
    }

    @Test("keyframes are asked for a tenth of a second apart, and none is forgotten")
    func keyframes() {
        let world = WebWorld()
        let browsers = (0..<20).map { world.watch(address: "10.0.0.\($0)") }
        world.pass(.seconds(1))
        _ = world.takeEvents()
        for browser in browsers { browser.peer(.peerKeyframeNeeded) }
        #expect(Self.names(world.takeEvents()) == ["keyframe"])
        world.pass(.milliseconds(99))
        #expect(Self.names(world.takeEvents()).isEmpty)
        world.pass(.milliseconds(2))
        #expect(Self.names(world.takeEvents()) == ["keyframe"])
        world.pass(.seconds(1))
        #expect(Self.names(world.takeEvents()).isEmpty)
    }

    @Test("the slowest decides the bitrate, until it has left")
    func bitrate() {
        let world = WebWorld()
        let first = world.watch()
        let second = world.watch(address: "10.0.0.8")
        _ = world.takeEvents()
        first.peer(.peerEstimate(.megabits(8)))
        world.pass(.milliseconds(500))
        second.peer(.peerEstimate(.megabits(3)))
        first.peer(.peerEstimate(.megabits(5)))
        let told = Self.names(world.takeEvents()).filter { $0.hasPrefix("bitrate") }
        #expect(told == ["bitrate: 8000000", "bitrate: 3000000"])
        world.pass(.milliseconds(500))
        second.peer(.peerLost)
        #expect(Self.names(world.takeEvents()).contains("bitrate: 5000000"))
    }

    @Test("what a browser says is kept to what was agreed on, and changes the encoder seldom", arguments: [0, 1 << 62])
    func guest(said: Int) {
        let world = WebWorld()
        let browser = world.watch()
        world.pass(.seconds(1))
        _ = world.takeEvents()
        for index in 0..<100 {
            browser.peer(.peerEstimate(index.isMultiple(of: 2) ? Bitrate(bitsPerSecond: said) : .megabits(5)))
            world.pass(.milliseconds(10))
        }
        let told = Self.names(world.takeEvents()).filter { $0.hasPrefix("bitrate") }
        #expect((1...4).contains(told.count), "\(told)")
        #expect(
            told.allSatisfy { ["bitrate: 300000", "bitrate: 5000000", "bitrate: 20000000"].contains($0) }, "\(told)")
    }

    @Test("a browser brings H.264 in 4:2:0 with it; without it all is as it was")
    func agreement() {
        let world = WebWorld(codecs: [.h265, .h264])
        var format = VideoFormat.test
        format.codec = .h265
        let browser = world.open()
        browser.join(world.host.linkSecret)
        #expect(Self.names(world.takeEvents()) == ["agreed: h264 420"])
        var agreed = format
        agreed.codec = .h264
        world.tell(.format(agreed))
        browser.connect()
        var encoder = TestEncoder(seed: 1)
        for slice in encoder.frame(keyframe: true, now: world.now) { world.tell(.slice(slice)) }
        #expect(world.takeSlices().count == 2)
        browser.peer(.peerLost)
        #expect(Self.names(world.takeEvents()).contains("agreed: h265 420"))
    }

    @Test("who can't show what is shown from now on is put out, and told")
    func replaced() {
        let world = WebWorld()
        let browser = world.watch()
        _ = world.takeEvents()
        var format = VideoFormat.test
        format.codec = .h265
        world.tell(.source(format, wantedSize: format.size))
        #expect(browser.told.last == .bye(reason: "other-codec"))
        #expect(browser.received.last == .bye(reason: "other-codec"))
        #expect(browser.isPeerClosed && browser.isClosed && browser.state == nil)
        #expect(Self.names(world.takeEvents()).contains("left: does not decode H265"))
    }

    @Test("the WebSocket may go once the offer is out")
    func withoutSocket() {
        let world = WebWorld()
        let browser = world.open()
        browser.join(world.host.linkSecret)
        browser.send(.offer(sdp: browser.offer()))
        world.tell(.web(browser.id, .disconnected))
        #expect(browser.state == .offered)
        _ = browser.takeReceived()
        browser.peer(.peerConnected)
        browser.peer(.peerControlOpen)
        #expect(browser.state == .watching && browser.received.isEmpty && !browser.isClosed)
        #expect(browser.control == .free)
        world.pass(.seconds(100))
        world.stop()
        #expect(browser.told.last == .bye(reason: "ended") && browser.isPeerClosed)
        // The browser is gone: it receives neither `bye` nor the end of the connection.
        #expect(browser.received.isEmpty && !browser.isClosed)

        let other = WebWorld()
        let early = other.open()
        early.join(other.host.linkSecret)
        other.tell(.web(early.id, .disconnected))
        #expect(early.state == nil)
    }

    @Test("all are told when the host ends, ahead of the ends of their connections")
    func stop() {
        let world = WebWorld()
        let watching = world.watch()
        let admitted = world.open(address: "10.0.0.8")
        admitted.join(world.host.linkSecret)
        let stranger = world.open(address: "10.0.0.9")
        stranger.hello()
        _ = world.takeEvents()
        world.stop()
        #expect(watching.told.last == .bye(reason: "ended") && watching.received.last == .bye(reason: "ended"))
        #expect(admitted.received.last == .bye(reason: "ended"))
        // A viewer that was not admitted receives no `bye`.
        #expect(!stranger.received.contains(.bye(reason: "ended")))
        #expect([watching, admitted, stranger].allSatisfy { $0.isClosed })
        #expect(Self.names(world.takeEvents()) == ["watched: false", "left: sharing ended"])
        #expect(world.host.deadline == nil)
    }

    @Test("the host's person puts one viewer out, once; the others stay")
    func putOut() {
        let world = WebWorld()
        let first = world.watch()
        let second = world.open(address: "10.0.0.8")
        second.join(world.host.linkSecret)
        second.connect()
        _ = world.takeEvents()
        for _ in 0..<2 { world.tell(.putOut(first.id)) }
        #expect(first.told.last == .bye(reason: "put-out") && first.isPeerClosed && first.isClosed)
        #expect(Self.names(world.takeEvents()).filter { $0.hasPrefix("left") } == ["left: put out"])
        #expect(!second.isClosed && world.host.statistics.viewers.map(\.id) == [second.id])
    }

    @Test("a pairing that is revoked ends the session; one that is changed changes what it may do")
    func revoked() {
        let world = WebWorld()
        var device = PairedDevice.test()
        world.tell(.devices([device]))
        let browser = world.open()
        browser.join(device.secret, device: device.id.bytes)
        browser.connect()
        #expect(browser.control == .free)
        device.allowsControl = false
        world.tell(.devices([device]))
        #expect(browser.control == .forbidden)
        world.tell(.devices([]))
        #expect(browser.told.last == .bye(reason: "revoked") && browser.isPeerClosed && browser.isClosed)
        #expect(Self.names(world.takeEvents()).contains("left: is no longer paired"))
    }

    @Test("an offer that the driver can't use is told, and ends the session")
    func unusable() {
        let world = WebWorld()
        let browser = world.open()
        browser.join(world.host.linkSecret)
        browser.send(.offer(sdp: browser.offer()))
        browser.peer(.peerRefused("no common codec"))
        #expect(browser.received.last == .error(RemoteErrorReport(message: "no common codec", about: "offer")))
        #expect(browser.isClosed && !browser.isPeerClosed && browser.state == nil)
    }

    @Test("what comes of a peer that is no more, or of nobody's, is passed over")
    func strays() {
        let world = WebWorld()
        let browser = world.open()
        browser.peer(.peerConnected)
        browser.peer(.peerLost)
        browser.peer(.peerMessage(ViewerMessage.alive.serialised(), .control))
        #expect(browser.state == .connected)
        world.tell(.web(ConnectionID(99), .peerEvent(.state(.connected))))
        #expect(world.host.statistics.drops["web-unknown-viewer"] == 1)
        #expect(world.takeInjected().isEmpty)
    }
}
