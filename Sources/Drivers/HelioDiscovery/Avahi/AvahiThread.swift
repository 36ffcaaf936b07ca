#if os(Linux)
internal import CAvahi
private import HelioGround
private import Synchronization

/// The thread that makes all calls to Avahi and owns the connection to its daemon.
///
/// Avahi's functions use D-Bus and block until the answer, so no other thread calls them. The daemon may be restarted;
/// the task begins anew each time that the daemon starts.
final class AvahiThread: Sendable {
    private struct State {
        /// The address of Avahi's poll object while the loop runs; stored as a number, since a pointer is not
        /// `Sendable`.
        var poll: UInt?
        var isStopped = false
    }

    private static let retries: [Duration] = [.milliseconds(200), .seconds(1), .seconds(2), .seconds(5), .seconds(10)]

    private let state = Mutex(State())
    private let thread = Mutex<WorkerThread?>(nil)

    /// - Parameter task: makes the task; called on the thread, to which the task is confined.
    init(_ task: @escaping @Sendable () -> any AvahiTask) {
        thread.withLock { $0 = WorkerThread(name: "helio-dns-sd", isUrgent: false) { [self] in run(task()) } }
    }

    /// Wakes the loop, which ends after its current iteration.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            if let poll = state.poll { avahi_simple_poll_wakeup(OpaquePointer(bitPattern: poll)) }
        }
    }

    /// Waits until the loop has ended.
    func join() async { await thread.withLock { $0 }?.join() }

    private func run(_ task: any AvahiTask) {
        guard let poll = avahi_simple_poll_new() else {
            return task.unavailable(DiscoveryObstacle("Avahi's library can't be used: out of memory"))
        }
        defer {
            state.withLock { $0.poll = nil }
            avahi_simple_poll_free(poll)
        }
        let isStopped = state.withLock { state in
            state.poll = UInt(bitPattern: poll)
            return state.isStopped
        }
        if isStopped { return }
        let link = AvahiLink(task)
        defer { link.close() }
        var failures = 0
        var retryAt: ContinuousClock.Instant?
        while !state.withLock({ $0.isStopped }) {
            if !link.isOpen, retryAt.map({ $0 <= .now }) ?? true {
                retryAt = nil
                link.open(poll)
            }
            let next = [retryAt, task.deadline].compactMap { $0 }.min()
            // -1 waits without a limit.
            let wait = next.map { Int32(max(.zero, $0 - .now) / .milliseconds(1)) + 1 } ?? -1
            guard avahi_simple_poll_iterate(poll, link.hasFailed ? 0 : wait) == 0 else {
                link.close()
                return task.unavailable(DiscoveryObstacle("waiting for Avahi failed"))
            }
            if let deadline = task.deadline, deadline <= .now { task.due() }
            if link.isRunning { failures = 0 }
            if link.hasFailed || task.hasFailed {
                link.close()
                retryAt = .now + Self.retries[min(failures, Self.retries.count - 1)]
                failures += 1
            }
        }
    }
}

/// The task of an `AvahiThread`. All methods are called on that thread.
protocol AvahiTask: AnyObject {
    /// Begins the task with a client of the running daemon; the task may create objects of that client.
    func begin(_ client: OpaquePointer)
    /// Frees the client's objects. Called before the client is freed, and when the daemon stops or registers the
    /// machine's name anew.
    func end()
    /// Reports that the daemon is unavailable. A running task is ended first.
    func unavailable(_ why: DiscoveryObstacle)
    /// True once the task can't continue with this client; the thread then opens another client.
    var hasFailed: Bool { get }
    /// The time at which `due` has to be called; `nil` if there is none.
    var deadline: ContinuousClock.Instant? { get }
    func due()
}

/// A client connection to the daemon, with its state.
private final class AvahiLink {
    private let task: any AvahiTask
    private var client: OpaquePointer?
    private var isTaskRunning = false
    /// The obstacle reported last, which is not reported twice in a row.
    private var told: DiscoveryObstacle?
    private(set) var hasFailed = false

    var isOpen: Bool { client != nil || hasFailed }
    var isRunning: Bool { isTaskRunning }

    init(_ task: any AvahiTask) { self.task = task }

    /// Creates the client, which waits for the daemon if it does not run yet. Fails if there is no D-Bus.
    func open(_ poll: OpaquePointer) {
        var error: Int32 = 0
        let userData = Unmanaged.passUnretained(self).toOpaque()
        let client = avahi_client_new(
            avahi_simple_poll_get(poll), AVAHI_CLIENT_NO_FAIL,
            { client, state, userData in
                guard let client, let userData else { return }
                Unmanaged<AvahiLink>.fromOpaque(userData).takeUnretainedValue().changed(client, state)
            }, userData, &error)
        guard let client else {
            obstacle(DiscoveryObstacle(Self.notRunning))
            hasFailed = true
            return
        }
        self.client = client
    }

    func close() {
        hasFailed = false
        endTask()
        guard let client else { return }
        self.client = nil
        avahi_client_free(client)
    }

    private static let notRunning = "Avahi, which finds and announces hosts, is not running"

    /// Handles a change of the client's state. Avahi may call it from within `avahi_client_new`.
    private func changed(_ client: OpaquePointer, _ state: AvahiClientState) {
        switch state {
        case AVAHI_CLIENT_S_RUNNING:
            endTask()
            told = nil
            isTaskRunning = true
            task.begin(client)
        // The machine's name is being registered or has collided; the task begins again in the state RUNNING.
        case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: endTask()
        case AVAHI_CLIENT_CONNECTING: obstacle(DiscoveryObstacle(Self.notRunning))
        default:
            hasFailed = true
            obstacle(DiscoveryObstacle(Self.notRunning))
        }
    }

    private func endTask() {
        if isTaskRunning { task.end() }
        isTaskRunning = false
    }

    private func obstacle(_ why: DiscoveryObstacle) {
        endTask()
        if why != told { task.unavailable(why) }
        told = why
    }
}
#endif
