internal import DequeModule
import HelioControlWire
package import HelioCore
package import HelioProtection
package import HelioRemoteWire

/// The control channels of all viewers, as an engine separate from their media, so that input never waits behind video
/// packets and is injected on the engine's own thread. One viewer at a time drives (`ControlTurn`). What viewers are
/// shown is `SourceHost`'s; only the pointer's position goes to native viewers on their control channels.
///
/// `SourceHost` opens and closes the channels. A datagram is matched to its channel by the viewer's SSRC, a browser's
/// message by its connection.
package final class HostControl: DropCounting, Engine {
    package enum Input: Sendable {
        /// A viewer was admitted, and has agreed to these terms. `from` is the address of its signalling.
        case open(ControlTerms, from: IPAddress?)
        /// The viewer's address has been validated; datagrams to the viewer go there from now on.
        case moved(SSRC, to: IPAddress)
        /// The viewer's session has ended: everything that it holds is released.
        case close(SSRC)
        /// The permission to drive from now on. Whether it is granted or withdrawn, everything that the viewer holds is
        /// released.
        case permit(SSRC, Bool)
        case datagram([UInt8], from: PathID)
        /// A datagram received inside a viewer's signalling connection, used if UDP is blocked.
        case inside([UInt8])
        /// An input about a browser's viewer.
        case web(ConnectionID, WebControl)
        /// The captured screen has this size from now on. `on` is the monitor that is captured from now on, or `nil` if
        /// the monitor is the same as before; viewers' positions refer to it.
        case screen(PixelSize, on: ScreenMonitor? = nil)
        /// The host's pointer has moved to this position, in pixels of the captured screen; for native viewers.
        case cursorMoved(x: Int, y: Int)
        /// The IDs of the present monitors, which the driver may request.
        case monitors([String])
    }

    package enum Output: Sendable {
        case datagram([UInt8], to: PathID)
        /// A datagram to be sent inside this viewer's signalling connection.
        case inside([UInt8], to: SSRC)
        /// The inputs of one message, in order, to be passed to the system together.
        case inject([InjectedInput])
        /// A message for this browser, on this data channel; messages on `moves` may get lost.
        case web(ConnectionID, [UInt8], RemoteChannel)
        /// The driver requests that another monitor be shown.
        case selectMonitor(id: String)
        /// This viewer drives from now on.
        case driver(DrivingViewer)
    }

    /// A reason for which an input is dropped before it reaches a channel.
    enum Drop: String, Sendable, CaseIterable, Hashable {
        case unknownViewer = "control-unknown-viewer"
        case unusableKeys = "control-unusable-keys"
    }

    private let crypto: any CryptoProvider
    /// The maximum rate of moves that the system accepts, in moves per second; `nil` for a desktop's rate.
    let inputRate: UInt16?
    private(set) var screen: PixelSize
    var turn = ControlTurn()
    /// The viewer that last requested control while another viewer drives.
    var asker: ViewerNumber?
    private(set) var channels = OrderedTable<SSRC, HostControlChannel>()
    var web = OrderedTable<ConnectionID, WebControlChannel>()
    /// The IDs of the present monitors.
    private var monitors: [String] = []
    private var nextNumber: UInt32 = 1
    /// True if the driver has changed since the last `driver` output.
    private var isDriverDue = false
    var outputs = Deque<Output>()
    /// The channels that may have datagrams to send.
    private var senders = Deque<HostControlChannel>()
    private var sender: HostControlChannel?
    var counter = DropCounter<Drop>()
    /// The counts of closed channels' drops, by name.
    var earlierDrops: [String: Int] = [:]

    /// The driving viewer; `nil` if there is none.
    package var driver: DrivingViewer? {
        guard let number = turn.driver else { return nil }
        if let viewer = channels.keys.first(where: { channels[$0]?.number == number }) { return .session(viewer) }
        return browser(number).map { .browser($0) }
    }

    /// The number of channels, of native viewers and of browsers.
    package var channelCount: Int { channels.count + web.count }

    /// - Parameter inputRate: the maximum rate of moves that the system accepts, in moves per second, which is
    ///   announced to viewers; `nil` for a desktop's rate.
    package init(screen: PixelSize, inputRate: UInt16? = nil, crypto: any CryptoProvider) {
        self.inputRate = inputRate
        self.screen = screen
        self.crypto = crypto
    }

    /// Returns input, messages for browsers and requests for monitors first, in order; then a change of the driver;
    /// then datagrams. Datagrams are encrypted only when polled, so that encryption does not delay input.
    package func poll() -> Output? {
        if let output = outputs.popFirst() { return output }
        if isDriverDue {
            isDriverDue = false
            if let driver { return .driver(driver) }
        }
        while true {
            if let output = sender?.pollDatagram() { return output }
            sender = senders.popFirst()
            if sender == nil { return nil }
        }
    }

    package func handle(_ input: consuming Input, now: Instant) {
        switch input {
        case .open(let terms, let home):
            let channel = try? HostControlChannel(
                terms, number: makeNumber(), home: home, screen: screen,
                inputRate: inputRate ?? ControlReceiver.Configuration.usualRate, crypto: crypto)
            guard let channel else { return counter.count(.unusableKeys) }
            channels[terms.viewer] = channel
            tellViewers()
            tellTurn()
        case .moved(let viewer, let ip): channels[viewer]?.home = ip
        case .close(let viewer):
            guard let channel = channels.removeValue(forKey: viewer) else { return }
            channel.end(now: now)
            settle(channel)
            earlierDrops.add(channel)
            turn.leave(channel.number)
            tellViewers()
            tellTurn()
        case .permit(let viewer, let allowed):
            guard let channel = channels[viewer] else { return }
            channel.permit(allowed, now: now)
            settle(channel)
            changeTurn(now) { if !allowed { $0.leave(channel.number) } }
        case .datagram(let bytes, let path): take(bytes, from: path, now)
        case .inside(let bytes): take(bytes, from: nil, now)
        case .web(let id, let input): handle(input, of: id, now: now)
        case .screen(let size, let monitor): change(to: size, on: monitor)
        case .cursorMoved(let x, let y):
            for channel in channels.values {
                channel.tellCursor(x: x, y: y, now: now)
                settle(channel)
            }
        case .monitors(let list): monitors = list
        }
    }

    /// - Parameter path: the path by which the datagram arrived; `nil` for the viewer's signalling connection.
    private func take(_ bytes: [UInt8], from path: PathID?, _ now: Instant) {
        guard let viewer = bytes.span.bytes.uint32(at: 0), let channel = channels[SSRC(viewer)] else {
            return counter.count(.unknownViewer)
        }
        changeTurn(now) { channel.handle(bytes, from: path, turn: &$0, now: now) }
        settle(channel)
        for wish in channel.pollWishes() { grant(wish, of: channel, now: now) }
    }

    package func tick(now: Instant) {
        changeTurn(now) { turn in
            for channel in channels.values { channel.tick(turn: &turn, now: now) }
        }
        for channel in channels.values { settle(channel) }
        tickWeb(now)
        changeTurn(now) { $0.tick(now: now) }
    }

    package var deadline: Deadline? {
        let native = channels.values.reduce(turn.deadline) { Deadline.earliest($0, $1.deadline) }
        return web.values.reduce(native) { Deadline.earliest($0, $1.receiver.deadline) }
    }

    /// Counts of all drops, by name.
    package var allDrops: [String: Int] { .sum(earlierDrops, counter, channels.values.allDrops, web.values.allDrops) }

    func makeNumber() -> ViewerNumber {
        defer { nextNumber &+= 1 }
        return ViewerNumber(nextNumber)
    }

    /// Applies a change of `turn`. If the driver changes, releases everything that the former driver holds, and
    /// notifies all viewers.
    func changeTurn(_ now: Instant, _ change: (inout ControlTurn) -> Void) {
        let before = turn.driver
        change(&turn)
        guard turn.driver != before else { return }
        asker = nil
        if let channel = before.flatMap(native) {
            channel.release(now: now)
            settle(channel)
        } else if let id = before.flatMap(browser) {
            inject(web[id]?.receiver.release() ?? [])
        }
        isDriverDue = true
        tellViewers()
        tellTurn()
    }

    func inject(_ inputs: [InjectedInput]) {
        if !inputs.isEmpty { outputs.append(.inject(inputs)) }
    }

    /// Notifies all viewers of the driver: the driver itself by `you`, the other viewers by the driver's name.
    func tellTurn() {
        let driver = turn.driver.map { Driver.other(name: name(of: $0)) } ?? .nobody
        for channel in channels.values {
            channel.send(channel.number == turn.driver ? .you : driver)
            settle(channel)
        }
        tellWebTurn()
    }

    private func name(of number: ViewerNumber) -> String { DeviceName.clean(givenName(of: number)) }

    /// The name as sent by the viewer, not cleaned.
    private func givenName(of number: ViewerNumber) -> String {
        native(number)?.name ?? browser(number).flatMap { web[$0]?.name } ?? ""
    }

    private func native(_ number: ViewerNumber) -> HostControlChannel? {
        channels.values.first { $0.number == number }
    }

    private func browser(_ number: ViewerNumber) -> ConnectionID? { web.keys.first { web[$0]?.number == number } }

    /// Handles a request of a native viewer: to get control, to hand it over, or to show a monitor.
    private func grant(_ wish: HostControlChannel.Wish, of channel: HostControlChannel, now: Instant) {
        switch wish {
        case .requestControl:
            guard channel.allowsControl else { return channel.refuseWish() }
            requestControl(channel.number, now: now)
        case .handOver:
            let heir = asker.flatMap { mayDrive($0) ? $0 : nil }
            var isDone = false
            changeTurn(now) { isDone = $0.handOver(by: channel.number, to: heir, now: now) }
            if !isDone { channel.refuseWish() }
        case .selectMonitor(let id):
            guard hasMonitor(id) else { return channel.refuseMonitor() }
            guard channel.allowsControl else { return channel.refuseWish() }
            guard drives(channel.number, isHolding: channel.isHolding, now: now) else { return channel.refuseWish() }
            outputs.append(.selectMonitor(id: id))
        }
    }

    func hasMonitor(_ id: String) -> Bool { monitors.contains(id) }

    /// Returns whether this viewer drives. If there is no driver, it becomes the driver.
    func drives(_ number: ViewerNumber, isHolding: Bool, now: Instant) -> Bool {
        var drives = false
        changeTurn(now) { drives = $0.act(number, isMotion: false, isHolding: isHolding, now: now) }
        return drives
    }

    /// Makes a viewer the driver if no other viewer drives; otherwise asks the driver to hand control over. The caller
    /// has checked that the viewer may drive.
    func requestControl(_ number: ViewerNumber, now: Instant) {
        var answer = ControlTurn.Answer.granted
        changeTurn(now) { answer = $0.request(number, now: now) }
        guard case .taken(let driver) = answer, mayAsk(number, now: now) else { return }
        asker = number
        if let channel = native(driver) {
            channel.tellRequest(by: name(of: number))
            settle(channel)
        } else if let id = browser(driver) {
            send(.controlRequested(number, name: givenName(of: number)), id)
        }
    }

    /// Returns whether this viewer may ask the driver again.
    private func mayAsk(_ number: ViewerNumber, now: Instant) -> Bool {
        if let channel = native(number) { return channel.mayAsk(now: now) }
        return browser(number).flatMap { web[$0]?.mayAsk(now: now) } ?? false
    }

    func mayDrive(_ number: ViewerNumber) -> Bool {
        native(number)?.allowsControl ?? browser(number).flatMap { web[$0]?.allowsControl } ?? false
    }

    private func settle(_ channel: HostControlChannel) {
        inject(channel.pollInputs())
        senders.append(channel)
    }

    private func change(to size: PixelSize, on monitor: ScreenMonitor?) {
        screen = size
        // The change is queued in order with input, so that earlier input still acts on the former monitor.
        if let monitor { inject([.monitor(monitor)]) }
        for channel in channels.values { channel.setScreen(size) }
        for id in web.keys { web[id]?.receiver.mapper = CoordinateMapper(size: size) }
    }
}
