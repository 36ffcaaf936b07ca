package import HelioCore
import Synchronization

/// The sessions of this process, one a kind: capture, input and the clipboard share it, as long as one of them lasts.
package enum DesktopSessions {
    package enum Kind: Sendable, Hashable {
        case mutter
        case portal
    }

    private struct Box: @unchecked Sendable {
        weak var session: (any DesktopSession)?
    }

    private static let sessions = Mutex<[Kind: Box]>([:])

    /// Returns the session of a kind, which is begun if there is none, or the last has ended. Callers wait for each
    /// other, so that the person at the desktop is asked once.
    package static func session(
        _ kind: Kind, _ variable: (String) -> String?
    ) throws(HelioError) -> any DesktopSession {
        try sessions.withLock { sessions throws(HelioError) -> any DesktopSession in
            if let session = sessions[kind]?.session, session.end == nil { return session }
            let bus = try SessionBus.connect(variable)
            let session: any DesktopSession =
                switch kind {
                case .mutter: try MutterSession(bus)
                case .portal: try PortalSession(bus, token: PortalToken(variable))
                }
            sessions[kind] = Box(session: session)
            return session
        }
    }
}
