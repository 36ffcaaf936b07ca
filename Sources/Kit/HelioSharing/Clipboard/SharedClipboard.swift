package import HelioControlWire
package import HelioCore
internal import HelioGround
package import HelioRemote
package import HelioTransferWire
private import Synchronization

/// This machine's clipboard, used by one session after the other. The last copy is remembered between sessions.
package final class SharedClipboard: Sendable {
    private struct State {
        var access: (any ClipboardAccess)?
        /// The last copy on this machine. `isOld` is true if the copy was made while the clipboard was not shared, so
        /// that the user did not mean it for the other end.
        var latest: (serial: ClipboardSerial, entries: [ClipboardEntry], isOld: Bool)?
        /// The viewer's consent; `nil` at a host, which shares its clipboard with any viewer that drives it.
        var consent: ClipboardConsent?
        /// Receives the clipboard's events for the current session.
        var session: (@Sendable (ClipboardEvent) -> Void)?
        var isOn = true
    }

    private let wanted: ClipboardTerms
    private let state = Mutex(State())

    /// Opens the platform's clipboard.
    ///
    /// - Parameters:
    ///   - isViewers: true at a viewer, which shares its clipboard only while it drives.
    ///   - open: opens the platform's clipboard with the given event handler; returns `nil` if there is no clipboard.
    ///
    /// Returns `nil` if there is no clipboard. Throws `unsupported` if the clipboard can't be shared, and
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

    /// Opens the clipboard. The error `unsupported` is passed to `note` instead of being thrown.
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

    /// True while sharing is switched on. After a change, the caller has to send the new `terms` to the session.
    package var isOn: Bool {
        get { state.withLock { $0.isOn } }
        set { state.withLock { $0.isOn = newValue } }
    }

    /// The transfer directions and the limit that this end allows at present.
    package var terms: ClipboardTerms {
        state.withLock { $0.isOn && $0.consent?.drives ?? true } ? wanted : .nothing
    }

    /// Resets the consent when the viewer connects to another host. Called on any thread.
    package func beginAnew() { _ = change { $0 = ClipboardConsent() } }

    /// Handles the host's message that names the driver. Called on any thread.
    ///
    /// - Returns: true if `terms` have changed; the caller has to send them to the session.
    package func heard(_ driver: Driver) -> Bool { change { $0.heard(driver) } }

    /// Handles user input that is sent to the host. Called on any thread.
    ///
    /// - Returns: true if `terms` have changed; the caller has to send them to the session.
    package func acted(_ event: InputEvent) -> Bool { change { $0.acted(event, now: MonotonicClock.now) } }

    private func change(_ change: (inout ClipboardConsent) -> Void) -> Bool {
        state.withLock { state in
            guard var consent = state.consent else { return false }
            change(&consent)
            defer { state.consent = consent }
            return state.isOn && consent.drives != state.consent?.drives
        }
    }

    /// The clipboard's identifier, or `nil` without a clipboard. If it is the same at both ends of a session, both ends
    /// use the same clipboard.
    package var place: String? { state.withLock { $0.access }?.place }

    /// Sends the clipboard's events to this session from now on, beginning with the last copy. Called on any thread.
    ///
    /// - Parameter session: called with each event on the clipboard's thread; must neither block nor call this object.
    package func connect(_ session: @escaping @Sendable (ClipboardEvent) -> Void) {
        // The last copy is reported with the lock held, so that no newer copy is reported before it.
        state.withLock { state in
            state.session = session
            if let latest = state.latest { session(.changed(latest.serial, latest.entries)) }
        }
    }

    /// Executes an order of the session. Called on any thread.
    package func carryOut(_ order: ClipboardOrder) {
        let (access, refused) = state.withLock { state in
            // The other end's content replaces the content copied here.
            if case .offer = order { state.latest = nil }
            return (state.access, refuses(order, state) ? state.session : nil)
        }
        if let refused, case .read(_, _, _, let read) = order { return refused(.content(read, .failure(.notAllowed))) }
        access?.carryOut(order)
    }

    /// True if a host requests content that was copied before this viewer drove it, and the user has not just pasted.
    private func refuses(_ order: ClipboardOrder, _ state: State) -> Bool {
        guard case .read(_, let serial, _, _) = order, let consent = state.consent, let latest = state.latest else {
            return false
        }
        return latest.serial == serial && latest.isOld && !consent.hasPasted(now: MonotonicClock.now)
    }

    /// Closes the clipboard.
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
