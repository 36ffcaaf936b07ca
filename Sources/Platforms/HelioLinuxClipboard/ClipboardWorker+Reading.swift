import CXCB
import Glibc
import HelioCore
import HelioGround

// Reads content that other programs on this machine have copied: the formats at each change, the content itself only
// when the user pastes on the other machine.

extension ClipboardWorker {
    /// The maximum size of a list of targets, in bytes.
    private static let mostTargets = 64 * 1024
    private static let mostHint = 64

    func ownerChanged(to owner: xcb_window_t, at time: xcb_timestamp_t) {
        // Don't report changes by this program itself.
        if owner == x.window {
            ownEventsDue = max(0, ownEventsDue - 1)
            return
        }
        if ownEventsDue > 0 { return }
        if owner == 0, isLettingGo {
            isLettingGo = false
            return
        }
        isLettingGo = false
        offer = nil
        serial += 1
        copiedAt = time
        readable = [:]
        found = []
        cancelReads()
        let now = MonotonicClock.now
        lookAt = max(now, nextLook)
        // A selection without an owner has no formats to request.
        if owner == 0 {
            lookAt = nil
            tellChange([])
        } else {
            lookIfDue(now)
        }
    }

    private func tellChange(_ entries: [ClipboardEntry]) {
        mailbox.count { $0.changes += 1 }
        mailbox.tell(.changed(ClipboardSerial(serial), entries))
    }

    /// Requests the formats of the present copy if the time `lookAt` has come.
    func lookIfDue(_ now: Instant) {
        guard let lookAt, lookAt <= now else { return }
        self.lookAt = nil
        nextLook = now + options.lookInterval
        ask(.targets, target: x.atoms.targets, limit: Self.mostTargets)
    }

    func read(_ format: ClipboardFormat, _ wanted: ClipboardSerial, limit: Int, _ id: ClipboardReadID) {
        guard wanted.rawValue == serial, let target = readable[format] else {
            mailbox.count(.readGone)
            return mailbox.tell(.content(id, .failure(.gone)))
        }
        guard reads.count < options.requests else {
            mailbox.count(.readBusy)
            return mailbox.tell(.content(id, .failure(.busy)))
        }
        ask(.content(id, format), target: target, limit: limit)
    }

    private func ask(_ purpose: SelectionRead.Purpose, target: xcb_atom_t, limit: Int) {
        reads.append(SelectionRead(purpose, target: target, limit: limit))
        askNext()
    }

    private func askNext() {
        guard let read = reads.first, read.window == nil else { return }
        let window = x.makeWindow()
        reads[0].begin(window, now: MonotonicClock.now)
        xcb_convert_selection(x.raw, window, x.atoms.selection, read.target, x.atoms.transfer, copiedAt)
    }

    /// Handles SelectionNotify, the answer to the current read: the complete content, the start of an INCR transfer, or
    /// a refusal.
    func answered(_ window: xcb_window_t, hasContent: Bool) {
        guard let read = reads.first, read.window == window else { return forget(window) }
        guard !read.isIncremental else { return }
        guard hasContent, let property = x.describe(x.atoms.transfer, of: window) else {
            return end(.failed, .readRefused)
        }
        guard property.type == x.atoms.incr else {
            guard takePiece(window, property.size) else { return }
            return finish()
        }
        let least = x.peek(x.atoms.transfer, of: window) ?? 0
        guard Int(least) <= read.limit else { return end(.tooLarge, .readTooLarge) }
        reads[0].isIncremental = true
        reads[0].lastProgress = MonotonicClock.now
        // Deleting the property requests the first chunk.
        xcb_delete_property(x.raw, window, x.atoms.transfer)
    }

    /// Handles the next chunk of an INCR transfer; an empty chunk is the last.
    func pieceCame() {
        guard let read = reads.first, let window = read.window, read.isIncremental else { return }
        // The event may be late, and its chunk already read.
        guard let property = x.describe(x.atoms.transfer, of: window) else { return }
        guard takePiece(window, property.size) else { return }
        if property.size == 0 { finish() }
    }

    /// Reads and appends the property's content, a chunk in an INCR transfer. Ends the read and returns false if the
    /// content exceeds the limit or can't be read.
    private func takePiece(_ window: xcb_window_t, _ size: Int) -> Bool {
        guard reads[0].bytes.count + size <= reads[0].limit else {
            end(.tooLarge, .readTooLarge)
            return false
        }
        guard let piece = x.take(x.atoms.transfer, of: window, size: size) else {
            end(.failed, .readRefused)
            return false
        }
        reads[0].bytes += piece
        reads[0].lastProgress = MonotonicClock.now
        return true
    }

    /// Completes the current read, reports its result, and starts the next read.
    private func finish() {
        let read = reads.removeFirst()
        if let window = read.window { xcb_destroy_window(x.raw, window) }
        switch read.purpose {
        case .targets: foundTargets(Set(ClipboardConnection.words(read.bytes)))
        case .passwordHint:
            let isSecret = String(decoding: read.bytes.filter { $0 != 0 }, as: UTF8.self) == "secret"
            if isSecret { mailbox.count(.secret) }
            report(isSecret ? [] : found)
        case .content(let id, let format):
            var bytes = read.bytes
            if read.target == x.atoms.latin1 { bytes = ClipboardEncoding.utf8(latin1: bytes) }
            if format == .html { bytes = ClipboardEncoding.html(bytes) }
            if bytes.count <= read.limit {
                mailbox.count {
                    $0.reads += 1
                    $0.bytesRead += bytes.count
                }
                mailbox.tell(.content(id, .success(bytes)))
            } else {
                mailbox.count(.readTooLarge)
                mailbox.tell(.content(id, .failure(.tooLarge)))
            }
        }
        askNext()
    }

    private func foundTargets(_ targets: Set<xcb_atom_t>) {
        for format in ClipboardFormat.allCases {
            guard let target = x.atoms.targets(of: format).first(where: targets.contains) else { continue }
            readable[format] = target
            found.append(ClipboardEntry(format))
        }
        if targets.contains(x.atoms.passwordHint) {
            ask(.passwordHint, target: x.atoms.passwordHint, limit: Self.mostHint)
        } else {
            tellChange(found)
        }
    }

    private func report(_ entries: [ClipboardEntry]) {
        if entries.isEmpty { readable = [:] }
        tellChange(entries)
    }

    /// Ends the current read with a failure, reports it, and starts the next read.
    private func end(_ failure: ClipboardFailure, _ drop: X11ClipboardDrop) {
        let read = reads.removeFirst()
        if let window = read.window { abandon(window) }
        switch read.purpose {
        case .content(let id, _):
            mailbox.count(drop)
            mailbox.tell(.content(id, .failure(failure)))
        case .targets:
            mailbox.count(.targetsMissing)
            report([])
        case .passwordHint:
            // The password manager's mark can't be read, so treat the copy as secret.
            mailbox.count(.secret)
            report([])
        }
        askNext()
    }

    /// Cancels all reads, as the clipboard's content has changed.
    func cancelReads() {
        if let window = reads.first?.window { abandon(window) }
        let cancelled = reads
        reads = []
        for case .content(let id, _) in cancelled.map(\.purpose) {
            mailbox.count(.readGone)
            mailbox.tell(.content(id, .failure(.gone)))
        }
    }

    private func abandon(_ window: xcb_window_t) {
        abandoned.append((window, MonotonicClock.now + options.abandonedTime))
        if abandoned.count > options.abandoned { xcb_destroy_window(x.raw, abandoned.removeFirst().window) }
    }

    /// Handles the answer to a cancelled read: destroys its window, unless an INCR transfer follows.
    private func forget(_ window: xcb_window_t) {
        guard let index = abandoned.firstIndex(where: { $0.window == window }),
            x.describe(x.atoms.transfer, of: window)?.type != x.atoms.incr
        else { return }
        abandoned.remove(at: index)
        xcb_destroy_window(x.raw, window)
    }

    func overdue(_ read: SelectionRead) -> Instant {
        min(read.lastProgress + options.readPatience, read.begun + options.readLimit)
    }

    func endOverdueReads(_ now: Instant) {
        while let oldest = abandoned.first, oldest.until <= now {
            abandoned.removeFirst()
            xcb_destroy_window(x.raw, oldest.window)
        }
        guard let read = reads.first, overdue(read) <= now else { return }
        // A program that does not answer one request will not answer further ones, so all queued reads time out.
        let waiting = reads.dropFirst()
        reads.removeLast(waiting.count)
        end(.timedOut, .readTimedOut)
        for case .content(let id, _) in waiting.map(\.purpose) {
            mailbox.count(.readTimedOut)
            mailbox.tell(.content(id, .failure(.timedOut)))
        }
    }
}
