internal import HelioAdmission
internal import HelioCore
private import HelioGround
private import HelioLoop
internal import HelioServing
internal import HelioSharing
private import Synchronization

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// A connection to a paired host that may sleep: where neither its address nor its rendezvous server reaches it, it is
/// woken, and tried again for as long as a lost host is.
struct WakingConnector: Sendable {
    /// The pause between two attempts, and between two rounds of packets.
    private static let pause = Duration.seconds(1)
    private static let wakeInterval = Duration.seconds(20)

    let connector: HostConnector
    /// Tells the user what is going on.
    let note: @Sendable (String) -> Void

    /// Connects.
    ///
    /// - Parameter onCall: takes each call, the last of which the caller has to `finish`.
    func connect(
        onCall: @escaping @Sendable (RendezvousCall) -> Void
    ) async throws(HelioError) -> SinkClient {
        let began = MonotonicClock.now
        let calls = Calls(onCall)
        var last: HelioError
        do throws(HelioError) {
            return try await connector.connect(onCall: calls.take)
        } catch {
            last = error
        }
        guard Self.maySleep(last), HostWaking.canWake(connector.link) else { throw last }
        note("\(connector.link.name ?? connector.link.authority) does not answer: trying to wake it…")
        let waking = Task { [link = connector.link] in await Self.wake(link) }
        defer { waking.cancel() }
        while last.code == .unreachable, MonotonicClock.now - began < Reconnection.patience {
            await calls.finish()
            try? await Task.sleep(for: Self.pause)
            if Task.isCancelled { throw HelioError(.ended, "The attempt to connect was given up.") }
            do throws(HelioError) {
                return try await connector.connect(onCall: calls.take)
            } catch {
                last = error
            }
        }
        guard last.code == .unreachable else { throw last }
        throw HelioError(
            last.code, "\(last.message) It was tried to wake it. \(HostWaking.advice)", remedy: last.remedy,
            reason: last.reason, cause: last)
    }

    /// Sends packets at intervals, until the task is cancelled.
    private static func wake(_ link: ShareLink) async {
        while !Task.isCancelled {
            _ = await HostWaking.wake(link)
            try? await Task.sleep(for: wakeInterval)
        }
    }

    /// True for a host that its rendezvous server has not online, or that does not answer at its addresses.
    ///
    /// A machine that refuses the connection is awake, without anything that shares; but in another network, one with
    /// the same private address may be another machine, so the server's word comes first. Where this machine has no
    /// network, nobody was asked.
    static func maySleep(_ error: HelioError) -> Bool {
        guard error.code == .unreachable else { return false }
        if error.reason == HelioError.offline { return true }
        if let both = error.cause as? HostConnector.Failures {
            return both.call.reason == HelioError.offline || maySleep(both.addresses)
        }
        var cause = error.cause
        while let inner = cause as? HelioError { cause = inner.cause }
        guard let cause else { return true }
        return NetworkFailure.systemCode(cause) != ECONNREFUSED && !NetworkFailure.isWithoutNetwork(cause)
    }

    /// The calls of the attempts: each is finished before the next attempt.
    private final class Calls: Sendable {
        private let last = Mutex<RendezvousCall?>(nil)
        private let onCall: @Sendable (RendezvousCall) -> Void

        init(_ onCall: @escaping @Sendable (RendezvousCall) -> Void) { self.onCall = onCall }

        func take(_ call: RendezvousCall) {
            last.withLock { $0 = call }
            onCall(call)
        }

        func finish() async { await last.withLock { $0 }?.finish() }
    }
}
