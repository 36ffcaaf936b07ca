private import NIOTLS

enum TLSEvents {
    static func isHandshakeCompleted(_ event: Any) -> Bool {
        if case .handshakeCompleted = event as? TLSUserEvent { return true }
        return false
    }
}
