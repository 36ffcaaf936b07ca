import Glibc
import HelioCore
import HelioGround
import HelioWayland
import HelioWaylandWire

// Reads content that other programs on this machine have copied: the compositor announces the formats at each change,
// the content is read only when the user pastes on the other machine.

extension DataControlWorker {
    /// The most offers that are kept, of types of an offer, and of bytes of a type's name.
    private static let mostOffers = 8, mostTypes = 256, longestType = 256
    private static let passwordHint = "x-kde-passwordManagerHint"
    private static let mostHint = 64
    /// The most bytes that are read at a time.
    private static let piece = 64 * 1024

    /// Returns the types with which content of a format can be read or is offered, best first.
    static func types(of format: ClipboardFormat) -> [String] {
        switch format {
        case .text: ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain"]
        case .html: ["text/html"]
        case .png: ["image/png"]
        }
    }

    func announced(_ object: UInt32) {
        guard connection.adopt(object, as: .dataControlOffer) else { return }
        // An offer is selected right after it is announced; what is older and not selected never will be.
        if offers.count >= Self.mostOffers, let index = offers.firstIndex(where: { $0.object != selected }) {
            connection.destroy(offers.remove(at: index).object)
        }
        offers.append((object, []))
    }

    func announced(_ type: String, of object: UInt32) {
        guard let index = offers.firstIndex(where: { $0.object == object }) else { return }
        guard offers[index].types.count < Self.mostTypes, type.utf8.count <= Self.longestType else {
            return count(.typeRefused)
        }
        offers[index].types.append(type)
    }

    func selectionChanged(to object: UInt32?) {
        let types = offers.first { $0.object == object }?.types ?? []
        for offer in offers where offer.object != object { connection.destroy(offer.object) }
        offers.removeAll { $0.object != object }
        selected = nil
        // This program's own offer is no change, nor is what was copied before it.
        if types.contains(mark) { isOwnDue = false }
        if types.contains(mark) || isOwnDue { return }
        // An empty clipboard after a withdrawal is none either.
        if object == nil, isLettingGo {
            isLettingGo = false
            return
        }
        // Neither is a clipboard that was empty from the start.
        if object == nil, serial == 0 { return }
        isLettingGo = false
        selected = object
        serial += 1
        readable = [:]
        cancelReads()
        let now = MonotonicClock.now
        lookAt = max(now, nextLook)
        reportIfDue(now)
    }

    /// Reports the present copy if the time `lookAt` has come, after its mark as a secret was read if it has one.
    func reportIfDue(_ now: Instant) {
        guard let lookAt, lookAt <= now else { return }
        self.lookAt = nil
        nextLook = now + options.lookInterval
        let types = offers.first { $0.object == selected }?.types ?? []
        for format in ClipboardFormat.allCases {
            readable[format] = Self.types(of: format).first(where: types.contains)
        }
        if types.contains(Self.passwordHint) {
            ask(nil, .text, Self.passwordHint, limit: Self.mostHint)
        } else {
            tellChange()
        }
    }

    private func tellChange() {
        mailbox.count { $0.changes += 1 }
        let entries = ClipboardFormat.allCases.filter { readable[$0] != nil }.map { ClipboardEntry($0) }
        mailbox.tell(.changed(ClipboardSerial(serial), entries))
    }

    private func tellSecret() {
        count(.secret)
        readable = [:]
        tellChange()
    }

    func read(_ format: ClipboardFormat, _ wanted: ClipboardSerial, limit: Int, _ id: ClipboardReadID) {
        guard wanted.rawValue == serial, selected != nil, let type = readable[format] else {
            count(.readGone)
            return mailbox.tell(.content(id, .failure(.gone)))
        }
        guard reads.count < options.requests else {
            count(.readBusy)
            return mailbox.tell(.content(id, .failure(.busy)))
        }
        ask(id, format, type, limit: limit)
    }

    private func ask(_ id: ClipboardReadID?, _ format: ClipboardFormat, _ type: String, limit: Int) {
        guard let selected, let pipe = WaylandPipe() else {
            count(.readFailed)
            if let id { mailbox.tell(.content(id, .failure(.failed))) } else { tellSecret() }
            return
        }
        connection.send(.receive(type: type, descriptor: pipe.writeEnd), to: selected)
        // The request has its own copy of the end.
        close(pipe.writeEnd)
        let now = MonotonicClock.now
        reads.append(
            PipeRead(
                id: id, format: format, limit: limit, descriptor: pipe.readEnd, begun: now, lastProgress: now))
    }

    /// Reads what a program has written.
    func takePiece(of descriptor: Int32) {
        guard let index = reads.firstIndex(where: { $0.descriptor == descriptor }) else { return }
        var piece = [UInt8](repeating: 0, count: Self.piece)
        let count = Glibc.read(descriptor, &piece, piece.count)
        switch count {
        case 1...:
            guard reads[index].bytes.count + count <= reads[index].limit else {
                return end(index, .tooLarge, .readTooLarge)
            }
            reads[index].bytes += piece[..<count]
            reads[index].lastProgress = MonotonicClock.now
        case 0: finish(index)
        default: if errno != EAGAIN, errno != EINTR { end(index, .failed, .readFailed) }
        }
    }

    private func finish(_ index: Int) {
        let read = reads.remove(at: index)
        close(read.descriptor)
        guard let id = read.id else {
            let isSecret = String(decoding: read.bytes.filter { $0 != 0 }, as: UTF8.self) == "secret"
            return isSecret ? tellSecret() : tellChange()
        }
        let bytes = read.format == .html ? ClipboardEncoding.html(read.bytes) : read.bytes
        guard bytes.count <= read.limit else {
            count(.readTooLarge)
            return mailbox.tell(.content(id, .failure(.tooLarge)))
        }
        mailbox.count {
            $0.reads += 1
            $0.bytesRead += bytes.count
        }
        mailbox.tell(.content(id, .success(bytes)))
    }

    private func end(_ index: Int, _ failure: ClipboardFailure, _ drop: WaylandClipboardDrop) {
        let read = reads.remove(at: index)
        close(read.descriptor)
        guard let id = read.id else { return tellSecret() }
        count(drop)
        mailbox.tell(.content(id, .failure(failure)))
    }

    /// Cancels all reads, as the clipboard's content has changed.
    func cancelReads() {
        let cancelled = reads
        reads = []
        for read in cancelled {
            close(read.descriptor)
            guard let id = read.id else { continue }
            count(.readGone)
            mailbox.tell(.content(id, .failure(.gone)))
        }
    }

    func endOverdueReads(_ now: Instant) {
        while let index = reads.firstIndex(where: { $0.overdue(options) <= now }) {
            end(index, .timedOut, .readTimedOut)
        }
    }
}
