import HelioCore
import HelioRTSP
import HelioRemoteWire
import HelioSession
import HelioSimulation
import HelioTransferWire
import Testing

@Suite("Whatever a host sends, a viewer's memory stays within 24 MiB")
struct GreedyHostTests {
    /// The most bytes that a viewer's session holds besides clipboard content, as stated in SECURITY.md.
    private static let most = 24 << 20
    /// The most bytes that a viewer's session holds for a host before its proof.
    private static let mostUnproven = 1 << 20

    @Test("a host that has proven who it is", arguments: 0..<2 as Range<UInt64>)
    func proven(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed &+ 50)
        var world = SessionWorld(
            seed: seed &+ 1, transport: .tcp, hearsViewers: true, speaks: true, hostClipboard: Greed.clipboard,
            viewerClipboard: Greed.clipboard, hasFiles: true, viewerFiles: FileToken(using: &generator))
        try world.run(.seconds(1))
        #expect(world.viewer.isPlaying)
        for _ in 0..<100 where world.pipe.viewerDeadline != nil { try world.run(.milliseconds(1)) }
        #expect(world.pipe.viewerDeadline == nil, "what follows begins with a message")

        let viewer = world.viewer
        var now = world.now
        let filesBefore = viewer.files.count
        var (sent, programs) = (0, Greed.Programs())
        for turn in 0..<1500 {
            let message = Self.message(&generator, pastes: programs.pastes)
            sent += message.count
            viewer.tell(.received(message), now: now)
            if turn % 4 == 0 {
                now = now + .milliseconds(2)
                viewer.tick(now: now)
            }
            programs.act(turn: turn, orders: { viewer.clipboard }, tell: { viewer.tell(.clipboard($0), now: now) })
            while viewer.pollDatagram(now: now) != nil {}
            #expect(viewer.session.clipboardBytes <= Greed.mostClipboard)
            if turn % 500 == 499 {
                let held = heldBytes(viewer.session)
                #expect((1000...Self.most).contains(held), "\(held)")
            }
        }
        // A large share was accepted, and more was sent than may be held.
        #expect(viewer.ended == nil, "\(String(describing: viewer.ended))")
        #expect(sent > Self.most)
        #expect(viewer.cursors.count > 100 && viewer.monitors.count > 10 && viewer.permissions.count > 10)
        #expect(viewer.files.count - filesBefore > 50)

        viewer.tell(.received(Array("nonsense\r\n\r\n".utf8)), now: now)
        #expect(viewer.ended != nil)
    }

    @Test("somebody who answers at an announced name, and has proven nothing", arguments: 0..<8 as Range<UInt64>)
    func unproven(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let world = SessionWorld(seed: seed &+ 1)
        let viewer = world.viewer
        let head = Array("OPTIONS * RTSP/1.0\r\nCSeq: 1\r\nContent-Length: 262152\r\n\r\n".utf8)
        let request = head + [UInt8](repeating: 7, count: 262_152)
        var (sent, highest, place) = (0, 0, 0)
        while viewer.ended == nil, sent < 16 << 20 {
            let count = min(Int.random(in: 1...60_000, using: &generator), request.count - place)
            viewer.tell(.received(Array(request[place..<place + count])), now: .zero)
            place = (place + count) % request.count
            sent += count
            let held = heldBytes(viewer.session)
            highest = max(highest, held)
        }
        #expect(viewer.ended != nil && !viewer.isPlaying)
        #expect(sent > 2 * Self.mostUnproven && sent < 4 * Self.mostUnproven)
        #expect(highest > 100_000 && highest <= Self.mostUnproven, "\(highest)")
    }

    // MARK: The host's messages

    /// A well-formed message of a connection with random content.
    private static func message(_ generator: inout SeededGenerator, pastes: UInt64) -> [UInt8] {
        switch Int.random(in: 0..<13, using: &generator) {
        case 0...1: return set("application/x-heliograph-cursor", cursor(&generator))
        case 2: return set("application/x-heliograph-cursor-number", Greed.junk(&generator, most: 4))
        case 3: return set("application/x-heliograph-monitors+json", monitors(&generator))
        case 4:
            let isAllowed = Bool.random(using: &generator)
            return set("application/x-heliograph-permission", Array((isAllowed ? "control" : "watch").utf8))
        case 5: return set("application/x-heliograph-terms", Greed.junk(&generator, most: 300))
        case 6: return Greed.wordyRequest("*").serialised()
        case 7:
            let body = Greed.junk(&generator, most: 200_000)
            return RTSPRequest(.announce, uri: "*", headers: ["CSeq": "1"], body: body).serialised()
        case 8: return Array("RTSP/1.0 200 OK\r\nCSeq: 9999\r\n\r\n".utf8)
        case 9: return Greed.frame(2, Greed.clipboardMessage(&generator, pastes).serialised())
        case 10: return Greed.frame(2, Greed.fileMessage(&generator).serialised())
        case 11: return Greed.frame(2, Greed.junk(&generator))
        default:
            let channel = UInt8.random(in: 0...1, using: &generator)
            return Greed.frame(channel, Greed.junk(&generator, most: 2000))
        }
    }

    private static func set(_ type: String, _ body: [UInt8]) -> [UInt8] {
        RTSPRequest(.setParameter, uri: "*", headers: ["CSeq": "1", "Content-Type": type], body: body).serialised()
    }

    private static func cursor(_ generator: inout SeededGenerator) -> [UInt8] {
        let width = Int.random(in: 200...256, using: &generator)
        let pixel = UInt8.random(in: .min ... .max, using: &generator)
        let header = [0, 0, 1, 0, 0, 0, 0, 0] as [UInt8]
        var bytes = header + [UInt8](repeating: pixel, count: width * 256 * 4)
        (bytes[0], bytes[1]) = (UInt8(width >> 8), UInt8(width & 255))
        // Makes each message different.
        for index in 8..<16 { bytes[index] = UInt8.random(in: .min ... .max, using: &generator) }
        return bytes
    }

    private static func monitors(_ generator: inout SeededGenerator) -> [UInt8] {
        if Int.random(in: 0..<4, using: &generator) == 0 { return Greed.junk(&generator) }
        let list = (0..<4).map {
            MonitorEntry(
                id: "monitor-\($0)", name: String(repeating: "n", count: 40), size: PixelSize(width: 640, height: 480),
                isPrimary: $0 == 0)
        }
        return MonitorsMessage.encode(list, selected: "monitor-1")
    }
}
