import HelioCore
import HelioMedia
import HelioRTSP

// Input inside the connection where its port alone is blocked: media come by UDP all the same.

extension SinkSession {
    /// How input goes while media come by UDP.
    enum ControlInside: Equatable {
        /// By UDP.
        case not
        /// The host was asked, by the request of this number.
        case asked(UInt32)
        /// Inside the connection.
        case agreed
    }

    /// The time for which media have to have come by UDP: where nothing did, all of the path is away, and not its port.
    private static let steadyTime = Duration.seconds(4)

    /// Asks the host to take input inside the connection.
    func askForControlInside(_ now: Instant) {
        guard state == .playing, settings.transport != .udp, controlInside == .not, let media, media.transport == .udp,
            media.hasComeSteadily(for: Self.steadyTime, now: now)
        else { return }
        var header = TransportHeader(StreamOffer.controlTransportInside)
        header.interleaved = ConnectionChannel.media.rawValue...ConnectionChannel.control.rawValue
        controlInside = .asked(request(.setup, path: "/control", headers: ["Transport": header.value]))
        // Frames may come ahead of the answer.
        takesFrames = true
    }

    /// Returns whether the response is to that request. A host that refuses it, as it does not know it, is not asked again.
    func answersControlInside(_ response: RTSPResponse) -> Bool {
        guard case .asked(let number) = controlInside, response.headers["CSeq"] == "\(number)" else { return false }
        guard response.status.isSuccess else { return true }
        controlInside = .agreed
        outputs.append(.event(.controlInside))
        return true
    }
}
