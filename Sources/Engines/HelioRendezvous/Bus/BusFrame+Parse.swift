internal import HelioCore
internal import HelioRendezvousWire

extension BusFrame {
    /// Parses a frame and its sender; `nil` if the bytes are none.
    static func parse(_ bytes: RawSpan) -> (sender: InstanceID, frame: BusFrame)? {
        guard bytes.uint8(at: 0) == version, let kind = bytes.uint8(at: 1).flatMap(Kind.init),
            let sender = bytes.bytes(at: 2, count: InstanceID.length).flatMap({ InstanceID($0) })
        else { return nil }
        let start = 2 + InstanceID.length
        let frame: BusFrame?
        switch kind {
        case .alive: frame = bytes.onlyNumber(at: start).map { .alive(number: $0) }
        case .complete: frame = bytes.onlyNumber(at: start).map { .complete(number: $0) }
        case .ask: frame = bytes.byteCount == start ? .ask : nil
        case .leave: frame = bytes.byteCount == start ? .leave : nil
        case .record: frame = record(bytes, start)
        case .ring: frame = ring(bytes, start)
        case .reached, .message, .data, .hangUp: frame = ofCall(kind, bytes, start)
        }
        return frame.map { (sender, $0) }
    }

    private static func record(_ bytes: RawSpan, _ start: Int) -> BusFrame? {
        guard let number = bytes.uint64(at: start),
            let device = bytes.bytes(at: start + 8, count: RendezvousID.length).flatMap({ RendezvousID($0) }),
            let epoch = bytes.uint64(at: start + 24), epoch <= DeviceRecord.mostEpoch,
            let online = bytes.uint8(at: start + 32), online <= 1,
            let seconds = bytes.uint32(at: start + 33), let count = bytes.uint8(at: start + 37),
            count <= RendezvousLimits.permits, bytes.byteCount == start + 38 + Int(count) * 20
        else { return nil }
        var permits: [Permit] = []
        for index in 0..<Int(count) {
            let at = start + 38 + index * 20
            guard let tag = bytes.bytes(at: at, count: RingTag.length).flatMap({ RingTag($0) }),
                let left = bytes.uint32(at: at + RingTag.length)
            else { return nil }
            permits.append(Permit(tag: tag, seconds: left))
        }
        return .record(
            number: number,
            DeviceRecord(device: device, epoch: epoch, isOnline: online == 1, secondsAgo: seconds, permits: permits))
    }

    private static func ring(_ bytes: RawSpan, _ start: Int) -> BusFrame? {
        guard let call = bytes.uint64(at: start),
            let device = bytes.bytes(at: start + 8, count: RendezvousID.length).flatMap({ RendezvousID($0) }),
            let tag = bytes.bytes(at: start + 24, count: RingTag.length).flatMap({ RingTag($0) }),
            let length = bytes.uint8(at: start + 40), length <= RendezvousLimits.address,
            bytes.byteCount == start + 41 + Int(length), let text = bytes.bytes(at: start + 41, count: Int(length)),
            let address = String(validating: text, as: UTF8.self)
        else { return nil }
        return .ring(call: call, device, tag, address: address)
    }

    private static func ofCall(_ kind: Kind, _ bytes: RawSpan, _ start: Int) -> BusFrame? {
        guard let call = bytes.uint64(at: start),
            let rest = bytes.bytes(at: start + 8, count: bytes.byteCount - start - 8)
        else { return nil }
        switch kind {
        case .reached: return bytes.onlyNumber(at: start + 8).map { .reached(call: call, as: $0) }
        case .message: return rest.count <= RendezvousLimits.message ? .message(call: call, rest) : nil
        case .data: return rest.count <= RendezvousLimits.data ? .data(call: call, rest) : nil
        case .hangUp:
            guard rest.count == 1, let reason = HangUpReason(rawValue: rest[0]) else { return nil }
            return .hangUp(call: call, reason)
        case .alive, .ask, .record, .complete, .leave, .ring: return nil
        }
    }
}

extension RawSpan {
    /// Reads a number of eight bytes with which the frame ends.
    fileprivate func onlyNumber(at offset: Int) -> UInt64? { byteCount == offset + 8 ? uint64(at: offset) : nil }
}
