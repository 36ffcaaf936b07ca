internal import HelioAndroid
internal import HelioCore
private import Synchronization

/// The clipboard of a phone: its text.
///
/// Android's clipboard has no offers: a copy at the phone brings its text along, and text that a viewer copied has to
/// be put there before somebody pastes. So an offer is fetched at once.
final class PhoneClipboard: ClipboardAccess {
    private struct State {
        var handler: (@Sendable (ClipboardEvent) -> Void)?
        var serial: UInt64 = 0
        var text = ""
        var paste: UInt64 = 0
        var statistics = ClipboardAccessStatistics()
    }

    private let state: Mutex<State>
    private let submit: @Sendable (AndroidPhone.Input) -> Void
    /// The identifier of this phone's clipboard.
    let place: String?

    init(
        serial: String, submit: @escaping @Sendable (AndroidPhone.Input) -> Void,
        handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) {
        place = "android:\(serial)"
        self.submit = submit
        var state = State()
        state.handler = handler
        self.state = Mutex(state)
    }

    /// Text was copied on the phone.
    func copied(_ text: String) {
        let (handler, serial) = state.withLock { state in
            state.serial += 1
            state.text = text
            state.statistics.changes += 1
            return (state.handler, ClipboardSerial(state.serial))
        }
        handler?(.changed(serial, text.isEmpty ? [] : [ClipboardEntry(.text, size: text.utf8.count)]))
    }

    func offer(_ entries: [ClipboardEntry]) {
        guard entries.contains(where: { $0.format == .text }) else { return }
        let (handler, paste) = state.withLock { state in
            state.paste += 1
            state.statistics.pastes += 1
            return (state.handler, PasteID(state.paste))
        }
        handler?(.wanted(paste, .text))
    }

    /// Leaves the clipboard as it is: the phone's person may have copied something else meanwhile.
    func withdraw() {}

    func read(_ format: ClipboardFormat, of serial: ClipboardSerial, limit: Int, as id: ClipboardReadID) {
        let (handler, result) = state.withLock { state in
            let bytes = Array(state.text.utf8)
            let result: Result<[UInt8], ClipboardFailure> =
                if format != .text || serial.rawValue != state.serial {
                    .failure(.gone)
                } else if bytes.count > limit {
                    .failure(.tooLarge)
                } else {
                    .success(bytes)
                }
            if case .success = result {
                state.statistics.reads += 1
                state.statistics.bytesRead += bytes.count
            }
            return (state.handler, result)
        }
        handler?(.content(id, result))
    }

    func provide(_ paste: PasteID, _ content: Result<[UInt8], ClipboardFailure>) {
        let isNewest = state.withLock { $0.paste == paste.rawValue }
        guard isNewest, case .success(let bytes) = content,
            let text = String(validating: bytes, as: UTF8.self)
        else { return state.withLock { $0.statistics.drops.add(["phone-paste-failed": 1]) } }
        state.withLock { $0.statistics.bytesPasted += bytes.count }
        submit(.clipboard(text))
    }

    func stop() { state.withLock { $0.handler = nil } }

    var statistics: ClipboardAccessStatistics { state.withLock { $0.statistics } }
}
