#if os(Linux)
internal import CNATS
private import DequeModule
internal import HelioCore
internal import HelioGround
internal import HelioRendezvous

/// The bus by NATS subjects: `everyone`, and one for each instance, below a common prefix.
///
/// The subjects are enough, and nothing is kept in JetStream for presence: the engine has each instance tell the others
/// of its devices, notices by their numbers what was missed, and asks for it. So an instance that dies leaves nothing
/// that somebody has to remove.
///
/// A thread of the bus connects, sends and reconnects, as the library's functions may block. The library's own threads
/// put what arrives into the inbox. A message that is sent while the bus is away waits for it, and is dropped when it is
/// older than the time after which the others take this instance as lost.
final class NATSBus: BusLink {
    /// The prefix of each subject.
    static let prefix = "heliograph.rendezvous."

    /// The most messages that wait to be sent, and their bytes: the records of all devices are sent at once.
    private static let limit = 1 << 18
    private static let byteLimit = 64 << 20
    /// The first and the longest time between two attempts to connect.
    private static let firstPause = Duration.milliseconds(250)
    private static let longestPause = Duration.seconds(4)
    /// The time after which a connection was a good one, so that the pauses begin anew.
    private static let goodTime = Duration.seconds(10)
    /// The limit for sending the last messages when the service ends.
    private static let farewell = Duration.milliseconds(400)
    /// The limit for the server to know the subscriptions.
    private static let opening = Duration.seconds(2)

    private struct Waiting: Sendable {
        var subject: String
        var bytes: [UInt8]
        var since: Instant
    }

    private struct Queue: Sendable {
        var messages = Deque<Waiting>()
        var bytes = 0
        var statistics = BusStatistics()
        /// The number of messages that were not sent, being too old or longer than the server takes.
        var unsent = 0
        /// The reason why the connection has ended, or can't be used.
        var broken: String?
        var isEnding = false
    }

    private let place: BusPlace
    private let instance: InstanceID
    private let memory: Duration
    private let tell: @Sendable (BusNews) -> Void
    private let inbox: BusInbox
    private let queue = ThreadMailbox(Queue())
    private let thread = ThreadBox()

    private final class ThreadBox: @unchecked Sendable {
        /// Set once, before any other thread reads it.
        var thread: WorkerThread?
    }

    /// Starts the thread, which looks for the bus. Throws `systemFailed` if the system has no thread left.
    ///
    /// - Parameters:
    ///   - memory: the time for which messages wait while the bus is away.
    ///   - tell: called on any thread.
    init(
        _ place: BusPlace, _ instance: InstanceID, memory: Duration, tell: @escaping @Sendable (BusNews) -> Void
    ) throws(HelioError) {
        self.place = place
        self.instance = instance
        self.memory = memory
        self.tell = tell
        inbox = BusInbox { tell(.arrived) }
        thread.thread = try WorkerThread.start(name: "rendezvous-bus", stack: WorkerThread.usualStack) { [self] in
            run()
        }
    }

    var statistics: BusStatistics {
        var all = queue.withLock { $0.statistics }
        all.received = inbox.received
        return all
    }

    func send(_ subject: String, _ bytes: [UInt8]) -> Bool {
        let now = MonotonicClock.now
        return queue.put { queue in
            while let first = queue.messages.first, first.since < now - memory {
                queue.bytes -= first.bytes.count
                queue.messages.removeFirst()
                queue.unsent += 1
            }
            guard queue.messages.count < Self.limit, queue.bytes + bytes.count <= Self.byteLimit else { return false }
            queue.messages.append(Waiting(subject: subject, bytes: bytes, since: now))
            queue.bytes += bytes.count
            return true
        }
    }

    func take(most: Int) -> BusArrivals {
        var arrivals = inbox.take(most: most)
        arrivals.unsent = queue.withLock { queue in
            defer { queue.unsent = 0 }
            return queue.unsent
        }
        return arrivals
    }

    func end() { queue.put { $0.isEnding = true } }

    func finish() async {
        end()
        await thread.thread?.join()
    }

    // MARK: The thread

    private func run() {
        var pause = Self.firstPause
        var hasTold = false
        while true {
            do throws(NATSFailure) {
                let connection = try open()
                let start = MonotonicClock.now
                hasTold = true
                tell(.connected)
                guard let reason = serve(connection) else { return }
                lose(reason)
                if MonotonicClock.now - start >= Self.goodTime { pause = Self.firstPause }
            } catch {
                if !hasTold { lose(error.words) }
                hasTold = true
            }
            if rests(pause) { return }
            pause = min(pause * 2, Self.longestPause)
        }
    }

    private func lose(_ reason: String) {
        queue.withLock { $0.statistics.state = .lost }
        tell(.lost(reason))
    }

    private func open() throws(NATSFailure) -> NATSConnection {
        queue.withLock { $0.broken = nil }
        let name = "heliograph rendezvous \(instance.subject)"
        let connection = try NATSConnection(
            place, name: name,
            NATSCallbacks.Receiver(
                message: { [inbox] in inbox.put($0) }, overrun: { [inbox] in inbox.lose() },
                closed: { [queue] in queue.put { $0.broken = $0.broken ?? "the connection has ended" } },
                denied: { [queue] in
                    queue.put { $0.broken = NATSFailure(status: NATS_NOT_PERMITTED).words }
                }))
        for subject in [BusOrder.everyone, instance.subject] {
            try connection.subscribe(Self.prefix + subject, most: BusInbox.limit, bytes: BusInbox.byteLimit)
        }
        try connection.flush(within: Self.opening)
        queue.withLock { queue in
            queue.statistics.state = .connected
            queue.statistics.connections += 1
        }
        return connection
    }

    /// Sends until the connection is lost, and returns the reason; `nil` if the service ends.
    private func serve(_ connection: NATSConnection) -> String? {
        while true {
            let work = queue.take { queue -> (messages: Deque<Waiting>, broken: String?, isEnding: Bool)? in
                guard !queue.messages.isEmpty || queue.broken != nil || queue.isEnding else { return nil }
                // What can't be sent now waits for the next connection.
                guard queue.broken == nil else { return ([], queue.broken, queue.isEnding) }
                defer { (queue.messages, queue.bytes) = ([], 0) }
                return (queue.messages, nil, queue.isEnding)
            }
            if work.broken == nil, let reason = send(work.messages, by: connection) { return reason }
            if work.isEnding {
                try? connection.flush(within: Self.farewell)
                return nil
            }
            if let reason = work.broken { return reason }
        }
    }

    /// Returns the reason if a message could not be sent: it and those behind it wait again.
    private func send(_ messages: Deque<Waiting>, by connection: NATSConnection) -> String? {
        let earliest = MonotonicClock.now - memory
        var rest = messages
        var (sent, unsent) = (0, 0)
        var reason: String?
        while let message = rest.first {
            if message.since < earliest {
                unsent += 1
            } else {
                do throws(NATSFailure) {
                    try connection.publish(Self.prefix + message.subject, message.bytes)
                    sent += 1
                } catch {
                    guard error.status == NATS_MAX_PAYLOAD else {
                        reason = error.words
                        break
                    }
                    unsent += 1
                }
            }
            rest.removeFirst()
        }
        queue.withLock { queue in
            queue.statistics.sent += sent
            queue.unsent += unsent
            guard reason != nil else { return }
            queue.bytes += rest.reduce(0) { $0 + $1.bytes.count }
            queue.messages = rest + queue.messages
        }
        return reason
    }

    /// Waits before the next attempt. Returns true if the service ends.
    private func rests(_ pause: Duration) -> Bool {
        queue.take(until: MonotonicClock.now + pause) { $0.isEnding ? true : nil } ?? false
    }
}
#endif
