extension ServerFrame {
    package static func parse(_ bytes: RawSpan) throws(RendezvousWireError) -> Self {
        var offset = FrameOffset()
        guard let kind = Kind(rawValue: try bytes.take8(&offset)) else { throw .unknownKind }
        let frame =
            switch kind {
            case .challenge, .registered, .presence, .draining, .refused: try aboutServer(kind, bytes, &offset)
            case .rung, .ringing, .turn, .message, .data, .hungUp: try aboutCall(kind, bytes, &offset)
            }
        try bytes.end(offset)
        return frame
    }

    private static func aboutServer(
        _ kind: Kind, _ bytes: RawSpan, _ offset: inout FrameOffset
    ) throws(RendezvousWireError) -> Self {
        switch kind {
        case .challenge:
            let version = try bytes.take8(&offset)
            return .challenge(version: version, nonce: try bytes.take(RendezvousLimits.nonce, &offset))
        case .registered: return .registered(try RendezvousID(bytes, &offset))
        case .presence:
            let device = try RendezvousID(bytes, &offset)
            let state = try bytes.takeCase(PresenceState.self, &offset)
            return .presence(device, state, secondsAgo: try bytes.take32(&offset))
        case .draining: return .draining(seconds: try bytes.take32(&offset))
        case .refused: return .refused(try bytes.takeCase(RefusalReason.self, &offset))
        default: throw .unknownKind
        }
    }

    private static func aboutCall(
        _ kind: Kind, _ bytes: RawSpan, _ offset: inout FrameOffset
    ) throws(RendezvousWireError) -> Self {
        let call = try CallNumber(bytes, &offset)
        switch kind {
        case .rung:
            let tag = try RingTag(bytes, &offset)
            return .rung(call, tag, address: try bytes.takeText(limit: RendezvousLimits.address, &offset))
        case .ringing: return .ringing(call)
        case .turn:
            let seconds = try bytes.take32(&offset)
            let count = try bytes.takeCount(limit: RendezvousLimits.turnEntries, &offset)
            var entries: [TURNEntry] = []
            for _ in 0..<count { entries.append(try TURNEntry(bytes, &offset)) }
            return .turn(call, entries, seconds: seconds)
        case .message: return .message(call, try bytes.takeRest(limit: RendezvousLimits.message, &offset))
        case .data: return .data(call, try bytes.takeRest(limit: RendezvousLimits.data, &offset))
        case .hungUp: return .hungUp(call, try bytes.takeCase(HangUpReason.self, &offset))
        default: throw .unknownKind
        }
    }
}
