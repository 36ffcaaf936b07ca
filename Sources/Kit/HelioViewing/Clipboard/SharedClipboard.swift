internal import HelioControlWire
package import HelioCore
internal import HelioLoop
internal import HelioRemote
package import HelioTransferWire
private import Synchronization

/// This machine's clipboard, for one session after the other: holds what was copied while there is none.
package final class SharedClipboard: Sendable {
    private struct State {
        var access: (any ClipboardAccess)?
        /// What was copied here last. `isOld`: while it was not shared, so that it was not meant for the other end.
        var latest: (serial: ClipboardSerial, entries: [ClipboardEntry], isOld: Bool)?
        /// Of a viewer: whether it drives. `nil` for a host, which shares its clipboard with whoever drives it.
        var consent: ClipboardConsent?
        /// Takes events for the session that there is.
        var session: (@Sendable (ClipboardEvent) -> Void)?
        var isOn = true
    }

    private let wanted: ClipboardTerms
    private let state = Mutex(State())

    /// - Parameters:
    ///   - isViewers: true at a viewer, which shares its clipboard only while it drives.
    ///   - open: opens the platform's clipboard with the handler that it is given; `nil` where there is none.
    ///
    /// Returns `nil` where there is no clipboard. Throws `unsupported` for one that can't be shared, and
    /// `invalidArgument` for a limit out of range.
    package init?(
        _ options: ClipboardOptions, isViewers: Bool,
        open: (@escaping @Sendable (ClipboardEvent) -> Void) throws(HelioError) -> (any ClipboardAccess)?
    ) throws(HelioError) {
        wanted = try options.terms()
        if isViewers { state.withLock { $0.consent = ClipboardConsent() } }
        guard let access = try open({ [weak self] in self?.take($0) }) else { return nil }
        state.withLock { $0.access = access }
    }

    /// Opens the clipboard; one that can't be shared is no error, but told of by `note`.
    package static func open(
        _ options: ClipboardOptions, isViewers: Bool, note: (HelioError) -> Void,
        by open: (@escaping @Sendable (ClipboardEvent) -> Void) throws(HelioError) -> (any ClipboardAccess)?
    ) throws(HelioError) -> SharedClipboard? {
        do throws(HelioError) {
            return try SharedClipboard(options, isViewers: isViewers, open: open)
        } catch  where error.code == .unsupported {
            note(error)
            return nil
        }
    }

    deinit { stop() }

    /// Whether it is shared now. Who changes it tells the session the new terms.
    package var isOn: Bool {
        get { state.withLock { $0.isOn } }
        set { state.withLock { $0.isOn = newValue } }
    }

    /// What this end gives and takes now.
    package var terms: ClipboardTerms {
        state.withLock { $0.isOn && $0.consent?.drives ?? true } ? wanted : .nothing
    }

    /// Begins with another host, which this viewer has not driven yet. Any thread.
    func beginAnew() { _ = change { $0 = ClipboardConsent() } }

    /// The host has said who drives. Any thread.
    ///
    /// - Returns: whether `terms` have changed, which the session has to be told.
    func heard(_ driver: Driver) -> Bool { change { $0.heard(driver) } }

    /// The person has done something that is sent to the host. Any thread.
    ///
    /// - Returns: whether `terms` have changed, which the session has to be told.
    func acted(_ event: InputEvent) -> Bool { change { $0.acted(event, now: MonotonicClock.now) } }

    private func change(_ change: (inout ClipboardConsent) -> Void) -> Bool {
        state.withLock { state in
            guard var consent = state.consent else { return false }
            change(&consent)
            defer { state.consent = consent }
            return state.isOn && consent.drives != state.consent?.drives
        }
    }

    /// The name of the clipboard itself.
    package var place: String? { state.withLock { $0.access }?.place }

    /// Has events go to another session from now on: first what was copied last. Any thread.
    ///
    /// - Parameter session: takes the events, on the clipboard's thread; must not block, nor call this object.
    package func connect(_ session: @escaping @Sendable (ClipboardEvent) -> Void) {
        // With the lock held, so that nothing newer is told before.
        state.withLock { state in
            state.session = session
            if let latest = state.latest { session(.changed(latest.serial, latest.entries)) }
        }
    }

    /// Does what the session wants. Any thread.
    package func carryOut(_ order: ClipboardOrder) {
        let (access, refused) = state.withLock { state in
            // What was copied here is gone from the clipboard.
            if case .offer = order { state.latest = nil }
            return (state.access, refuses(order, state) ? state.session : nil)
        }
        if let refused, case .read(_, _, _, let read) = order { return refused(.content(read, .failure(.notAllowed))) }
        access?.carryOut(order)
    }

    /// True where a host wants what was copied before it was driven, and the person at this viewer does not paste.
    private func refuses(_ order: ClipboardOrder, _ state: State) -> Bool {
        guard case .read(_, let serial, _, _) = order, let consent = state.consent, let latest = state.latest else {
            return false
        }
        return latest.serial == serial && latest.isOld && !consent.hasPasted(now: MonotonicClock.now)
    }

    /// Lets go of the clipboard.
    package func stop() {
        let access = state.withLock { state in
            state.session = nil
            defer { state.access = nil }
            return state.access
        }
        access?.stop()
    }

    package var statistics: ClipboardAccessStatistics { state.withLock { $0.access }?.statistics ?? .init() }

    private func take(_ event: ClipboardEvent) {
        state.withLock { state in
            switch event {
            case .changed(let serial, let entries):
                state.latest = (serial, entries, isOld: !(state.consent?.drives ?? true))
            case .lost: state.latest = nil
            case .wanted, .unwanted, .content: break
            }
            state.session?(event)
        }
    }
}
