import Dispatch
import HelioCore
import HelioLinuxClipboard
import HelioTestPrograms
import Synchronization

/// A display's or a compositor's selection for tests: records its events, and provides pasted content.
final class ClipboardLog: Sendable {
    private struct State {
        var events: [ClipboardEvent] = []
        /// The number of events already waited for.
        var seen = 0
        /// The content provided for pastes; `nil` keeps pastes waiting.
        var content: [ClipboardFormat: [UInt8]]?
        var clipboard: (any ClipboardAccess)?
    }

    private let state = Mutex(State())
    private let bell = DispatchSemaphore(value: 0)

    convenience init(_ display: String, options: X11ClipboardOptions = X11ClipboardOptions()) throws {
        try self.init { try X11Clipboard(display: display, options: options, handler: $0) }
    }

    /// - Parameter open: opens the clipboard, which passes its events to the handler.
    init(_ open: (@escaping @Sendable (ClipboardEvent) -> Void) throws -> any ClipboardAccess) throws {
        let clipboard = try open { [weak self] in self?.take($0) }
        state.withLock { $0.clipboard = clipboard }
    }

    deinit { state.withLock { $0.clipboard }?.stop() }

    var clipboard: any ClipboardAccess { state.withLock { $0.clipboard! } }
    var events: [ClipboardEvent] { state.withLock { $0.events } }

    private func take(_ event: ClipboardEvent) {
        let answer = state.withLock { state -> (any ClipboardAccess, PasteID, Result<[UInt8], ClipboardFailure>)? in
            state.events.append(event)
            guard case .wanted(let paste, let format) = event, let content = state.content,
                let clipboard = state.clipboard
            else { return nil }
            return (clipboard, paste, content[format].map { .success($0) } ?? .failure(.gone))
        }
        if let (clipboard, paste, content) = answer { clipboard.provide(paste, content) }
        bell.signal()
    }

    /// Offers content, and provides it to pastes.
    func offer(_ content: [ClipboardFormat: [UInt8]]) {
        state.withLock { $0.content = content }
        clipboard.offer(content.keys.sorted { $0.rawValue < $1.rawValue }.map { ClipboardEntry($0) })
    }

    /// Keeps pastes waiting from now on.
    func waits() { state.withLock { $0.content = nil } }

    /// Returns the next matching event of those not yet waited for.
    func next<Found>(_ what: String, where fits: (ClipboardEvent) -> Found?) throws -> Found {
        let deadline = DispatchTime.now() + 20
        while true {
            let found = state.withLock { state -> Found? in
                while state.seen < state.events.count {
                    state.seen += 1
                    if let found = fits(state.events[state.seen - 1]) { return found }
                }
                return nil
            }
            if let found { return found }
            guard bell.wait(timeout: deadline) == .success else {
                throw Patience.Exhausted(description: "the clipboard never told of \(what)")
            }
        }
    }

    func nextChange() throws -> (serial: ClipboardSerial, formats: [ClipboardFormat]) {
        try next("a change") {
            if case .changed(let serial, let entries) = $0 { (serial, entries.map(\.format)) } else { nil }
        }
    }

    func nextPaste() throws -> PasteID {
        try next("a paste") { if case .wanted(let paste, _) = $0 { paste } else { nil } }
    }

    func nextUnwanted(_ paste: PasteID) throws {
        try next("the end of a paste") { if case .unwanted(paste) = $0 { () } else { nil } }
    }

    func read(
        _ format: ClipboardFormat, of serial: ClipboardSerial, limit: Int = 16 << 20
    ) throws -> Result<[UInt8], ClipboardFailure> {
        let id = ClipboardReadID(.random(in: 0 ... .max))
        clipboard.read(format, of: serial, limit: limit, as: id)
        return try next("content") { if case .content(id, let content) = $0 { content } else { nil } }
    }

    func drops(_ name: String) -> Int {
        let drops = clipboard.statistics.drops
        let names = ["x11", "wayland", "session"].map { $0 + "-clipboard-" + name }
        return names.lazy.compactMap { drops[$0] }.first ?? 0
    }
}
