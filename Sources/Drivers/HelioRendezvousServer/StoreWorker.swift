internal import HelioCore
internal import HelioGround
internal import HelioRendezvousWire

/// Reads and writes a store on a thread of its own: changes that come together are written together.
final class StoreWorker: Sendable {
    private struct Queue: Sendable {
        var changes: [StoredChange] = []
        var questions: [RendezvousID] = []
        var looks = false
        var isEnding = false
    }

    /// The most changes and questions that wait.
    private static let limit = 100_000
    /// The time between two looks at the blocked devices, which an operator may change in the store.
    private static let looking = Duration.seconds(60)
    /// The time to the next look after one that failed.
    private static let lookingAgain = Duration.seconds(3)
    /// The time between two removals of what has expired.
    private static let cleaning = Duration.seconds(3600)
    /// The time after which a device without permits is forgotten.
    private static let memory: Int64 = 90 * 86_400

    private let queue = ThreadMailbox(Queue())
    private let store: any RendezvousStoring
    private let answer: @Sendable (RendezvousID, Result<StoredDevice?, HelioError>) -> Void
    private let blocked: @Sendable (Set<RendezvousID>) -> Void
    private let failed: @Sendable (Int) -> Void
    private let thread = ThreadBox()

    private final class ThreadBox: @unchecked Sendable {
        /// Set once, before any other thread reads it.
        var thread: WorkerThread?
    }

    /// Starts the thread. Throws `systemFailed` if the system has none left.
    ///
    /// - Parameters:
    ///   - answer: called on the thread with the answer to each question.
    ///   - blocked: called on the thread with the blocked devices, from time to time.
    ///   - failed: called on the thread with the number of changes that could not be written.
    init(
        _ store: any RendezvousStoring,
        answer: @escaping @Sendable (RendezvousID, Result<StoredDevice?, HelioError>) -> Void,
        blocked: @escaping @Sendable (Set<RendezvousID>) -> Void, failed: @escaping @Sendable (Int) -> Void
    ) throws(HelioError) {
        self.store = store
        self.answer = answer
        self.blocked = blocked
        self.failed = failed
        thread.thread = try WorkerThread.start(name: "rendezvous-store", stack: WorkerThread.usualStack) { [self] in
            run()
        }
    }

    /// Queues a change; returns false if too many wait.
    func put(_ change: StoredChange) -> Bool {
        queue.put { queue in
            guard queue.changes.count < Self.limit else { return false }
            queue.changes.append(change)
            return true
        }
    }

    /// Queues a question about a device, answered behind all changes that were queued before; returns false if too many
    /// wait.
    func ask(_ id: RendezvousID) -> Bool {
        queue.put { queue in
            guard queue.questions.count < Self.limit else { return false }
            queue.questions.append(id)
            return true
        }
    }

    /// Looks at the blocked devices now.
    func look() { queue.put { $0.looks = true } }

    /// Lets the thread write what is queued, and end.
    func end() { queue.put { $0.isEnding = true } }

    /// Writes what is queued, and ends the thread.
    func finish() async {
        end()
        await thread.thread?.join()
    }

    private func run() {
        var cleaned: Instant?
        // The blocked devices were read before the start.
        var nextLook = MonotonicClock.now + Self.looking
        while true {
            let now = MonotonicClock.now
            if now >= nextLook { nextLook = now + tellBlocked() }
            if cleaned.map({ now - $0 >= Self.cleaning }) ?? true {
                cleaned = now
                let time = WallClock.milliseconds / 1000
                try? store.clean(now: time, forget: time - Self.memory)
            }
            let work = queue.take(until: nextLook) { queue -> Queue? in
                guard !queue.changes.isEmpty || !queue.questions.isEmpty || queue.looks || queue.isEnding else {
                    return nil
                }
                defer { queue = Queue(isEnding: queue.isEnding) }
                return queue
            }
            guard let work else { continue }
            if work.looks { nextLook = now + tellBlocked() }
            if !work.changes.isEmpty {
                do throws(HelioError) { try store.apply(work.changes) } catch { failed(work.changes.count) }
            }
            for id in work.questions { answer(id, read(id)) }
            if work.isEnding, work.changes.isEmpty, work.questions.isEmpty { return }
        }
    }

    /// Reads the blocked devices, and returns the time to the next look.
    private func tellBlocked() -> Duration {
        guard let list = try? store.blocked() else { return Self.lookingAgain }
        blocked(Set(list))
        return Self.looking
    }

    private func read(_ id: RendezvousID) -> Result<StoredDevice?, HelioError> {
        do throws(HelioError) {
            return .success(try store.device(id, now: WallClock.milliseconds / 1000))
        } catch {
            return .failure(error)
        }
    }
}
