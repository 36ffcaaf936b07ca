import HelioAdmission
import HelioCore
import HelioHost
import HelioMedia
import HelioRemote
import HelioSession
import HelioSimulation
import HelioTransferWire
import Testing

@Suite("Files have a channel between host and viewer")
struct FileSessionTests {
    private static let clipboard = ClipboardTerms(maySend: true, mayReceive: true, mostBytes: 1 << 20)

    private static func token() -> FileToken {
        var generator = SeededGenerator(seed: 7)
        return FileToken(using: &generator)
    }

    private static func world(
        host: Bool = true, viewer: Bool = true, clipboard: ClipboardTerms? = nil, same: Bool = false,
        device: PairedDevice? = nil, transport: TransportPolicy = .automatic
    ) throws -> SessionWorld {
        var world = SessionWorld(
            device: device, transport: transport, hostClipboard: clipboard, viewerClipboard: clipboard,
            sameClipboard: same, hasFiles: host, viewerFiles: viewer ? token() : nil)
        try world.run(.seconds(1))
        #expect(world.viewer.isPlaying)
        return world
    }

    private static func messages(_ traffic: some Sequence<FileTraffic>) -> [[UInt8]] {
        traffic.compactMap { if case .received(let message) = $0 { message } else { nil } }
    }

    private static func granted(_ traffic: some Sequence<FileTraffic>) -> Int {
        traffic.reduce(0) { if case .granted(let bytes) = $1 { $0 + bytes } else { $0 } }
    }

    private static func traffic(_ host: HostPeer) -> [FileTraffic] {
        host.files.compactMap { if case .traffic(let traffic) = $0 { traffic } else { nil } }
    }

    private static func opened(_ host: HostPeer) -> [FileViewer] {
        host.files.compactMap { if case .opened(let viewer) = $0 { viewer } else { nil } }
    }

    private static func piece(_ number: UInt8, _ count: Int = 1000) -> [UInt8] {
        FileMessage.data(BatchID(1), Array(repeating: number, count: count)).serialised()
    }

    @Test("messages go both ways, in order, as they were granted", arguments: [TransportPolicy.automatic, .tcp])
    func bothWays(_ transport: TransportPolicy) throws {
        var world = try Self.world(clipboard: Self.clipboard, transport: transport)
        #expect(Self.opened(world.host).map(\.token) == [Self.token()])
        // Some bytes of answers may have used the connection, and a remainder too small for a grant is left.
        let window = 16 << 10...32 << 10
        #expect(window.contains(Self.granted(world.viewer.files)))
        #expect(window.contains(Self.granted(Self.traffic(world.host))))
        let id = HostPeer.connection
        let (down, up) = ((0..<20).map { Self.piece($0) }, (100..<120).map { Self.piece($0) })
        world.host.tell(.files(down, to: id), now: world.now)
        world.viewer.tell(.files(up), now: world.now)
        try world.run(.seconds(1))
        #expect(Self.messages(world.viewer.files) == down)
        #expect(Self.messages(Self.traffic(world.host)) == up)
        let used = down.reduce(0) { $0 + $1.count }
        #expect(window.contains(Self.granted(world.viewer.files) - used), "what was used is granted again")
        #expect(window.contains(Self.granted(Self.traffic(world.host)) - used))
        #expect(world.viewer.broken == 0 && world.viewer.ended == nil)
        world.viewer.leave(now: world.now)
        try world.run(.seconds(1))
        guard case .traffic(.closed) = world.host.files.last, case .closed = world.viewer.files.last else {
            Issue.record("the channel is not closed with the session")
            return
        }
        #expect(world.host.host.held["file-viewers"] == 0)
    }

    @Test("who sends more messages than were given credit is put out, once and by name, whichever end it is")
    func flooded() throws {
        var world = try Self.world()
        for _ in 0..<3 { world.host.tell(.filesFlooded(HostPeer.connection), now: world.now) }
        try world.run(.seconds(1))
        #expect(world.viewer.ended != nil)
        #expect(world.host.host.statistics.drops["floods-files"] == 1)
        #expect(world.host.host.held["file-viewers"] == 0)
        world = try Self.world()
        world.viewer.tell(.filesFlooded, now: world.now)
        #expect(world.viewer.ended?.code == .protocolViolation)
    }

    @Test("a host without files refuses them, and a viewer without them asks for nothing")
    func without() throws {
        var world = try Self.world(host: false, clipboard: Self.clipboard)
        #expect(world.viewer.files.isEmpty && world.host.files.isEmpty)
        world = try Self.world(viewer: false, clipboard: Self.clipboard)
        #expect(world.viewer.files.isEmpty && world.host.files.isEmpty)
        let id = HostPeer.connection
        world.host.tell(.files([Self.piece(1)], to: id), now: world.now)
        try world.run(.seconds(1))
        #expect(world.viewer.files.isEmpty && world.viewer.ended == nil)
    }

    @Test("a viewer on the shared screen itself shares files, and no clipboard")
    func sameScreen() throws {
        var world = try Self.world(clipboard: Self.clipboard, same: true)
        #expect(Self.opened(world.host).count == 1)
        world.host.tell(.clipboard(.changed(ClipboardSerial(1), [ClipboardEntry(.text, size: 5)])), now: world.now)
        world.viewer.send(.pointerMove(x: 0.5, y: 0.5), now: world.now)
        try world.run(.seconds(1))
        #expect(world.viewer.clipboard.isEmpty)
        #expect(Self.messages(world.viewer.files).isEmpty)
    }

    @Test("a paired device is told by its identity, with what it may; a change counts at once")
    func permission() throws {
        var generator = SeededGenerator(seed: 3)
        var device = PairedDevice(name: "tablet", allowsControl: true, using: &generator)
        device.files = .always
        var world = try Self.world(device: device)
        let viewer = try #require(Self.opened(world.host).first)
        #expect(viewer.device == device.id && viewer.name == "tablet" && viewer.permission == .always)
        device.files = .never
        world.host.tell(.devices([device]), now: world.now)
        try world.run(.milliseconds(100))
        #expect(world.host.files.contains { if case .permitted(.never) = $0 { true } else { false } })
    }

    @Test("what is no token is none: 32 digits of hexadecimal, in lower case")
    func tokens() {
        #expect(FileToken(Self.token().text) == Self.token())
        for text in ["", "0", String(repeating: "G", count: 32), String(repeating: "A", count: 32)] {
            #expect(FileToken(text) == nil)
        }
        #expect(FileToken(String(repeating: "a", count: 33)) == nil)
    }
}
