import Glibc
import HelioCore
import HelioDBusWire
import HelioGround
import Synchronization

/// The state that a bus connection's reading thread shares with its callers, and the sending and receiving of messages.
final class BusLink: Sendable {
    struct Listener: Sendable {
        let interface: String
        let path: String?
        let handler: @Sendable (DBusMessage) -> Void
        let ended: @Sendable () -> Void
    }

    private struct State: Sendable {
        var serial: UInt32 = 0
        /// The calls that wait for an answer.
        var waiting: [UInt32: Result<BusConnection.Answer, BusFailure>?] = [:]
        /// The calls of which only the end is waited for, by a handler.
        var handlers: [UInt32: @Sendable (Bool) -> Void] = [:]
        var listeners: [Int: Listener] = [:]
        var nextListener = 0
        var isLost = false
    }

    /// The most descriptors that are kept for messages that have not arrived whole.
    private static let mostDescriptors = 64
    /// The time in which the bus must take a message.
    private static let sendPatience = Duration.seconds(2)

    private let socket: BusSocket
    private let state = ThreadMailbox(State())
    /// Held while a message is sent, so that messages don't mix.
    private let sending = Mutex(())
    private let answering: (@Sendable (DBusMessage) -> DBusMessage?)?

    init(_ socket: BusSocket, _ answering: (@Sendable (DBusMessage) -> DBusMessage?)?) {
        self.socket = socket
        self.answering = answering
    }

    func close() { socket.shutDown() }

    // MARK: Callers

    func call(_ message: DBusMessage, until: Instant) throws(BusFailure) -> BusConnection.Answer {
        var message = message
        let serial = state.withLock { state -> UInt32? in
            if state.isLost { return nil }
            state.serial = state.serial &+ 1 == 0 ? 1 : state.serial &+ 1
            state.waiting[state.serial] = .some(nil)
            return state.serial
        }
        guard let serial else { throw Self.lost }
        message.serial = serial
        guard send(message, []) else {
            state.withLock { $0.waiting[serial] = nil }
            throw Self.lost
        }
        let result = state.take(until: until) { state -> Result<BusConnection.Answer, BusFailure>? in
            if let answer = state.waiting[serial] ?? nil { return answer }
            return state.isLost ? .failure(Self.lost) : nil
        }
        state.withLock { $0.waiting[serial] = nil }
        guard let result else {
            throw BusFailure(
                BusFailure.timedOut, "\(message.destination ?? "the other program") does not answer in time")
        }
        return try result.get()
    }

    /// Sends a message.
    ///
    /// - Parameter ended: called once, on the connection's thread, when the call has an answer, which may be an error
    ///   (true), or will have none (false); `nil` for nobody.
    func post(_ message: DBusMessage, _ descriptors: [Int32], ended: (@Sendable (Bool) -> Void)? = nil) {
        var message = message
        let serial = state.withLock { state -> UInt32? in
            if state.isLost { return nil }
            state.serial = state.serial &+ 1 == 0 ? 1 : state.serial &+ 1
            state.handlers[state.serial] = ended
            return state.serial
        }
        guard let serial else {
            ended?(false)
            return
        }
        message.serial = serial
        message.descriptorCount = descriptors.count
        _ = send(message, descriptors)
    }

    private func send(_ message: DBusMessage, _ descriptors: [Int32]) -> Bool {
        let isSent = sending.withLock { _ in
            socket.send(message.encoded(), descriptors: descriptors, until: MonotonicClock.now + Self.sendPatience)
        }
        // A message of which a part is sent can't be taken back.
        if !isSent { socket.shutDown() }
        return isSent
    }

    func add(_ listener: Listener) -> Int {
        let (number, isLost) = state.withLock { state in
            state.nextListener += 1
            if !state.isLost { state.listeners[state.nextListener] = listener }
            return (state.nextListener, state.isLost)
        }
        if isLost { listener.ended() }
        return number
    }

    func remove(_ number: Int) { state.withLock { $0.listeners[number] = nil } }

    private static var lost: BusFailure {
        BusFailure(BusFailure.disconnected, "the connection to the session's D-Bus has ended")
    }

    // MARK: The connection's thread

    func run() {
        var input = DBusInput()
        var descriptors: [BusDescriptor] = []
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 * 1024)
        defer { buffer.deallocate() }
        receiving: while let received = socket.receive(into: buffer) {
            input.append(UnsafeBufferPointer(rebasing: buffer[..<received.count]))
            descriptors += received.descriptors
            do throws(DBusFault) {
                while let message = try input.next() {
                    guard message.descriptorCount <= descriptors.count else { break receiving }
                    let own = Array(descriptors.prefix(message.descriptorCount))
                    descriptors.removeFirst(own.count)
                    take(message, own)
                }
            } catch {
                break
            }
            if descriptors.count > Self.mostDescriptors { break }
        }
        socket.shutDown()
        let (listeners, handlers) = state.put { state in
            state.isLost = true
            defer { (state.listeners, state.handlers) = ([:], [:]) }
            return (Array(state.listeners.values), Array(state.handlers.values))
        }
        for handler in handlers { handler(false) }
        for listener in listeners { listener.ended() }
    }

    private func take(_ message: DBusMessage, _ descriptors: [BusDescriptor]) {
        switch message.kind {
        case .reply, .error:
            guard let serial = message.replySerial else { return }
            if let handler = state.withLock({ $0.handlers.removeValue(forKey: serial) }) { return handler(true) }
            let result = Self.result(message, descriptors)
            // An answer that nobody waits for any more is dropped.
            state.put { if $0.waiting.keys.contains(serial) { $0.waiting[serial] = .some(result) } }
        case .signal:
            let listeners = state.withLock { state in
                state.listeners.values.filter {
                    $0.interface == message.interface && ($0.path == nil || $0.path == message.path)
                }
            }
            for listener in listeners { listener.handler(message) }
        case .call:
            let answer =
                answering?(message)
                ?? message.failure("org.freedesktop.DBus.Error.UnknownMethod", "Heliograph offers no such method.")
            if !message.isOneWay { post(answer, []) }
        }
    }

    private static func result(
        _ message: DBusMessage, _ descriptors: [BusDescriptor]
    ) -> Result<BusConnection.Answer, BusFailure> {
        let arguments: [DBusValue]
        do throws(DBusFault) {
            arguments = try message.arguments()
        } catch {
            return .failure(BusFailure(BusFailure.unexpected, "The answer can't be read (\(error.rawValue))"))
        }
        if message.kind == .error {
            return .failure(BusFailure(message.errorName ?? "", arguments.first?.text ?? ""))
        }
        return .success(BusConnection.Answer(arguments: arguments, descriptors: descriptors))
    }
}
