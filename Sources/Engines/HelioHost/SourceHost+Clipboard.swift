import HelioAdmission
import HelioCore
import HelioRemote
import HelioSession
import HelioTransfer
import HelioTransferWire

// Clipboard sharing between the host and the driving viewer.

extension SourceHost {
    /// Makes the viewer that drives from now on the one that shares its clipboard. While nobody drives, the last driver
    /// keeps sharing: a user who reads what was copied at the host sends no input for a while.
    func drives(_ viewer: DrivingViewer, _ now: Instant) {
        switch viewer {
        case .session(let ssrc): clipboardSharer = session(of: ssrc)?.id
        case .browser(let id): clipboardSharer = web.sessions[id]?.id
        }
        followClipboard(now)
    }

    /// Ends clipboard sharing with a viewer that is no longer permitted to share.
    func followClipboard(_ now: Instant) {
        if let sharer = clipboardSharer, !mayShareClipboard(sharer) { clipboardSharer = nil }
        handle(.driver(clipboardSharer), now)
    }

    /// Removes a viewer's content from the host's clipboard, as the host is about to disconnect the viewer.
    func dropClipboard(of viewer: ConnectionID, _ now: Instant) {
        guard clipboardSharer == viewer else { return }
        clipboardSharer = nil
        handle(.driver(nil), now)
    }

    private func mayShareClipboard(_ viewer: ConnectionID) -> Bool {
        guard let session = session(of: viewer) else { return false }
        return mayDrive(session) && session.device?.sharesClipboard ?? true
    }

    /// Handles an event of a viewer's transfer channel.
    func take(_ demand: TransferDemand, of viewer: ConnectionID, _ now: Instant) {
        switch demand {
        case .opened(let sharesClipboard, let token):
            if sharesClipboard { clipboard.handle(.open(viewer), now: now) }
            // The viewer may have been driving before its channel opened.
            clipboard.handle(.driver(clipboardSharer), now: now)
            if let token { openFiles(of: viewer, token: token, now) }
        case .received(let message):
            if FileMessage.isAboutFiles(message) { return take(fileMessage: message, of: viewer, now) }
            clipboard.handle(.received(message, from: viewer), now: now)
        case .room(let bytes): clipboard.handle(.room(bytes, of: viewer), now: now)
        case .closed:
            clipboard.handle(.close(viewer), now: now)
            closeFiles(of: viewer)
        }
        drainClipboard(now)
        grantFiles(to: viewer, now)
    }

    func handle(_ input: ClipboardHub<ConnectionID>.Input, _ now: Instant) {
        clipboard.handle(input, now: now)
        drainClipboard(now)
    }

    func tickClipboard(_ now: Instant) {
        clipboard.tick(now: now)
        drainClipboard(now)
    }

    private func drainClipboard(_ now: Instant) {
        while let output = clipboard.poll() {
            switch output {
            case .send(let message, let viewer): send(transfer: [message], to: viewer, now)
            case .clipboard(let order): outputs.append(.clipboard(order))
            }
        }
    }

    /// Sends messages on a viewer's transfer channel.
    func send(transfer messages: [[UInt8]], to viewer: ConnectionID, _ now: Instant) {
        update(viewer, now) { session in
            for message in messages { session.send(transfer: message, now: now) }
        }
    }
}
