private import HelioBroadcast
private import HelioCore

/// The broadcast of this device's whole screen, as the app sees it: its destination, its state, and a warning if the
/// extension's process was killed (requirement rows 156 to 160, 166 and 167).
public struct BroadcastModel: ScreenModel {
    /// An action that the user can take on this screen.
    public enum Action: Hashable, Sendable {
        case toApp
        case toServer
        /// Stores the destination, and shows the system's broadcast picker.
        case start
        case end
    }

    /// A text field of this screen.
    public enum Field: Hashable, Sendable {
        case address
        case key
    }

    /// An event that the app reports to the model.
    public enum Event: Hashable, Sendable {
        /// The content of the heartbeat's file; `nil` if there is none.
        case heartbeat([UInt8]?)
        case stored
        case notStored(String)
        /// The app shares the relayed screen, and the code admits the next viewer; `nil` if sharing has ended.
        case sharing(code: String?)
    }

    /// An effect that the app has to execute.
    public enum Effect: Hashable, Sendable {
        /// Reads the heartbeat's file; ``Event/heartbeat(_:)`` follows.
        case readHeartbeat
        /// Writes to the App Group's defaults, under ``BroadcastKeys``; `nil` removes a value.
        case store(endpoint: String?, key: String?)
        case showPicker
        /// Ends the relay, which ends the extension. A broadcast to a server is ended by the user in Control Center.
        case endRelay
    }

    enum State: Hashable {
        case idle
        case ready
        case live
        case ended
        case crashed
    }

    /// The effects that have not been executed yet.
    public var effects = EffectQueue<Effect>()
    private var watch: HeartbeatWatch
    private var state = State.idle
    private var isToServer: Bool
    private var address: String
    private var key = ""
    private var isBadAddress = false
    private var failure: String?
    private var code: String?

    /// - Parameter endpoint: the stored address of the server; `nil` if the app itself is the destination.
    public init(endpoint: String?, now: Duration) {
        isToServer = endpoint != nil
        address = endpoint ?? ""
        watch = HeartbeatWatch(now: Instant.zero + now)
        drain()
    }

    /// Chooses the destination, or starts or ends the broadcast.
    public mutating func press(_ action: Action, now: Duration) {
        switch action {
        case .toApp: isToServer = false
        case .toServer: isToServer = true
        case .start: start()
        case .end: effects.append(.endRelay)
        }
    }

    /// Stores the text of a field, without white space at both ends and cut to 1024 characters.
    public mutating func edit(_ field: Field, _ text: String) {
        switch field {
        case .address:
            address = String(text.trimming(while: \.isWhitespace).prefix(1024))
            isBadAddress = false
        case .key: key = String(text.trimming(while: \.isWhitespace).prefix(1024))
        }
    }

    /// Handles the result of an effect: a heartbeat's content, the outcome of storing the destination, or a new code.
    public mutating func handle(_ event: Event, now: Duration) {
        switch event {
        case .heartbeat(let bytes):
            watch.handle(.read(bytes.flatMap { HeartbeatRecord($0) }), now: Instant.zero + now)
            drain()
        case .stored:
            failure = nil
            // The key is in the group's defaults now, so remove it from the app's memory.
            key = ""
            if state != .live { state = .ready }
            effects.append(.showPicker)
        case .notStored(let reason): failure = reason
        case .sharing(let code): self.code = code
        }
    }

    /// Requests the heartbeat's file when a read is due, and detects that the extension was killed.
    public mutating func tick(now: Duration) {
        watch.tick(now: Instant.zero + now)
        drain()
    }

    /// The time of the next necessary call of `tick(now:)`; `nil` for none.
    public var deadline: Duration? { watch.deadline.map { $0.at - Instant.zero } }

    /// The screen as it has to be drawn now.
    public var screen: Screen<Action, Field> {
        var elements: [ScreenElement<Action, Field>] = []
        if state == .crashed { elements.append(.warning(Phrase(.castCrashed))) }
        if let failure { elements.append(.warning(Phrase(.castNotStored, failure))) }
        if let code, !isToServer { elements.append(.text(Phrase(.menuCode, code))) }
        if state == .live {
            if !isToServer {
                elements.append(.button(.end, label: Phrase(.castEnd), role: .destructive))
            }
            return Screen(Phrase(.castTitle), message: Phrase(.castLive), elements)
        }
        elements += [
            .choice(.toApp, label: Phrase(.castToApp), detail: nil, isChosen: !isToServer),
            .choice(.toServer, label: Phrase(.castToServer), detail: nil, isChosen: isToServer),
        ]
        if isToServer { elements += serverElements }
        elements += [.button(.start, label: Phrase(.castStart), role: .prominent), .text(Phrase(.castInApp))]
        let message: AppText =
            switch state {
            case .ended: .castEnded
            case .ready: .castReady
            case .idle, .crashed, .live: .castHint
            }
        return Screen(Phrase(.castTitle), message: Phrase(message), elements)
    }

    private var serverElements: [ScreenElement<Action, Field>] {
        let fields: [ScreenElement<Action, Field>] = [
            .field(
                .address, label: Phrase(.castAddress), value: address, placeholder: "rtmps://server/app",
                isSecret: false),
            .field(.key, label: Phrase(.castKey), value: key, placeholder: "", isSecret: true),
        ]
        return isBadAddress ? [.warning(Phrase(.castBadAddress))] + fields : fields
    }

    private mutating func start() {
        isBadAddress = isToServer && !BroadcastKeys.isAddress(address)
        guard !isBadAddress else { return }
        effects.append(.store(endpoint: isToServer ? address : nil, key: isToServer && !key.isEmpty ? key : nil))
    }

    private mutating func drain() {
        while let output = watch.poll() {
            switch output {
            case .read: effects.append(.readHeartbeat)
            case .event(.running): state = .live
            case .event(.crashed): state = .crashed
            case .event(.ended): state = .ended
            }
        }
    }
}
