internal import DequeModule
import HelioControlWire
import HelioCore
import HelioProtection
import HelioRemoteWire

/// The host's end of one viewer's control channel: decrypts datagrams, injects each event once and in order, answers
/// pings, and sends the pointer's position and the driver (requirement rows 27 and 61).
///
///     | viewer's SSRC 4 | sealed: sequence 8, message, tag 16 |
final class HostControlChannel: DropCounting {
    /// The transport for datagrams to the viewer: the transport by which the viewer's newest datagram arrived.
    private enum Way {
        case path(PathID)
        /// Answers are sent inside the viewer's signalling connection.
        case connection
    }

    /// A request of a viewer about control or the monitor.
    enum Wish {
        case requestControl
        case handOver
        case selectMonitor(String)
    }

    /// The number that identifies the viewer to all others.
    let number: ViewerNumber
    /// The viewer's human-readable name, as sent by the viewer.
    let name: String
    private(set) var allowsControl: Bool
    private let viewerSSRC: SSRC
    private var sealer: SealedSender
    private var opener: SealedReceiver
    private var receiver: ControlReceiver
    private var screen: PixelSize
    private var way: Way?
    /// The validated address of the viewer. A genuine datagram from another address is accepted, but nothing is sent to
    /// that address, as an attacker may have forwarded the datagram.
    var home: IPAddress?
    private var inputs: [InjectedInput] = []
    private var wishes: [Wish] = []
    private var requests = RequestGate()
    /// The plaintexts to encrypt and send; they are queued until received input has been injected.
    private var replies = Deque<[UInt8]>()
    private var cursorSequence: UInt32 = 0
    private var notice = DriverNotice(sequence: 0, driver: .nobody)
    /// The number of copies of the notice still to be sent, one with each answer to a ping, in case a copy is lost.
    private var noticesLeft = 0
    private static let noticeCopies = 3
    private(set) var drops = DropCounter<ControlDrop>()

    init(
        _ terms: ControlTerms, number: ViewerNumber, home: IPAddress?, screen: PixelSize, inputRate: UInt16,
        crypto: any CryptoProvider
    ) throws(CryptoError) {
        self.home = home
        self.number = number
        name = terms.name
        viewerSSRC = terms.viewer
        allowsControl = terms.allowsControl
        self.screen = screen
        let crypto = terms.provider(over: crypto)
        sealer = try SealedSender(key: terms.hostKey, crypto: crypto)
        opener = try SealedReceiver(key: terms.viewerKey, crypto: crypto)
        var configuration = ControlReceiver.Configuration()
        configuration.eventsPerSecond = inputRate
        receiver = ControlReceiver(mapper: CoordinateMapper(size: screen), configuration)
    }

    /// Encrypts the next plaintext, and returns it as an output; `nil` if there is none. Call it after `pollInputs`, so
    /// that encryption does not delay input.
    func pollDatagram() -> HostControl.Output? {
        while let plaintext = replies.popFirst() {
            guard let way else { continue }
            guard let datagram = ControlDatagram.seal(plaintext, viewer: viewerSSRC, with: &sealer) else {
                drops.count(.sealingFailed)
                continue
            }
            switch way {
            case .path(let path): return .datagram(datagram, to: path)
            case .connection: return .inside(datagram, to: viewerSSRC)
            }
        }
        return nil
    }

    func pollInputs() -> [InjectedInput] {
        defer { inputs = [] }
        return inputs
    }

    func pollWishes() -> [Wish] {
        defer { wishes = [] }
        return wishes
    }

    /// Returns whether the viewer may ask the driver for control again.
    func mayAsk(now: Instant) -> Bool { requests.pass(now: now) }

    /// Counts a request for a monitor that is not in the list sent to viewers.
    func refuseMonitor() { drops.count(.unknownMonitor) }

    /// Counts a refused request about control or the monitor.
    func refuseWish() { drops.count(allowsControl ? .notDriving : .notPermitted) }

    var deadline: Deadline? { receiver.deadline }

    func setScreen(_ size: PixelSize) {
        screen = size
        receiver.mapper = CoordinateMapper(size: size)
    }

    /// - Parameter path: the path by which the datagram arrived; `nil` for the viewer's signalling connection.
    func handle(_ datagram: consuming [UInt8], from path: PathID?, turn: inout ControlTurn, now: Instant) {
        datagram.removeFirst(4)
        guard let opened = opener.open(datagram) else { return drops.count(.notGenuine) }
        if let path {
            if path.ip == home { way = .path(path) }
        } else {
            way = .connection
        }
        let message: ControlMessage
        do {
            message = try ControlMessage(parsing: opened.span.bytes)
        } catch {
            return drops.count(.malformed)
        }
        receiver.handle(.message(message), now: now)
        if case .ping = message { sendNotice() }
        let wanted = drain()
        if wanted.isEmpty {
            if !isHolding { turn.release(number, now: now) }
        } else if !allowsControl {
            refuse(wanted, .notPermitted, now)
        } else if wanted.allSatisfy(\.isState) {
            if turn.allowsState(of: number, now: now) { inputs += wanted } else { refuse(wanted, .notDriving, now) }
        } else if turn.act(number, isMotion: wanted.allSatisfy(\.isMotion), isHolding: isHolding, now: now) {
            inputs += wanted
        } else {
            refuse(wanted, .notDriving, now)
        }
    }

    /// Drops input that may not be injected, and clears the viewer's held keys and buttons. The input has been
    /// acknowledged, so the viewer does not retransmit it. No releases are injected, as only the driver's keys and
    /// buttons are down on the host.
    private func refuse(_ wanted: [InjectedInput], _ drop: ControlDrop, _ now: Instant) {
        drops.count(drop, wanted.count)
        receiver.handle(.release, now: now)
        _ = drain()
    }

    /// True if the viewer holds a key, button or touch.
    var isHolding: Bool { receiver.deadline != nil }

    /// Sets the permission, and releases everything that the viewer holds, whether it gains or loses the permission.
    func permit(_ allowed: Bool, now: Instant) {
        release(now: now)
        allowsControl = allowed
    }

    func release(now: Instant) {
        receiver.handle(.release, now: now)
        inputs += drain()
    }

    /// Releases everything held by a viewer that has fallen silent.
    func tick(turn: inout ControlTurn, now: Instant) {
        receiver.tick(now: now)
        inputs += drain()
        if !isHolding { turn.release(number, now: now) }
    }

    /// Ends the channel: everything that the viewer held is released.
    func end(now: Instant) {
        receiver.handle(.viewerGone, now: now)
        inputs += drain()
    }

    func send(_ driver: Driver) {
        if driver != notice.driver { send(driver, asker: nil) }
    }

    /// Notifies this viewer, which is the driver, that another viewer requests control.
    func tellRequest(by name: String) { send(.you, asker: name) }

    private func send(_ driver: Driver, asker: String?) {
        notice = DriverNotice(sequence: notice.sequence &+ 1, driver: driver, asker: asker)
        noticesLeft = Self.noticeCopies
        sendNotice()
    }

    /// Sends a copy of the notice. If no datagram of the viewer has arrived yet, the notice is sent with the answer to
    /// its first ping instead.
    private func sendNotice() {
        guard noticesLeft > 0, way != nil else { return }
        noticesLeft -= 1
        replies.append(ControlMessage.driver(notice).serialised())
    }

    func tellCursor(x: Int, y: Int, now: Instant) {
        guard
            let point = NormalizedPoint(
                clampingX: (Float(x) + 0.5) / Float(max(1, screen.width)),
                y: (Float(y) + 0.5) / Float(max(1, screen.height)))
        else { return }
        cursorSequence &+= 1
        replies.append(
            ControlMessage.cursorPosition(.init(sequence: cursorSequence, point: point, isVisible: true)).serialised())
    }

    /// Counts of all drops, by name.
    var allDrops: [String: Int] {
        .sum(drops.named("control-"), receiver.drops.named("input-"), opener.drops.named("control-"))
    }

    /// Drains the receiver: returns the inputs, for the caller to inject or refuse, and queues requests and answers.
    private func drain() -> [InjectedInput] {
        var wanted: [InjectedInput] = []
        while let output = receiver.poll() {
            switch output {
            case .inject(let input): wanted.append(input)
            case .requestControl: wishes.append(.requestControl)
            case .handOver: wishes.append(.handOver)
            case .selectMonitor(let id): wishes.append(.selectMonitor(id))
            case .datagram(let plaintext): replies.append(plaintext)
            }
        }
        return wanted
    }
}

/// A reason for which a control channel drops a datagram, an input or a request.
enum ControlDrop: String, Sendable, CaseIterable, Hashable {
    case notGenuine = "not-genuine"
    case malformed
    case notPermitted = "not-permitted"
    /// An input or a request of a viewer while another viewer drives.
    case notDriving = "not-driving"
    /// A request for a monitor that is not in the list sent to viewers.
    case unknownMonitor = "unknown-monitor"
    case sealingFailed = "sealing-failed"
}

/// The framing of a control datagram, in both directions: the viewer's SSRC, then the sealed message.
enum ControlDatagram {
    static func seal(_ plaintext: [UInt8], viewer: SSRC, with sealer: inout SealedSender) -> [UInt8]? {
        guard let sealed = try? sealer.seal(plaintext) else { return nil }
        var datagram: [UInt8] = []
        datagram.reserveCapacity(4 + sealed.count)
        datagram.append(bigEndian: viewer.rawValue)
        datagram.append(contentsOf: sealed)
        return datagram
    }
}
