import Glibc
import HelioCore
import HelioDBusWire
import HelioDesktop
import HelioGround

// Content of a desktop's clipboard, both ways through pipes.

/// A read that has not begun, as another goes on.
struct WaitingRead {
    let id: ClipboardReadID
    let type: String
    let format: ClipboardFormat
    let limit: Int
    /// The time by which the desktop must have let it begin.
    let until: Instant
}

extension SessionClipboardWorker {
    /// The most bytes that are read at a time.
    private static let piece = 64 * 1024

    // MARK: Reading what programs on this machine have copied

    func read(_ format: ClipboardFormat, _ wanted: ClipboardSerial, limit: Int, _ id: ClipboardReadID) {
        guard wanted.rawValue == serial, let type = readable[format] else {
            count(.readGone)
            return mailbox.tell(.content(id, .failure(.gone)))
        }
        guard waiting.count < options.requests else {
            count(.readBusy)
            return mailbox.tell(.content(id, .failure(.busy)))
        }
        waiting.append(
            WaitingRead(
                id: id, type: type, format: format, limit: limit, until: MonotonicClock.now + options.readPatience))
        beginReadIfDue(MonotonicClock.now)
    }

    /// Begins the next read if none goes on: the desktop lets a program read one content at a time, and may take a
    /// moment to notice that the last one has ended.
    func beginReadIfDue(_ now: Instant) {
        while reads.isEmpty, let next = waiting.first, nextTry <= now {
            do throws(BusFailure) {
                let answer = try port.bus.call(
                    port.message("SelectionRead", [.string(next.type)]), within: Self.patience)
                let descriptor = try answer.takeDescriptor(0)
                _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
                reads.append(
                    PipeRead(
                        id: next.id, format: next.format, limit: next.limit, descriptor: descriptor, begun: now,
                        lastProgress: now))
            } catch {
                if error.name == "org.freedesktop.DBus.Error.LimitsExceeded", now < next.until {
                    nextTry = now + .milliseconds(20)
                    return
                }
                count(.readRefused)
                mailbox.tell(.content(next.id, .failure(.failed)))
            }
            waiting.removeFirst()
        }
    }

    func takePiece(of descriptor: Int32) {
        guard let index = reads.firstIndex(where: { $0.descriptor == descriptor }) else { return }
        let count = withUnsafeTemporaryAllocation(byteCount: Self.piece, alignment: 1) { buffer in
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count > 0 { reads[index].bytes += buffer.prefix(count) }
            return count
        }
        if count < 0 {
            if errno == EAGAIN || errno == EINTR { return }
            self.count(.readRefused)
            return end(index, .failure(.failed))
        }
        reads[index].lastProgress = MonotonicClock.now
        if reads[index].bytes.count > reads[index].limit {
            self.count(.readTooLarge)
            return end(index, .failure(.tooLarge))
        }
        guard count == 0 else { return }
        var bytes = reads[index].bytes
        if reads[index].format == .html { bytes = ClipboardEncoding.html(bytes) }
        mailbox.count {
            $0.reads += 1
            $0.bytesRead += bytes.count
        }
        end(index, .success(bytes))
    }

    func endOverdueReads(_ now: Instant) {
        while let index = reads.firstIndex(where: { $0.overdue(options) <= now }) {
            count(.readTimedOut)
            end(index, .failure(.timedOut))
        }
    }

    private func end(_ index: Int, _ content: Result<[UInt8], ClipboardFailure>) {
        let read = reads.remove(at: index)
        close(read.descriptor)
        if let id = read.id { mailbox.tell(.content(id, content)) }
    }

    // MARK: Offering what the other machine has copied

    /// Puts an offer on the clipboard, or takes the last one off.
    func offer(_ entries: [ClipboardEntry]) {
        if entries.isEmpty, offered.isEmpty { return }
        offered = entries.map(\.format)
        let types = offered.flatMap { DataControlWorker.types(of: $0) }
        port.bus.post(
            port.message("SetSelection", [.options(types.isEmpty ? [:] : [port.typesName: .strings(types)])]))
        guard !entries.isEmpty else { return }
        // The offer replaces the copy of a program on this machine.
        serial += 1
        readable = [:]
    }

    /// Handles a paste by a program on this machine.
    func requested(_ type: String, _ number: UInt32) {
        guard let format = offered.first(where: { DataControlWorker.types(of: $0).contains(type) }) else {
            count(.pasteUnknown)
            return finish(number, isWhole: false)
        }
        guard pastes.count < options.requests, !pastes.contains(where: { $0.id.rawValue == UInt64(number) }) else {
            count(.pasteBusy)
            return finish(number, isWhole: false)
        }
        let id = PasteID(UInt64(number))
        // The pipe is asked for when there is content for it.
        pastes.append(
            PipePaste(id: id, format: format, descriptor: -1, until: MonotonicClock.now + options.contentPatience))
        mailbox.tell(.wanted(id, format))
    }

    func provide(_ id: PasteID, _ content: Result<[UInt8], ClipboardFailure>) {
        guard let index = pastes.firstIndex(where: { $0.id == id && $0.content == nil }) else {
            return count(.unwantedContent)
        }
        guard case .success(let bytes) = content else {
            count(.pasteFailed)
            return remove(index, isWhole: false)
        }
        let descriptor: Int32
        do throws(BusFailure) {
            descriptor = try port.bus.call(
                port.message("SelectionWrite", [.uint32(UInt32(truncatingIfNeeded: id.rawValue))]),
                within: Self.patience
            ).takeDescriptor(0)
        } catch {
            count(.requestorGone)
            return remove(index, isWhole: false)
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        mailbox.count {
            $0.pastes += 1
            $0.bytesPasted += bytes.count
        }
        let paste = pastes[index]
        pastes[index] = PipePaste(
            id: id, format: paste.format, descriptor: descriptor, until: MonotonicClock.now + options.requestorPatience,
            content: bytes)
        givePiece(to: id)
    }

    /// Writes as much of the content as the program's pipe takes.
    func givePiece(to id: PasteID) {
        guard let index = pastes.firstIndex(where: { $0.id == id }), let content = pastes[index].content else { return }
        switch pastes[index].write(content, patience: options.requestorPatience) {
        case .underWay: break
        case .complete: remove(index, isWhole: true)
        case .broken:
            count(.requestorGone)
            remove(index, isWhole: false)
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
            remove(index, isWhole: false)
        }
    }

    private func remove(_ index: Int, isWhole: Bool) {
        let paste = pastes.remove(at: index)
        if paste.descriptor >= 0 { close(paste.descriptor) }
        finish(UInt32(truncatingIfNeeded: paste.id.rawValue), isWhole: isWhole)
    }

    /// Tells the desktop that a paste has ended.
    func finish(_ number: UInt32, isWhole: Bool) {
        port.bus.post(port.message("SelectionWriteDone", [.uint32(number), .bool(isWhole)]))
    }
}
