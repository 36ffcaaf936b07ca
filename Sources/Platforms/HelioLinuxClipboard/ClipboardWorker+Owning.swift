import CXCB
import Glibc
import HelioCore
import HelioGround

// Offers the other machine's content to the programs on this machine.

extension ClipboardWorker {
    /// The maximum number of targets in a MULTIPLE request.
    private static let mostParts = 16

    func begin(_ entries: [ClipboardEntry]) {
        guard !entries.isEmpty else { return letGo() }
        nextOffer = entries
        // This program needs a timestamp of the server to own a selection: the PropertyNotify event for this change has
        // one.
        xcb_change_property(
            x.raw, UInt8(XCB_PROP_MODE_APPEND.rawValue), x.window, x.atoms.time, XCB_ATOM_INTEGER.rawValue, 32, 0, nil)
    }

    func own(at time: xcb_timestamp_t) {
        guard let entries = nextOffer else { return }
        nextOffer = nil
        xcb_set_selection_owner(x.raw, x.window, x.atoms.selection, time)
        guard x.owner == x.window else { return mailbox.count(.offerLost) }
        isLettingGo = false
        ownEventsDue += 1
        // The program on this machine that owned the selection has lost it, and no event will report that.
        serial += 1
        readable = [:]
        lookAt = nil
        cancelReads()
        offer = (entries, time)
    }

    func letGo() {
        nextOffer = nil
        guard let offer else { return }
        self.offer = nil
        isLettingGo = true
        // The request has the offer's time, so the server ignores it if another program has taken the selection since
        // then.
        xcb_set_selection_owner(x.raw, 0, x.atoms.selection, offer.since)
    }

    // MARK: Requests

    func requested(_ event: xcb_selection_request_event_t) {
        guard let offer, event.selection == x.atoms.selection, event.requestor != reads.first?.window else {
            return refuse(event, .pasteUnknown)
        }
        guard event.time == 0 || Int32(bitPattern: event.time &- offer.since) >= 0 else {
            return refuse(event, .pasteTooOld)
        }
        guard requests.count < options.requests else { return refuse(event, .pasteBusy) }
        var request = SelectionRequest(
            event: event, isMultiple: event.target == x.atoms.multiple, parts: [], lastProgress: MonotonicClock.now)
        if request.isMultiple {
            guard let pairs = pairs(of: event) else { return refuse(event, .pasteUnknown) }
            request.parts = pairs.map { begin($0.target, $0.property, event.requestor, offer) }
        } else {
            // Obsolete programs pass no property; ICCCM then uses the target as the property.
            let property = event.property == 0 ? event.target : event.property
            request.parts = [begin(event.target, property, event.requestor, offer)]
        }
        if request.parts.contains(where: \.isWaiting) { watch(event.requestor, true) }
        requests.append(request)
        settle(requests.count - 1)
    }

    private func refuse(_ event: xcb_selection_request_event_t, _ drop: X11ClipboardDrop) {
        mailbox.count(drop)
        x.notify(event, property: 0)
    }

    /// Returns the targets of a MULTIPLE request with the properties for their content; `nil` if the list is missing,
    /// malformed or too long.
    private func pairs(
        of event: xcb_selection_request_event_t
    ) -> [(target: xcb_atom_t, property: xcb_atom_t)]? {
        guard event.property != 0, let property = x.describe(event.property, of: event.requestor),
            property.format == 32, property.size > 0, property.size <= Self.mostParts * 8, property.size % 8 == 0,
            let bytes = x.take(event.property, of: event.requestor, size: property.size)
        else { return nil }
        let words = ClipboardConnection.words(bytes)
        return stride(from: 0, to: words.count - 1, by: 2).map { (words[$0], words[$0 + 1]) }
    }

    /// Answers a target immediately, or requests its content from the other machine.
    private func begin(
        _ target: xcb_atom_t, _ property: xcb_atom_t, _ requestor: xcb_window_t,
        _ offer: (entries: [ClipboardEntry], since: xcb_timestamp_t)
    ) -> SelectionRequest.Part {
        var part = SelectionRequest.Part(target: target, property: property, state: .refused)
        switch target {
        case _ where property == 0: break
        case x.atoms.targets:
            let own = [x.atoms.targets, x.atoms.timestamp, x.atoms.multiple]
            x.put(
                own + offer.entries.flatMap { x.atoms.answered($0.format) }, XCB_ATOM_ATOM.rawValue, to: property,
                of: requestor)
            part.state = .done
        case x.atoms.timestamp:
            x.put([offer.since], XCB_ATOM_INTEGER.rawValue, to: property, of: requestor)
            part.state = .done
        default:
            if let format = x.atoms.format(of: target), offer.entries.contains(where: { $0.format == format }) {
                part.state = .waiting(ask(format))
            }
        }
        if case .refused = part.state { mailbox.count(.pasteUnknown) }
        return part
    }

    private func ask(_ format: ClipboardFormat) -> PasteID {
        let id = PasteID(nextPaste)
        nextPaste += 1
        pastes[id] = (format, MonotonicClock.now + options.contentPatience)
        mailbox.tell(.wanted(id, format))
        return id
    }

    func provide(_ paste: PasteID, _ content: Result<[UInt8], ClipboardFailure>) {
        guard pastes.removeValue(forKey: paste) != nil else { return mailbox.count(.unwantedContent) }
        for index in requests.indices.reversed() {
            for number in requests[index].parts.indices {
                guard case .waiting(paste) = requests[index].parts[number].state else { continue }
                fill(index, number, content)
                return settle(index)
            }
        }
    }

    /// Writes content to the requestor's property, or starts an INCR transfer if it is too long for one request.
    private func fill(_ index: Int, _ number: Int, _ content: Result<[UInt8], ClipboardFailure>) {
        let (requestor, part) = (requests[index].event.requestor, requests[index].parts[number])
        guard case .success(var bytes) = content else {
            mailbox.count(.pasteFailed)
            requests[index].parts[number].state = .refused
            return
        }
        if part.target == x.atoms.latin1 { bytes = ClipboardEncoding.latin1(utf8: bytes) }
        mailbox.count {
            $0.pastes += 1
            $0.bytesPasted += bytes.count
        }
        requests[index].lastProgress = MonotonicClock.now
        if bytes.count <= pieceSize {
            x.put(bytes[...], type(of: part.target), to: part.property, of: requestor)
            requests[index].parts[number].state = .done
        } else {
            x.put([UInt32(clamping: bytes.count)], x.atoms.incr, to: part.property, of: requestor)
            requests[index].parts[number].state = .pieces(bytes, written: 0)
        }
    }

    private var pieceSize: Int { min(options.pieceSize, x.mostPropertyBytes) }

    /// Returns the property type of the answer to a target.
    private func type(of target: xcb_atom_t) -> xcb_atom_t { target == x.atoms.anyText ? x.atoms.utf8String : target }

    /// Handles the deletion of a property, which acknowledges a chunk of an INCR transfer (ICCCM): writes the next
    /// chunk. An empty chunk marks the end.
    func pieceWasTaken(_ window: xcb_window_t, _ property: xcb_atom_t) {
        for index in requests.indices where requests[index].event.requestor == window {
            for number in requests[index].parts.indices {
                let part = requests[index].parts[number]
                guard part.property == property, case .pieces(let bytes, let written) = part.state,
                    requests[index].isAnswered
                else { continue }
                let end = min(bytes.count, written + pieceSize)
                x.put(bytes[written..<end], type(of: part.target), to: property, of: window)
                requests[index].lastProgress = MonotonicClock.now
                requests[index].parts[number].state = written == bytes.count ? .done : .pieces(bytes, written: end)
                return settle(index)
            }
        }
    }

    /// Sends the answer to a request once the content of all its targets is ready, and removes the request if it is
    /// complete.
    private func settle(_ index: Int) {
        let request = requests[index]
        if !request.isAnswered, !request.parts.contains(where: \.isWaiting) {
            requests[index].isAnswered = true
            answer(request)
        }
        guard requests[index].isAnswered, requests[index].parts.allSatisfy(\.isOver) else { return }
        requests.remove(at: index)
        let requestor = request.event.requestor
        if !requests.contains(where: { $0.event.requestor == requestor }) { watch(requestor, false) }
    }

    private func answer(_ request: SelectionRequest) {
        let event = request.event
        guard request.isMultiple else {
            guard let part = request.parts.first else { return }
            if case .refused = part.state { return x.notify(event, property: 0) }
            return x.notify(event, property: part.property)
        }
        // A refused target has the property 0 in the list.
        let pairs = request.parts.flatMap { part in
            if case .refused = part.state { [part.target, 0] } else { [part.target, part.property] }
        }
        x.put(pairs, x.atoms.atomPair, to: event.property, of: event.requestor)
        x.notify(event, property: event.property)
    }

    /// Subscribes to events about the destruction of a requestor's window and changes of its properties, or
    /// unsubscribes.
    private func watch(_ requestor: xcb_window_t, _ isWatched: Bool) {
        let mask = XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue
        xcb_change_window_attributes(x.raw, requestor, XCB_CW_EVENT_MASK.rawValue, [isWatched ? mask : 0])
    }

    // MARK: Ends and time-outs

    func requestorVanished(_ window: xcb_window_t) {
        drop(.requestorGone) { $0.event.requestor == window }
    }

    private func drop(_ reason: X11ClipboardDrop, where isOver: (SelectionRequest) -> Bool) {
        for request in requests where isOver(request) {
            mailbox.count(reason)
            for case .waiting(let paste) in request.parts.map(\.state) {
                pastes[paste] = nil
                mailbox.tell(.unwanted(paste))
            }
        }
        requests.removeAll(where: isOver)
    }

    /// Returns the time by which the program must have acknowledged the last chunk; `nil` before the request is
    /// answered.
    func overdue(_ request: SelectionRequest) -> Instant? {
        request.isAnswered ? request.lastProgress + options.requestorPatience : nil
    }

    func endOverdueRequests(_ now: Instant) {
        for (paste, waited) in pastes where waited.until <= now {
            mailbox.count(.pasteTimedOut)
            mailbox.tell(.unwanted(paste))
            provide(paste, .failure(.timedOut))
        }
        drop(.requestorStopped) { overdue($0).map { $0 <= now } ?? false }
    }
}
