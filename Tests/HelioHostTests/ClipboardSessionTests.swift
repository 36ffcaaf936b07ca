import HelioAdmission
import HelioCore
import HelioHost
import HelioMedia
import HelioRemote
import HelioSession
import HelioSimulation
import HelioTransferWire
import Testing

@Suite("The clipboard goes between the host and who drives")
struct ClipboardSessionTests {
    private static let all = ClipboardTerms(maySend: true, mayReceive: true, mostBytes: 1 << 20)
    private static let text = [ClipboardEntry(.text, size: 5)]

    private static func world(
        host: ClipboardTerms? = all, viewer: ClipboardTerms? = all, same: Bool = false, device: PairedDevice? = nil,
        transport: TransportPolicy = .automatic
    ) throws -> SessionWorld {
        var world = SessionWorld(
            device: device, transport: transport, hostClipboard: host, viewerClipboard: viewer,
            sameClipboard: same)
        try world.run(.seconds(1))
        #expect(world.viewer.isPlaying)
        return world
    }

    private static func offers(_ orders: [ClipboardOrder]) -> Int {
        orders.count { if case .offer = $0 { true } else { false } }
    }

    private static func withdrawals(_ orders: [ClipboardOrder]) -> Int {
        orders.count { if case .withdraw = $0 { true } else { false } }
    }

    private static func copy(atHost world: borrowing SessionWorld, serial: UInt64 = 1) {
        world.host.tell(.clipboard(.changed(ClipboardSerial(serial), text)), now: world.now)
    }

    private static func drive(_ world: inout SessionWorld) throws {
        world.viewer.send(.pointerMove(x: 0.5, y: 0.5), now: world.now)
        try world.run(.milliseconds(300))
    }

    /// Pastes at the viewer while a program at the host provides the content; returns the pasted bytes.
    private static func paste(
        _ world: inout SessionWorld, _ content: [UInt8], id: UInt64 = 1
    ) throws -> Result<[UInt8], ClipboardFailure>? {
        world.viewer.tell(.clipboard(.wanted(PasteID(id), .text)), now: world.now)
        try world.run(.milliseconds(200))
        for case .read(_, _, _, let read) in world.host.clipboard.suffix(1) {
            world.host.tell(.clipboard(.content(read, .success(content))), now: world.now)
        }
        try world.run(.seconds(2))
        for case .provide(PasteID(id), let content) in world.viewer.clipboard { return content }
        return nil
    }

    @Test(
        "what is copied at the host is offered to who drives, and fetched when it is pasted",
        arguments: [
            TransportPolicy.automatic, .tcp,
        ])
    func toViewer(_ transport: TransportPolicy) throws {
        var world = try Self.world(transport: transport)
        Self.copy(atHost: world)
        try world.run(.seconds(1))
        #expect(world.viewer.clipboard.isEmpty, "it does not drive")
        try Self.drive(&world)
        #expect(Self.offers(world.viewer.clipboard) == 1)
        #expect(world.host.clipboard.isEmpty, "nobody has pasted")
        let content = (0..<300_000).map { UInt8(32 + $0 % 90) }
        #expect(try Self.paste(&world, content) == .success(content))
        #expect(world.host.host.statistics.clipboard.bytesSent == content.count)
        #expect(world.viewer.session.statistics.clipboard?.bytesReceived == content.count)
        #expect(world.viewer.broken == 0 && world.viewer.ended == nil)
    }

    @Test(
        "what is copied at the viewer is offered at the host, and what the host has of it stays when the viewer leaves")
    func toHost() throws {
        var world = try Self.world()
        world.viewer.tell(.clipboard(.changed(ClipboardSerial(1), Self.text)), now: world.now)
        try world.run(.seconds(1))
        #expect(world.host.clipboard.isEmpty, "it does not drive")
        try Self.drive(&world)
        #expect(Self.offers(world.host.clipboard) == 1)
        world.host.tell(.clipboard(.wanted(PasteID(7), .text)), now: world.now)
        try world.run(.milliseconds(200))
        guard case .read(.text, ClipboardSerial(1), _, let read) = world.viewer.clipboard.last else {
            Issue.record("the viewer's clipboard is not read")
            return
        }
        world.viewer.tell(.clipboard(.content(read, .success(Array("hello".utf8)))), now: world.now)
        try world.run(.milliseconds(200))
        guard case .provide(PasteID(7), .success(let bytes)) = world.host.clipboard.last else {
            Issue.record("the paste is not answered")
            return
        }
        #expect(bytes == Array("hello".utf8))
        world.viewer.leave(now: world.now)
        try world.run(.seconds(1))
        #expect(Self.withdrawals(world.host.clipboard) == 0)
        world.host.tell(.clipboard(.wanted(PasteID(8), .text)), now: world.now)
        guard case .provide(PasteID(8), .success(let again)) = world.host.clipboard.last else {
            Issue.record("the host has lost it")
            return
        }
        #expect(again == bytes)
    }

    @Test("a small text is fetched before anybody pastes it; of a viewer that the host puts out nothing stays")
    func putOut() throws {
        var world = try Self.world()
        try Self.drive(&world)
        world.viewer.tell(.clipboard(.changed(ClipboardSerial(1), Self.text)), now: world.now)
        try world.run(.milliseconds(500))
        guard case .read(.text, ClipboardSerial(1), _, let read) = world.viewer.clipboard.last else {
            Issue.record("the viewer's clipboard is not read")
            return
        }
        world.viewer.tell(.clipboard(.content(read, .success(Array("hello".utf8)))), now: world.now)
        try world.run(.milliseconds(200))
        #expect(world.host.host.statistics.clipboard.bytesReceived == 5)
        world.host.tell(.putOut(HostPeer.connection), now: world.now)
        try world.run(.seconds(1))
        #expect(Self.withdrawals(world.host.clipboard) == 1)
        world.host.tell(.clipboard(.wanted(PasteID(8), .text)), now: world.now)
        guard case .provide(PasteID(8), .failure(.gone)) = world.host.clipboard.last else {
            Issue.record("the host still has it")
            return
        }
    }

    @Test("it stays shared while nobody drives")
    func idle() throws {
        var world = try Self.world()
        Self.copy(atHost: world)
        try Self.drive(&world)
        try world.run(.seconds(30))
        #expect(try Self.paste(&world, Array("hello".utf8)) == .success(Array("hello".utf8)))
    }

    @Test("a host that takes control back takes the clipboard back, too, and gives it with the next act")
    func takenBack() throws {
        var world = try Self.world()
        Self.copy(atHost: world)
        try Self.drive(&world)
        world.host.tell(.permitControl(false, viewer: nil), now: world.now)
        try world.run(.seconds(1))
        #expect(Self.withdrawals(world.viewer.clipboard) == 1)
        #expect(try Self.paste(&world, []) == .failure(.notAllowed))
        world.host.tell(.permitControl(true, viewer: nil), now: world.now)
        try world.run(.seconds(1))
        #expect(Self.offers(world.viewer.clipboard) == 1)
        try Self.drive(&world)
        #expect(Self.offers(world.viewer.clipboard) == 2)
    }

    @Test("either end's switch ends it", arguments: [true, false])
    func switchedOff(atHost: Bool) throws {
        var world = try Self.world()
        Self.copy(atHost: world)
        try Self.drive(&world)
        if atHost {
            world.host.tell(.clipboardTerms(.nothing), now: world.now)
        } else {
            world.viewer.tell(.clipboardTerms(.nothing), now: world.now)
        }
        try world.run(.seconds(1))
        #expect(Self.withdrawals(world.viewer.clipboard) == 1)
        if atHost {
            world.host.tell(.clipboardTerms(Self.all), now: world.now)
        } else {
            world.viewer.tell(.clipboardTerms(Self.all), now: world.now)
        }
        try world.run(.seconds(1))
        #expect(Self.offers(world.viewer.clipboard) == 2)
    }

    @Test("a paired device without the permission drives, and gets no clipboard; the permission counts at once")
    func permission() throws {
        var generator = SeededGenerator(seed: 5)
        var device = PairedDevice(name: "laptop", allowsControl: true, using: &generator)
        device.sharesClipboard = false
        var world = try Self.world(device: device)
        Self.copy(atHost: world)
        try Self.drive(&world)
        #expect(world.viewer.clipboard.isEmpty && !world.host.injected.isEmpty)
        device.sharesClipboard = true
        world.host.tell(.devices([device]), now: world.now)
        try Self.drive(&world)
        try world.run(.seconds(11))
        try Self.drive(&world)
        #expect(Self.offers(world.viewer.clipboard) == 1)
        device.sharesClipboard = false
        world.host.tell(.devices([device]), now: world.now)
        try world.run(.seconds(1))
        #expect(Self.withdrawals(world.viewer.clipboard) == 1)
    }

    @Test("without a clipboard at either end nothing is asked for, or all is refused", arguments: [true, false])
    func none(atHost: Bool) throws {
        var world = try Self.world(host: atHost ? nil : Self.all, viewer: atHost ? Self.all : nil)
        Self.copy(atHost: world)
        try Self.drive(&world)
        #expect(world.viewer.clipboard.isEmpty && world.viewer.ended == nil)
        #expect((world.viewer.session.statistics.clipboard == nil) == !atHost)
    }

    @Test("one clipboard is not shared with itself")
    func same() throws {
        var world = try Self.world(same: true)
        Self.copy(atHost: world)
        try Self.drive(&world)
        #expect(world.viewer.clipboard.isEmpty && world.viewer.session.statistics.clipboard == nil)
        #expect(world.viewer.isPlaying && world.viewer.ended == nil)
    }

    @Test("a session that ends answers what was pasted, and takes the host's offer back")
    func end() throws {
        var world = try Self.world()
        Self.copy(atHost: world)
        try Self.drive(&world)
        world.viewer.tell(.clipboard(.wanted(PasteID(3), .text)), now: world.now)
        try world.run(.milliseconds(100))
        world.host.tell(.putOut(HostPeer.connection), now: world.now)
        try world.run(.seconds(1))
        #expect(world.viewer.ended != nil && Self.withdrawals(world.viewer.clipboard) == 1)
        #expect(
            world.viewer.clipboard.contains { if case .provide(PasteID(3), .failure) = $0 { true } else { false } })
    }

    @Test("frames of the channel that was not asked for are counted, and change nothing")
    func unasked() throws {
        var world = try Self.world(viewer: nil)
        for message in [[0], [], Array(repeating: 7, count: 20_000)] as [[UInt8]] {
            let frame = [UInt8(ascii: "$"), 2, UInt8(message.count >> 8), UInt8(message.count & 255)] + message
            world.host.tell(.received(HostPeer.connection, frame), now: world.now)
        }
        try world.run(.seconds(1))
        #expect(world.host.host.statistics.drops["interleaved-media"] == 3 && world.viewer.ended == nil)
    }

    @Test("large content keeps the picture going, inside the connection too")
    func beside() throws {
        var world = try Self.world(transport: .tcp)
        world.pipe.rate = Bitrate(bitsPerSecond: 20_000_000)
        Self.copy(atHost: world)
        try Self.drive(&world)
        let before = world.viewer.frames
        _ = try Self.paste(&world, Array(repeating: 65, count: 1 << 20))
        #expect(world.viewer.frames - before > 60 && world.viewer.longestGap < .milliseconds(300))
    }
}
