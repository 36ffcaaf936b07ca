import HelioCore
import HelioHost
import HelioRTSP
import HelioRemote
import HelioRemoteWire
import HelioSession
import HelioSimulation
import HelioTransferWire
import Testing

@Suite("Whatever a guest sends, memory stays within 8 MiB, and nothing is asked of a third machine")
struct GreedyGuestTests {
    /// The most bytes that the host's engines hold besides clipboard content, as stated in SECURITY.md.
    private static let most = 8 << 20

    @Test("a viewer of our own kind, with every channel that there is", arguments: 0..<2 as Range<UInt64>)
    func native(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var world = SessionWorld(
            seed: seed &+ 1, hearsViewers: true, speaks: true, hostClipboard: Greed.clipboard,
            viewerClipboard: Greed.clipboard, hasFiles: true, viewerFiles: FileToken(using: &generator))
        try world.run(.seconds(1))
        #expect(world.viewer.isPlaying)
        world.viewer.send(.pointerMove(x: 0.5, y: 0.5), now: world.now)
        try world.run(.milliseconds(300))
        for _ in 0..<100 where world.pipe.hostDeadline != nil { try world.run(.milliseconds(1)) }
        #expect(world.pipe.hostDeadline == nil, "what follows begins with a message")

        let (host, viewer) = (world.host, world.viewer)
        host.losesMedia = true
        var now = world.now
        let filesBefore = host.files.count
        let answersBefore = host.bytesSent
        let elsewhereBefore = host.elsewhere
        var (sent, programs) = (0, Greed.Programs())
        for turn in 0..<2500 {
            let message = Self.message(&generator, pastes: programs.pastes)
            sent += message.count
            host.tell(.received(HostPeer.connection, message), now: now)
            if turn % 4 == 0 {
                now = now + .milliseconds(2)
                host.tick(now: now)
            }
            if turn % 10 == 0 {
                viewer.send(Self.input(&generator), now: now)
                while let datagram = viewer.pollDatagram(now: now) { host.receive(datagram, now: now) }
            }
            programs.act(turn: turn, orders: { host.clipboard }, tell: { host.tell(.clipboard($0), now: now) })
            while host.pollDatagram(now: now) != nil {}
            #expect(host.host.clipboardBytes <= Greed.mostClipboard)
            if turn % 500 == 499 { Self.expectBounded(host.host, host.control) }
        }
        // A large share was accepted, and more was sent than may be held.
        #expect(host.host.state(of: HostPeer.connection) != nil, "nothing of it was against the protocol")
        #expect(sent > 2 * Self.most)
        #expect(host.files.count - filesBefore > 200)
        #expect(host.bytesSent - answersBefore > 20_000)
        #expect(host.host.statistics.clipboard.offersReceived > 10)
        #expect(host.host.statistics.clipboard.bytesReceived > 100_000)
        #expect(!host.injected.isEmpty)
        #expect(host.elsewhere == elsewhereBefore, "nothing goes to anybody else")

        host.tell(.received(HostPeer.connection, Array("nonsense\r\n\r\n".utf8)), now: now)
        #expect(host.host.held.values.allSatisfy { $0 == 0 }, "\(host.host.held)")
        #expect(host.host.clipboardBytes <= Int(Greed.clipboard.mostBytes))
    }

    @Test("a browser's messages, by its data channels and its WebSocket") func browser() {
        let world = WebWorld()
        let browser = world.watch()
        #expect(browser.state == .watching)
        var generator = SeededGenerator(seed: 3)
        var sent = 0
        for turn in 0..<2000 {
            let message = Self.pageMessage(&generator)
            sent += message.count
            browser.peer(.peerMessage(message, turn % 3 == 0 ? .moves : .control))
            if turn % 20 == 0 {
                let candidate = "candidate:\(turn) 1 udp 1 198.51.100.\(turn % 250 + 1) 5000 typ host"
                browser.send(.candidate(TrickledCandidate(candidate: candidate, sdpMid: "0", sdpMLineIndex: 0)))
                world.pass(.milliseconds(20))
            }
            if turn % 500 == 499 { Self.expectBounded(world.host, world.control) }
        }
        #expect(browser.state == .watching && sent > Self.most)
        #expect(!world.injected.isEmpty && browser.told.count > 100)
        #expect(world.clipboard.isEmpty && world.files.isEmpty)
    }

    /// The limits of SECURITY.md: 64 addresses, 7 requests to each, some 100 bytes.
    @Test("a browser's candidates lead the host to no more addresses, and no more often, than is told of")
    func candidates() {
        let world = WebWorld()
        let browser = world.open()
        browser.join(world.host.linkSecret)
        browser.send(.offer(sdp: browser.offer()))
        for number in 0..<200 {
            let candidate = "candidate:\(number) 1 udp 1 198.51.100.\(number + 1) 5000 typ host"
            browser.send(.candidate(TrickledCandidate(candidate: candidate, sdpMid: "0", sdpMLineIndex: 0)))
            world.pass(.milliseconds(60))
            browser.tickPeer()
        }
        for _ in 0..<1000 {
            world.pass(.milliseconds(20))
            browser.tickPeer()
        }
        let asked = Set(browser.datagrams.map(\.to))
        #expect((10...64).contains(asked.count), "\(asked.count)")
        #expect(browser.datagrams.count <= asked.count * 7, "\(browser.datagrams.count)")
        #expect(browser.datagrams.allSatisfy { $0.bytes.count <= 200 })
    }

    // MARK: The guest's messages

    private static func expectBounded(_ host: SourceHost, _ control: HostControl) {
        let held = heldBytes(host) + heldBytes(control)
        #expect((1000...most).contains(held), "\(held)")
    }

    /// A well-formed message of a connection with random content.
    private static func message(_ generator: inout SeededGenerator, pastes: UInt64) -> [UInt8] {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return Greed.frame(UInt8.random(in: 0...1, using: &generator), Greed.junk(&generator))
        case 1: return Greed.frame(UInt8.random(in: 3 ... .max, using: &generator), Greed.junk(&generator))
        case 2:
            let kind = UInt8.random(in: 0...12, using: &generator)
            return Greed.frame(2, Greed.junk(&generator, from: kind))
        case 3:
            let kind = UInt8.random(in: 16...30, using: &generator)
            return Greed.frame(2, Greed.junk(&generator, from: kind))
        case 4: return Greed.frame(2, Greed.fileMessage(&generator).serialised())
        case 5...7: return Greed.frame(2, Greed.clipboardMessage(&generator, pastes).serialised())
        case 8: return Array("RTSP/1.0 200 OK\r\nCSeq: \(Int.random(in: 0...99, using: &generator))\r\n\r\n".utf8)
        default: return request(&generator).serialised()
        }
    }

    private static func request(_ generator: inout SeededGenerator) -> RTSPRequest {
        let uri = "rtsps://10.0.0.1:7236/screen"
        let number = Int.random(in: 0...999, using: &generator)
        var headers: RTSPHeaders = ["CSeq": "\(number)"]
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return RTSPRequest(.play, uri: uri, headers: headers)
        case 1: return RTSPRequest(.pause, uri: uri, headers: headers)
        case 2:
            let isUDP = Bool.random(using: &generator)
            headers.append("Transport", isUDP ? "RTP/SAVPF/UDP" : "RTP/SAVPF/TCP;interleaved=0-1")
            return RTSPRequest(.setup, uri: uri + "/video", headers: headers)
        case 3:
            headers.append("Transport", "TCP/HELIOGRAPH-TRANSFER;interleaved=2-2")
            return RTSPRequest(.setup, uri: uri + "/transfer", headers: headers)
        case 4: return Greed.wordyRequest(uri, cSeq: number)
        default:
            let methods: [RTSPMethod] = [.describe, .setup, .getParameter, .setParameter, .announce, .record]
            headers.append("Content-Type", "application/x-heliograph-sound")
            return RTSPRequest(
                methods.randomElement(using: &generator) ?? .options, uri: uri, headers: headers,
                body: Greed.junk(&generator))
        }
    }

    private static func input(_ generator: inout SeededGenerator) -> InputEvent {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: .pointerMove(x: Float.random(in: 0...1, using: &generator), y: 0.5)
        case 1: .key(usage: UInt16.random(in: 4...40, using: &generator), modifiers: [], isDown: true)
        case 2: .text(String(repeating: "x", count: 1000))
        case 3: .selectMonitor(id: "mon")
        default: .requestControl
        }
    }

    private static func pageMessage(_ generator: inout SeededGenerator) -> [UInt8] {
        let count = Int.random(in: 1...15_000, using: &generator)
        let long = String(repeating: "x", count: count)
        return switch Int.random(in: 0..<12, using: &generator) {
        case 0: ViewerMessage.text(String(repeating: "y", count: min(count, ViewerMessage.longestText))).serialised()
        case 1: ViewerMessage.selectMonitor(id: "m\(count)").serialised()
        case 2: ViewerMessage.ping(id: UInt64(count)).serialised()
        case 3: ViewerMessage.audioVolume(0.5).serialised()
        case 4 where count % 3 == 0: ViewerMessage.ownPicture(enabled: count % 2 == 0, repairs: true).serialised()
        case 4 where count % 3 == 1:
            ViewerMessage.pictureLost(whole: UInt32(count), order: UInt64(count)).serialised()
        case 4: ViewerMessage.quality(PictureWish()).serialised()
        case 5: ViewerMessage.videoEnabled(Bool.random(using: &generator)).serialised()
        case 6: ViewerMessage.scroll(dx: 0, dy: Double(count)).serialised()
        case 7: ViewerMessage.keepsCursors.serialised()
        case 8: Array(String(repeating: "[", count: count).utf8)
        case 9: Array(#"{"type":"text","text":"\#(long)\#(long)\#(long)\#(long)"}"#.utf8)
        case 10: Array(#"{"type":"\#(long)"}"#.utf8)
        default: Greed.junk(&generator)
        }
    }
}
