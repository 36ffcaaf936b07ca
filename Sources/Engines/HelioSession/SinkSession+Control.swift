import HelioCore
import HelioMedia
import HelioRTSP

// Input is sent inside the signalling connection if only the UDP port for input is blocked, while media still arrive by
// UDP.

extension SinkSession {
    /// The transport of input while media arrive by UDP.
    enum ControlInside: Equatable {
        /// Input is sent by UDP.
        case not
        /// The request with this number, which asks the host to accept input inside the connection, is pending or was
        /// refused.
        case asked(UInt32)
        /// Input is sent inside the connection.
        case agreed
    }

    /// The minimum time for which media must have arrived by UDP without a long gap before input moves into the
    /// connection. If media are missing, too, the whole path is down, not only the control port.
    private static let steadyTime = Duration.seconds(4)

    /// Asks the host to accept input inside the connection.
    func askForControlInside(_ now: Instant) {
        guard state == .playing, settings.transport != .udp, controlInside == .not, let media, media.transport == .udp,
            media.hasComeSteadily(for: Self.steadyTime, now: now)
        else { return }
        var header = TransportHeader(StreamOffer.controlTransportInside)
        header.interleaved = ConnectionChannel.media.rawValue...ConnectionChannel.control.rawValue
        controlInside = .asked(request(.setup, path: "/control", headers: ["Transport": header.value]))
        // Frames may arrive before the answer.
        takesFrames = true
    }

    /// Returns true if the response answers the request for input inside the connection. A host that does not support
    /// the request refuses it, and the request is not repeated.
    func answersControlInside(_ response: RTSPResponse) -> Bool {
        guard case .asked(let number) = controlInside, response.headers["CSeq"] == "\(number)" else { return false }
        guard response.status.isSuccess else { return true }
        controlInside = .agreed
        outputs.append(.event(.controlInside))
        return true
    }
}
