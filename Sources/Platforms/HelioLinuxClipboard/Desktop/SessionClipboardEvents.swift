import HelioCore
import HelioDBusWire
import HelioGround
import Synchronization

/// The signals of a session's clipboard, on their way from the bus's thread to the clipboard's.
final class SessionClipboardEvents: Sendable {
    struct Paste: Sendable {
        var type: String
        var serial: UInt32
    }

    private struct State: Sendable {
        /// The types of the newest copy; `nil` if there is none that is unread. The newest replaces those before it.
        var copied: [String]?
        var pastes: [Paste] = []
        var refused: [Paste] = []
        var isClosed = false
        var isLost = false
    }

    /// The most pastes that wait, and types of a copy, and bytes of a type's name.
    private static let mostPastes = 16, mostTypes = 256, longestType = 256

    private let state = Mutex(State())
    private let wakeup: Wakeup

    init(_ wakeup: Wakeup) { self.wakeup = wakeup }

    // MARK: The bus's thread

    func take(_ message: DBusMessage) {
        guard let arguments = try? message.arguments() else { return }
        switch message.member {
        case "SelectionOwnerChanged":
            guard let options = arguments.last(where: { $0.typeSignature == "a{sv}" })?.dictionary else { return }
            // This program's own offer is no change.
            let isOwn = (options["session-is-owner"] ?? options["session_is_owner"])?.isTrue == true
            let types = isOwn ? [] : Self.types(options["mime-types"] ?? options["mime_types"])
            state.withLock { $0.copied = isOwn ? nil : types }
        case "SelectionTransfer":
            guard arguments.count >= 2, let serial = arguments[arguments.count - 1].number,
                let type = arguments[arguments.count - 2].text
            else { return }
            let paste = Paste(type: type, serial: UInt32(clamping: serial))
            state.withLock { state in
                if state.pastes.count < Self.mostPastes {
                    state.pastes.append(paste)
                } else if state.refused.count < Self.mostPastes {
                    state.refused.append(paste)
                }
            }
        case "Closed": state.withLock { $0.isClosed = true }
        default: return
        }
        wakeup.signal()
    }

    /// Reads the types of a copy: an array of strings, which some desktops put in a structure.
    static func types(_ value: DBusValue?) -> [String] {
        guard let value else { return [] }
        if let text = value.text { return text.utf8.count <= longestType ? [text] : [] }
        return Array(value.elements.prefix(mostTypes).flatMap { types($0) }.prefix(mostTypes))
    }

    func lose() {
        state.withLock { $0.isLost = true }
        wakeup.signal()
    }

    // MARK: The clipboard's thread

    /// The signals since the last call.
    struct News: Sendable {
        var copied: [String]?
        var pastes: [Paste]
        var refused: [Paste]
        /// True if the desktop has closed the session.
        var isClosed: Bool
        /// True if the bus is gone.
        var isLost: Bool
    }

    func next() -> News {
        state.withLock { state in
            defer { (state.copied, state.pastes, state.refused, state.isClosed) = (nil, [], [], false) }
            return News(
                copied: state.copied, pastes: state.pastes, refused: state.refused, isClosed: state.isClosed,
                isLost: state.isLost)
        }
    }
}
