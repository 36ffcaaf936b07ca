package import HelioCore
package import HelioTransferWire
private import Synchronization

/// This machine's clipboard, for one session after the other: holds what was copied while there is none.
package final class SharedClipboard: Sendable {
    private struct State {
        var access: (any ClipboardAccess)?
        /// What was copied here last.
        var latest: (serial: ClipboardSerial, entries: [ClipboardEntry])?
        /// Takes events for the session that there is.
        var session: (@Sendable (ClipboardEvent) -> Void)?
        var isOn = true
    }

    private let wanted: ClipboardTerms
    private let state = Mutex(State())

    /// - Parameter open: opens the platform's clipboard with the handler that it is given; `nil` where there is none.
    ///
    /// Returns `nil` where there is no clipboard. Throws `unsupported` for one that can't be shared, and
    /// `invalidArgument` for a limit out of range.
    package init?(
        _ options: ClipboardOptions,
        open: (@escaping @Sendable (ClipboardEvent) -> Void) throws(HelioError) -> (any ClipboardAccess)?
    ) throws(HelioError) {
        wanted = try options.terms()
        guard let access = try open({ [weak self] in self?.take($0) }) else { return nil }
        state.withLock { $0.access = access }
    }

    /// Opens the clipboard; one that can't be shared is no error, but told of by `note`.
    package static func open(
        _ options: ClipboardOptions, note: (HelioError) -> Void,
        by open: (@escaping @Sendable (ClipboardEvent) -> Void) throws(HelioError) -> (any ClipboardAccess)?
    ) throws(HelioError) -> SharedClipboard? {
        do throws(HelioError) {
            return try SharedClipboard(options, open: open)
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
    package var terms: ClipboardTerms { isOn ? wanted : .nothing }

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
        let access = state.withLock { state in
            // What was copied here is gone from the clipboard.
            if case .offer = order { state.latest = nil }
            return state.access
        }
        access?.carryOut(order)
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
            case .changed(let serial, let entries): state.latest = (serial, entries)
            case .lost: state.latest = nil
            case .wanted, .unwanted, .content: break
            }
            state.session?(event)
        }
    }
}
