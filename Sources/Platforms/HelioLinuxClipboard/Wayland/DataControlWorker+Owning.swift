import Glibc
import HelioCore
import HelioGround
import HelioWayland
import HelioWaylandWire

// Offers the other machine's content to the programs on this machine.

extension DataControlWorker {
    func begin(_ entries: [ClipboardEntry]) {
        guard !entries.isEmpty else { return letGo() }
        guard let source = try? connection.make(.dataControlSource) else { return }
        connection.send(.createDataSource(source), to: manager.id)
        for type in entries.flatMap({ Self.offered($0.format) }) + [mark] {
            connection.send(.offer(type: type), to: source)
        }
        select(source)
        // Only now, so that the clipboard is never empty in between.
        if let own { connection.destroy(own.source) }
        own = (source, entries)
        isOwnDue = true
        isLettingGo = false
        // The offer replaces the copy of a program on this machine.
        serial += 1
        selected = nil
        readable = [:]
        lookAt = nil
        cancelReads()
    }

    func letGo() {
        guard let own else { return }
        self.own = nil
        isOwnDue = false
        isLettingGo = true
        select(nil)
        connection.destroy(own.source)
    }

    /// Handles the compositor's notice that another program has copied.
    func replaced(_ source: UInt32) {
        connection.destroy(source)
        guard own?.source == source else { return }
        own = nil
        isOwnDue = false
    }

    private func select(_ source: UInt32?) {
        connection.send(
            options.selection == .primary ? .setPrimarySelection(source: source) : .setSelection(source: source),
            to: device)
    }

    /// Returns all types with which a format is offered: for text also those of X programs.
    private static func offered(_ format: ClipboardFormat) -> [String] {
        format == .text ? types(of: .text) + ["STRING", "TEXT"] : types(of: format)
    }

    /// Handles a paste.
    ///
    /// - Parameter descriptor: the program's pipe, which this object closes.
    func requested(_ type: String, _ descriptor: Int32, of source: UInt32) {
        let format = ClipboardFormat.allCases.first { Self.offered($0).contains(type) }
        guard let own, own.source == source, let format, own.entries.contains(where: { $0.format == format }) else {
            count(.pasteUnknown)
            close(descriptor)
            return
        }
        guard pastes.count < options.requests else {
            count(.pasteBusy)
            close(descriptor)
            return
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        let id = PasteID(nextPaste)
        nextPaste += 1
        pastes.append(
            PipePaste(
                id: id, format: format, descriptor: descriptor, until: MonotonicClock.now + options.contentPatience))
        mailbox.tell(.wanted(id, format))
    }

    func provide(_ id: PasteID, _ content: Result<[UInt8], ClipboardFailure>) {
        guard let index = pastes.firstIndex(where: { $0.id == id && $0.content == nil }) else {
            return count(.unwantedContent)
        }
        guard case .success(let bytes) = content else {
            count(.pasteFailed)
            return remove(index)
        }
        mailbox.count {
            $0.pastes += 1
            $0.bytesPasted += bytes.count
        }
        pastes[index].content = bytes
        pastes[index].until = MonotonicClock.now + options.requestorPatience
        givePiece(to: id)
    }

    /// Writes as much of the content as the program's pipe takes. For a paste that waits for its content, the pipe is
    /// ready only if the program has closed its end.
    func givePiece(to id: PasteID) {
        guard let index = pastes.firstIndex(where: { $0.id == id }) else { return }
        guard let content = pastes[index].content else {
            count(.requestorGone)
            mailbox.tell(.unwanted(id))
            return remove(index)
        }
        switch pastes[index].write(content, patience: options.requestorPatience) {
        case .underWay: break
        case .complete: remove(index)
        case .broken:
            count(.requestorGone)
            remove(index)
        }
    }

    func endOverduePastes(_ now: Instant) {
        while let index = pastes.firstIndex(where: { $0.until <= now }) {
            if pastes[index].content == nil {
                count(.pasteTimedOut)
                mailbox.tell(.unwanted(pastes[index].id))
            } else {
                count(.requestorStopped)
            }
            remove(index)
        }
    }

    private func remove(_ index: Int) { close(pastes.remove(at: index).descriptor) }
}
