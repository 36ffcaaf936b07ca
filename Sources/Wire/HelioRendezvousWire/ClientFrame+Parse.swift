extension ClientFrame {
    package static func parse(_ bytes: RawSpan) throws(RendezvousWireError) -> Self {
        var offset = FrameOffset()
        guard let kind = Kind(rawValue: try bytes.take8(&offset)) else { throw .unknownKind }
        let frame = try fields(of: kind, bytes, &offset)
        try bytes.end(offset)
        return frame
    }

    private static func fields(
        of kind: Kind, _ bytes: RawSpan, _ offset: inout FrameOffset
    ) throws(RendezvousWireError) -> Self {
        switch kind {
        case .register:
            let key = try bytes.take(RendezvousLimits.publicKey, &offset)
            return .register(publicKey: key, signature: try bytes.take(RendezvousLimits.signature, &offset))
        case .permit:
            let count = try bytes.takeCount(limit: RendezvousLimits.permits, &offset)
            var permits: [Permit] = []
            for _ in 0..<count { permits.append(try Permit(bytes, &offset)) }
            return .permit(permits)
        case .ring:
            let call = try CallNumber(bytes, &offset)
            let device = try RendezvousID(bytes, &offset)
            return .ring(call, device, try RingToken(bytes, &offset))
        case .watch:
            let device = try RendezvousID(bytes, &offset)
            return .watch(device, try RingToken(bytes, &offset))
        case .message:
            let call = try CallNumber(bytes, &offset)
            return .message(call, try bytes.takeRest(limit: RendezvousLimits.message, &offset))
        case .data:
            let call = try CallNumber(bytes, &offset)
            return .data(call, try bytes.takeRest(limit: RendezvousLimits.data, &offset))
        case .hangUp:
            let call = try CallNumber(bytes, &offset)
            return .hangUp(call, try bytes.takeCase(HangUpReason.self, &offset))
        }
    }
}
