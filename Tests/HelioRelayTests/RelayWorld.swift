import HelioCore
import HelioRelay
import HelioRelayWire

/// An extension and an app on virtual time, connected by a simulated socket with settable capacity and speed.
struct RelayWorld: ~Copyable {
    private(set) var now = Instant.zero
    var source: ExtensionRelay
    var app: AppRelay
    /// True if the app listens.
    var listens = true
    /// True if the app's process runs; if not, its socket stays open.
    var appLives = true
    /// The capacity of the socket in each direction, in bytes.
    var room = 4096
    /// The bytes per second that the app reads; `nil` for unlimited.
    var readRate: Int?

    private(set) var sourceEvents: [ExtensionRelayEvent] = []
    private(set) var appEvents: [AppRelayEvent] = []
    /// The total of bytes that the app has read, over all connections.
    private(set) var bytesRead = 0
    private(set) var tries = 0

    private struct Socket {
        let id: ConnectionID
        var toApp: [UInt8] = []
        var toSource: [UInt8] = []
        var sourceIsOpen = true
        var appIsOpen = true
    }
    private var socket: Socket?
    private var sending: (bytes: [UInt8], offset: Int)?
    private var lastID: UInt64 = 0
    private var allowance = 0.0

    init(
        settings: ExtensionRelaySettings = ExtensionRelaySettings(), appSettings: AppRelaySettings = AppRelaySettings(),
        seed: UInt64 = 1
    ) {
        source = ExtensionRelay(
            format: RelayFormat(codec: .h264, size: PixelSize(width: 720, height: 1280)), settings: settings,
            random: SeededGenerator(seed: seed), now: .zero)
        app = AppRelay(settings: appSettings, now: .zero)
    }

    var pictures: [RelayedPicture] {
        appEvents.compactMap { if case .picture(let picture) = $0 { picture } else { nil } }
    }
    var isConnected: Bool { source.isOpen && app.hasExtension }
    var connection: ConnectionID? { socket?.id }

    // MARK: The test's actions

    mutating func give(_ input: ExtensionRelay.Input) {
        source.handle(input, now: now)
        settle()
    }

    mutating func giveApp(_ input: AppRelay.Input) {
        app.handle(input, now: now)
        settle()
    }

    /// Advances the time in steps of a millisecond.
    mutating func run(_ duration: Duration) {
        let end = now + duration
        while now < end {
            now = min(end, now + .milliseconds(1))
            if let readRate { allowance = min(allowance + Double(readRate) / 1000, Double(room)) }
            settle()
        }
    }

    /// Runs until a condition holds; returns false if it doesn't within the limit.
    mutating func run(atMost limit: Duration, until holds: (borrowing RelayWorld) -> Bool) -> Bool {
        let end = now + limit
        while !holds(self) {
            if now >= end { return false }
            run(.milliseconds(1))
        }
        return true
    }

    /// Kills the app with its sockets, after it has read this many more bytes.
    mutating func killApp(after count: Int = 0) {
        if count > 0 { readByApp(count) }
        if socket != nil { socket?.appIsOpen = false }
        listens = false
        drainApp()
        app = AppRelay(now: now)
        settle()
    }

    /// Breaks the connection once the app has read this many more bytes.
    mutating func cut(after count: Int) {
        guard socket != nil else { return }
        readByApp(count)
        drainApp()
        guard let id = socket?.id else { return }
        socket = nil
        sending = nil
        app.handle(.closed(id), now: now)
        source.handle(.closed, now: now)
        settle()
    }

    /// Clears the events recorded so far.
    mutating func forget() {
        sourceEvents = []
        appEvents = []
    }

    /// Returns and clears the app's events.
    mutating func takeAppEvents() -> [AppRelayEvent] {
        defer { appEvents = [] }
        return appEvents
    }

    /// Returns and clears the extension's events.
    mutating func takeSourceEvents() -> [ExtensionRelayEvent] {
        defer { sourceEvents = [] }
        return sourceEvents
    }

    // MARK: The socket

    /// Moves bytes and outputs until there are none left at this instant.
    private mutating func settle() {
        source.tick(now: now)
        if appLives { app.tick(now: now) }
        var rounds = 0
        while drainSource() || drainApp() || moveToApp() || moveToSource() {
            rounds += 1
            precondition(rounds < 100_000, "it never comes to rest")
        }
    }

    private mutating func drainSource() -> Bool {
        var any = false
        while let output = source.poll() {
            any = true
            switch output {
            case .connect:
                tries += 1
                if listens {
                    lastID += 1
                    socket = Socket(id: ConnectionID(lastID))
                    if appLives { app.handle(.connected(ConnectionID(lastID)), now: now) }
                    source.handle(.connected, now: now)
                } else {
                    source.handle(.closed, now: now)
                }
            case .send(let bytes):
                precondition(sending == nil, "two runs of bytes at a time")
                sending = (bytes, 0)
            case .close:
                socket?.sourceIsOpen = false
                sending = nil
            case .event(let event): sourceEvents.append(event)
            }
        }
        return any
    }

    @discardableResult
    private mutating func drainApp() -> Bool {
        guard appLives else { return false }
        var any = false
        while let output = app.poll() {
            any = true
            switch output {
            case .send(let id, let bytes): if socket?.id == id { socket?.toSource += bytes }
            case .close(let id): if socket?.id == id { socket?.appIsOpen = false }
            case .event(let event): appEvents.append(event)
            }
        }
        return any
    }

    /// Moves the extension's bytes into the socket, and from there to the app.
    private mutating func moveToApp() -> Bool {
        var any = false
        if let part = sending, let open = socket, open.sourceIsOpen, open.appIsOpen {
            let count = min(part.bytes.count - part.offset, room - open.toApp.count)
            if count > 0 {
                any = true
                socket?.toApp += part.bytes[part.offset..<part.offset + count]
                sending?.offset += count
                if part.offset + count == part.bytes.count {
                    sending = nil
                    source.handle(.sent, now: now)
                }
            }
        }
        if appLives, let open = socket, open.appIsOpen {
            if !open.toApp.isEmpty {
                let count = readRate == nil ? open.toApp.count : min(open.toApp.count, Int(allowance))
                if count > 0 {
                    any = true
                    allowance -= readRate == nil ? 0 : Double(count)
                    readByApp(count)
                }
            } else if !open.sourceIsOpen {
                any = true
                socket = nil
                app.handle(.closed(open.id), now: now)
            }
        }
        return any
    }

    private mutating func readByApp(_ most: Int) {
        guard appLives, let open = socket, open.appIsOpen else { return }
        let bytes = Array(open.toApp.prefix(most))
        guard !bytes.isEmpty else { return }
        socket?.toApp.removeFirst(bytes.count)
        bytesRead += bytes.count
        app.handle(.received(open.id, bytes), now: now)
    }

    /// Delivers the app's bytes to the extension, and then the end of the connection, if there is one.
    private mutating func moveToSource() -> Bool {
        guard let open = socket, open.sourceIsOpen else { return false }
        if !open.toSource.isEmpty {
            socket?.toSource = []
            source.handle(.received(open.toSource), now: now)
            return true
        }
        guard !open.appIsOpen else { return false }
        socket = nil
        sending = nil
        source.handle(.closed, now: now)
        return true
    }
}
