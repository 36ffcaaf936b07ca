package import HelioCore
package import HelioRendezvousWire

extension TunnelCore.End {
    /// The end as the viewer's error.
    var error: HelioError {
        switch self {
        case .closed: HelioError(.ended, "The host has ended the session.")
        case .hungUp(let reason): reason.error
        case .refused(let reason): HelioError(.refused, "The host has refused the call (\(reason)).", reason: reason)
        case .linksLost:
            HelioError(.unreachable, "No way to the host is left: check the network at both ends, and connect again.")
        case .violated(let what):
            HelioError(
                .protocolViolation,
                "The call to the host was ended, as \(what): pair this device with the host again if this persists.")
        case .failed(let what): HelioError(.systemFailed, "The call to the host can't be carried here (\(what)).")
        }
    }
}

extension HangUpReason {
    /// The end of a call as the error of who has rung.
    package var error: HelioError {
        switch self {
        case .ended: HelioError(.ended, "The host has ended the call.")
        case .busy, .tooMany:
            HelioError(.refused, "The host takes no further call at present: try again later.", reason: "busy")
        case .unreachable:
            HelioError(
                .unreachable, "The host is not connected to the rendezvous: start sharing there, and try again.",
                reason: HelioError.offline)
        case .notPermitted:
            HelioError(
                .refused,
                "The host does not permit this device to call it, or its rendezvous does not know it yet: try again in "
                    + "a minute. If this persists, pair the two again, or ask for a new link.",
                reason: "not-permitted")
        case .tooFast:
            HelioError(.refused, "The host was called too often: try again in a minute.", reason: "too-fast")
        case .lost:
            HelioError(.unreachable, "The connection to the rendezvous was lost: check the network, and try again.")
        case .protocolError:
            HelioError(.protocolViolation, "The host or the rendezvous has refused a message of the call.")
        }
    }
}
