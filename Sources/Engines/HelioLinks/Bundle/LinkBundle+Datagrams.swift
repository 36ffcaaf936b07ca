import HelioCore

// Datagrams: media and control as they are, and sealed frames.

extension LinkBundle {
    // MARK: Receiving

    mutating func receive(_ bytes: [UInt8], on id: LinkID) {
        guard let index = index(of: id) else { return counted.count(.unknownLink) }
        guard bytes.count <= settings.maximumDatagram + 1 else { return counted.count(.tooLong) }
        guard let first = bytes.first, bytes.count > 1 else { return counted.count(.truncated) }
        switch FrameType(rawValue: first) {
        case .media: receive(bytes, .media, on: index)
        case .control: receive(bytes, .control, on: index)
        case .stream, .probe: open(bytes, on: index)
        case nil: counted.count(.unknownFrame)
        }
    }

    private mutating func receive(_ bytes: [UInt8], _ purpose: DatagramClass, on index: Int) {
        links[index].received += 1
        let datagram = Array(bytes[1...])
        if purpose == .control, seen.isDouble(datagram) { doubles += 1 }
        outputs.append(.received(purpose, datagram))
    }

    private mutating func open(_ frame: [UInt8], on index: Int) {
        let isProbe = frame.first == FrameType.probe.rawValue
        switch opener.open(frame) {
        case .dropped(let reason): counted.count(reason)
        case .opened(let lane, let message):
            guard links[index].accepts(lane, now: now) else { return counted.count(.wrongLink) }
            links[index].received += 1
            guard isProbe else { return receiveStream(message) }
            guard let probe = LinkProbe.parse(message.span.bytes) else { return counted.count(.badProbe) }
            handle(probe, on: index)
        }
    }

    // MARK: Sending

    mutating func send(_ bytes: [UInt8], _ purpose: DatagramClass) {
        guard bytes.count <= settings.maximumDatagram else { return counted.count(.tooLong) }
        guard !bytes.isEmpty else { return counted.count(.truncated) }
        var frame: [UInt8] = []
        frame.reserveCapacity(bytes.count + 1)
        frame.append(purpose.rawValue)
        frame.append(contentsOf: bytes)
        let index = upIndex(of: active[purpose])
        if purpose == .control {
            // A datagram that no link can carry waits for one, for as long as it is recent.
            let unsent = recent.add(frame, isSent: index != nil, now: now)
            counted.count(.noLink, unsent)
        }
        guard let index else {
            if purpose == .media { counted.count(.noLink) }
            return
        }
        carry(frame, purpose, on: index)
        guard let second = helper(of: index, for: purpose) else { return }
        if purpose == .control { doubled += 1 }
        carry(frame, purpose, on: second)
    }

    /// The index of a second link that has to carry a datagram too: while the active link's answer is late, and for
    /// control also if it loses much and another loses little.
    private func helper(of index: Int, for purpose: DatagramClass) -> Int? {
        if isLate(index) { return second(besides: index, for: purpose) }
        guard purpose == .control, links[index].loss > settings.lossyShare,
            let second = second(besides: index, for: purpose), links[second].loss < settings.cleanShare,
            !isLate(second)
        else { return nil }
        return second
    }

    /// Sends control again that may have been lost, and what waited for a link.
    mutating func repeatControl(since instant: Instant, on index: Int) {
        for frame in recent.again(since: instant, now: now) {
            doubled += 1
            carry(frame, .control, on: index)
        }
    }

    /// Sends a datagram on a link, within its width.
    private mutating func carry(_ frame: [UInt8], _ purpose: DatagramClass, on index: Int) {
        guard links[index].pacer != nil else { return transmit(frame, on: index) }
        if let reason = links[index].pacer?.add(frame, purpose) { counted.count(reason) }
    }

    mutating func transmit(_ frame: [UInt8], on index: Int) {
        links[index].sent += 1
        outputs.append(.transmit(frame, on: links[index].id))
    }

    /// The next datagram that waited for the width of its link.
    mutating func pollPaced(_ purpose: DatagramClass) -> Output? {
        for index in links.indices where links[index].pacer != nil {
            let frame = purpose == .control ? links[index].pacer?.nextControl() : links[index].pacer?.nextMedia()
            guard let frame else { continue }
            links[index].sent += 1
            return .transmit(frame, on: links[index].id)
        }
        return nil
    }
}
