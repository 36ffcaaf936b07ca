import HelioAdmission
import HelioCore
import HelioMedia
import HelioSession
import HelioTransferWire

// File transfer between the host and its viewers. Files are handled outside this engine, as hashing takes time. The
// engine routes file-transfer messages, which use the part of the channel's window that the clipboard leaves free.

extension SourceHost {
    package var takesPartInFiles: Bool { settings.files }

    func openFiles(of viewer: ConnectionID, token: FileToken, _ now: Instant) {
        guard settings.files, allowances[viewer] == nil, let session = session(of: viewer) else { return }
        allowances[viewer] = FileAllowance(now: now)
        let device = session.device
        // Show a guest's address with its name: several guests may have the same name, but a file is sent to only one
        // of them.
        let guest = session.name.map { "\($0) (\(session.address))" } ?? session.address
        let files = FileViewer(
            token: token, device: device?.id, name: device?.name ?? guest, permission: device?.files ?? .ask)
        outputs.append(.files(viewer, .opened(files)))
    }

    func closeFiles(of viewer: ConnectionID) {
        if allowances.removeValue(forKey: viewer) != nil { outputs.append(.files(viewer, .traffic(.closed))) }
    }

    /// Handles a viewer's file-transfer message. If files are not accepted, offers are refused, and all other messages
    /// are ignored.
    func take(fileMessage message: [UInt8], of viewer: ConnectionID, _ now: Instant) {
        if allowances[viewer] != nil { return outputs.append(.files(viewer, .traffic(.received(message)))) }
        guard case .offer(let offer) = try? FileMessage(parsing: message.span.bytes) else { return }
        send(transfer: [FileMessage.refuse(offer.batch, .notAllowed).serialised()], to: viewer, now)
    }

    /// Sends a viewer file-transfer messages; their bytes must have been granted before.
    func send(files messages: [[UInt8]], to viewer: ConnectionID, _ now: Instant) {
        guard allowances[viewer] != nil else { return }
        allowances[viewer]?.use(messages.reduce(0) { $0 + $1.count })
        sessions[viewer]?.media?.measureOften(now: now)
        send(transfer: messages, to: viewer, now)
        grantFiles(to: viewer, now)
    }

    /// Grants a viewer's file transfer the bytes that its channel accepts now.
    func grantFiles(to viewer: ConnectionID, _ now: Instant) {
        guard let room = session(of: viewer)?.transferRoom else { return }
        let granted = allowances[viewer]?.grant(room: room, roundTrip: roundTrip(of: viewer), now: now)
        guard let granted else { return }
        outputs.append(.files(viewer, .traffic(.granted(granted))))
    }

    /// The last measured round trip to a viewer: by reports on video for a native viewer, and on the data channels for
    /// a browser, which sends reports on video too rarely.
    private func roundTrip(of viewer: ConnectionID) -> MeasuredRoundTrip? {
        if let browser = web.sessions[viewer] { return browser.channelRoundTrip }
        guard let statistics = sessions[viewer]?.media?.statistics else { return nil }
        return statistics.roundTrip.map { MeasuredRoundTrip(time: $0, number: statistics.roundTrips) }
    }

    /// Grants bytes to file transfers that had to wait for video.
    func tickFiles(_ now: Instant) {
        for (viewer, allowance) in allowances where allowance.deadline.map({ $0.at <= now }) ?? false {
            grantFiles(to: viewer, now)
        }
    }

    var filesDeadline: Deadline? { allowances.values.reduce(nil) { .earliest($0, $1.deadline) } }

    /// Outputs each viewer's file-transfer permission, after the list of devices has changed.
    func followFiles() {
        for viewer in allowances.keys {
            guard let session = session(of: viewer) else { continue }
            outputs.append(.files(viewer, .permitted(session.device?.files ?? .ask)))
        }
    }
}
