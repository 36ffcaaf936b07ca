internal import CPulse
private import Glibc
internal import HelioCore
internal import HelioGround

/// A connection to the sound server with its own thread. If the connection breaks, the client reconnects.
///
/// The client never starts a server. `@unchecked Sendable`: the main loop's lock guards all state. Callbacks run with
/// the lock held; other code acquires it with `locked`.
final class PulseClient: @unchecked Sendable {
    /// The longest wait for the server's first answers; short, as the server is on this machine.
    static let patience = Duration.seconds(5)
    private static let firstPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(2)

    /// The player or recorder that gets the callbacks; `nil` once it is released.
    weak var user: (any PulseUser)?
    private let loop: OpaquePointer
    private let server: String?
    private(set) var context: OpaquePointer?
    /// True once the first connection was made; only then does the client reconnect.
    private var wasConnected = false
    private(set) var isConnected = false
    private var isClosed = false
    private var failure: Int32 = 0
    private var pause = firstPause
    private var alarms: [PulseAlarm] = []
    private var questions: [ObjectIdentifier: PulseQuestion] = [:]

    /// - Parameters:
    ///   - server: the server's address in PulseAudio's form; `nil` for the address in the environment.
    init(server: String?) throws(HelioError) {
        guard let loop = pa_threaded_mainloop_new() else {
            throw HelioError(.systemFailed, "There is no memory for sound.")
        }
        self.loop = loop
        self.server = server
    }

    deinit { close() }

    /// Starts the thread and connects. Throws `unsupported` if there is no server, or it does not answer.
    func open() throws(HelioError) {
        guard Self.urgently({ pa_threaded_mainloop_start(loop) }) >= 0 else {
            throw HelioError(.systemFailed, "There is no thread for sound.")
        }
        let reason: String? = locked {
            connect()
            _ = wait(Self.patience) { isConnected || failure != 0 }
            if isConnected { return nil }
            return failure == 0 ? "does not answer" : Self.text(failure)
        }
        if let reason {
            throw HelioError(
                .unsupported, "There is no sound: no PulseAudio or PipeWire runs for this user (\(reason)).")
        }
    }

    /// Ends the connection and its thread; no callback runs afterwards. Must not be called on the connection's own
    /// thread.
    func close() {
        guard !isClosed else { return }
        locked {
            isClosed = true
            user?.disconnected()
            user = nil
        }
        pa_threaded_mainloop_stop(loop)
        questions = [:]
        alarms = []
        dropContext()
        pa_threaded_mainloop_free(loop)
    }

    /// Runs `body` with the lock held. Must not be called on the connection's own thread, which already holds the lock.
    func locked<T>(_ body: () -> T) -> T {
        pa_threaded_mainloop_lock(loop)
        defer { pa_threaded_mainloop_unlock(loop) }
        return body()
    }

    /// Waits until `holds` returns true, at most for `limit`. Returns false after the time-out. The caller must hold
    /// the lock, which is released during the wait. `holds` is called again after each `signal`.
    func wait(_ limit: Duration, until holds: () -> Bool) -> Bool {
        let end = MonotonicClock.now + limit
        let alarm = after(limit) { [unowned self] in signal() }
        defer { cancel(alarm) }
        while !holds() {
            guard MonotonicClock.now < end else { return false }
            pa_threaded_mainloop_wait(loop)
        }
        return true
    }

    /// Wakes all calls of `wait`, so that they check their conditions again.
    func signal() { pa_threaded_mainloop_signal(loop, 0) }

    /// Calls `body` after a delay, on the connection's thread; returns `nil` if there is no connection.
    @discardableResult
    func after(_ delay: Duration, _ body: @escaping () -> Void) -> PulseAlarm? {
        guard let context else { return nil }
        let alarm = PulseAlarm(loop, body)
        alarm.start(context, at: MonotonicClock.now + delay) { [unowned self, unowned alarm] in
            alarms.removeAll { $0 === alarm }
        }
        alarms.append(alarm)
        return alarm
    }

    func cancel(_ alarm: PulseAlarm?) { alarms.removeAll { $0 === alarm } }

    // MARK: Connection

    private func connect() {
        dropContext()
        failure = 0
        let properties = pa_proplist_new()
        defer { pa_proplist_free(properties) }
        pa_proplist_sets(properties, "application.name", "Heliograph")
        pa_proplist_sets(properties, "application.id", "heliograph")
        pa_proplist_sets(properties, "media.role", "screen")
        context = pa_context_new_with_proplist(pa_threaded_mainloop_get_api(loop), "Heliograph", properties)
        guard let context else {
            failure = 1
            return
        }
        let itself = Unmanaged.passUnretained(self).toOpaque()
        pa_context_set_state_callback(
            context, { Unmanaged<PulseClient>.fromOpaque($1!).takeUnretainedValue().stateChanged($0) }, itself)
        pa_context_set_subscribe_callback(
            context,
            { _, event, _, itself in
                Unmanaged<PulseClient>.fromOpaque(itself!).takeUnretainedValue().subscribed(event.rawValue)
            }, itself)
        if pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) < 0 { stateChanged(context) }
    }

    private func stateChanged(_ changed: OpaquePointer?) {
        guard !isClosed, let context, changed == context else { return }
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY:
            wasConnected = true
            isConnected = true
            pause = Self.firstPause
            let mask =
                PA_SUBSCRIPTION_MASK_SERVER.rawValue | PA_SUBSCRIPTION_MASK_SINK.rawValue
                | PA_SUBSCRIPTION_MASK_SOURCE.rawValue
            Self.forget(pa_context_subscribe(context, pa_subscription_mask_t(rawValue: mask), nil, nil))
            user?.connected()
            signal()
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED:
            guard failure == 0 else { return }
            failure = max(1, pa_context_errno(context))
            // The server will not answer the pending requests; `user` repeats them on the next connection.
            questions = [:]
            if isConnected { user?.disconnected() }
            isConnected = false
            if wasConnected {
                after(pause) { [unowned self] in connect() }
                pause = min(pause * 2, Self.longestPause)
            }
            signal()
        default: break
        }
    }

    private func subscribed(_ event: UInt32) {
        let facility = event & PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue
        let kind = event & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue
        // Ignore changes of a device, such as its volume; a change of the server may be a new default device.
        guard facility == PA_SUBSCRIPTION_EVENT_SERVER.rawValue || kind != PA_SUBSCRIPTION_EVENT_CHANGE.rawValue
        else { return }
        user?.devicesChanged()
    }

    private func dropContext() {
        guard let context else { return }
        pa_context_set_state_callback(context, nil, nil)
        pa_context_set_subscribe_callback(context, nil, nil)
        pa_context_disconnect(context)
        pa_context_unref(context)
        self.context = nil
    }

    // MARK: Requests

    /// Requests all devices of a kind, and the names of the default devices.
    func devices(_ kind: PulseDevice.Kind, _ then: @escaping (PulseReply) -> Void) {
        ask { [unowned self] reply in
            let (sink, source) = (reply.defaultSink, reply.defaultSource)
            ask { reply in
                var reply = reply
                (reply.defaultSink, reply.defaultSource) = (sink, source)
                then(reply)
            } by: { context, question in
                switch kind {
                case .sink:
                    pa_context_get_sink_info_list(
                        context,
                        { PulseQuestion.take($3, $1, $2) { $0.devices.append(PulseDevice($1)) } }, question)
                case .source:
                    pa_context_get_source_info_list(
                        context,
                        { PulseQuestion.take($3, $1, $2) { $0.devices.append(PulseDevice($1)) } }, question)
                }
            }
        } by: { context, question in
            pa_context_get_server_info(
                context,
                { _, info, question in
                    let question = PulseQuestion.of(question)
                    question?.reply.defaultSink = info?.pointee.default_sink_name.map { String(cString: $0) }
                    question?.reply.defaultSource = info?.pointee.default_source_name.map { String(cString: $0) }
                    question?.finish()
                }, question)
        }
    }

    /// Requests the indices and arguments of all loaded modules.
    func modules(_ then: @escaping (PulseReply) -> Void) {
        ask(then) { context, question in
            pa_context_get_module_info_list(
                context,
                {
                    PulseQuestion.take($3, $1, $2) { reply, module in
                        reply.modules.append((module.index, module.argument.map { String(cString: $0) } ?? ""))
                    }
                }, question)
        }
    }

    /// Requests the indices of the sinks to which programs are playing.
    func playedSinks(_ then: @escaping (PulseReply) -> Void) {
        ask(then) { context, question in
            pa_context_get_sink_input_info_list(
                context,
                { PulseQuestion.take($3, $1, $2) { $0.playedSinks.insert($1.sink) } }, question)
        }
    }

    /// Loads a module; `PulseReply.module` has its index, or `nil` if it was not loaded.
    func load(_ module: String, _ arguments: String, _ then: @escaping (PulseReply) -> Void) {
        ask(then) { context, question in
            pa_context_load_module(
                context, module, arguments,
                { _, index, question in
                    let question = PulseQuestion.of(question)
                    question?.reply.module = index == UInt32.max ? nil : index
                    question?.finish()
                }, question)
        }
    }

    /// Unloads a module; `then` is called even if the module did not exist.
    func unload(_ module: UInt32, _ then: @escaping (PulseReply) -> Void) {
        ask(then) { context, question in
            pa_context_unload_module(
                context, module, { _, _, question in PulseQuestion.of(question)?.finish() }, question)
        }
    }

    private func ask(
        _ then: @escaping (PulseReply) -> Void, by send: (OpaquePointer, UnsafeMutableRawPointer) -> OpaquePointer?
    ) {
        guard let context, isConnected else { return }
        let question = PulseQuestion(self, then)
        questions[ObjectIdentifier(question)] = question
        Self.forget(send(context, Unmanaged.passUnretained(question).toOpaque()))
    }

    /// Removes an answered request. Returns false if it belonged to an earlier connection.
    func forget(_ question: PulseQuestion) -> Bool {
        questions.removeValue(forKey: ObjectIdentifier(question)) != nil
    }

    /// Releases the handle of an operation; the operation continues.
    static func forget(_ operation: OpaquePointer?) {
        if let operation { pa_operation_unref(operation) }
    }

    static func text(_ error: Int32) -> String { pa_strerror(error).map { String(cString: $0) } ?? "error \(error)" }

    /// Runs `body` with this thread at the priority for sound (nice value -11), if the user has the permission; a
    /// thread that `body` starts inherits it.
    private static func urgently<T>(_ body: () -> T) -> T {
        let thread = __priority_which_t(PRIO_PROCESS.rawValue)
        // 0 is the calling thread. Without permission, the calls fail and the priority stays the same, which is
        // harmless.
        let before = getpriority(thread, 0)
        _ = setpriority(thread, 0, min(before, -11))
        defer { _ = setpriority(thread, 0, before) }
        return body()
    }
}
