import HelioCore

extension RelayMessage {
    /// Reads a payload, whose length the caller has checked against the kind.
    init(_ kind: RelayKind, _ payload: RawSpan) throws(RelayWireError) {
        switch kind {
        case .nalUnit:
            guard payload.uint32(at: 0) == 1, let bytes = payload.bytes(at: 0, count: payload.byteCount) else {
                throw .malformed
            }
            self = .nalUnit(bytes)
        case .hello: self = .hello(version: try Self.byte(payload))
        case .welcome: self = .welcome(version: try Self.byte(payload))
        case .format:
            guard let format = RelayFormat(payload) else { throw .malformed }
            self = .format(format)
        case .pictureBegins:
            guard let flags = payload.uint8(at: 1), flags < 2, let time = payload.uint64(at: 2) else {
                throw .malformed
            }
            self = .pictureBegins(
                captured: Instant(nanoseconds: Int64(bitPattern: time)), isKeyframe: flags == 1)
        case .pictureEnds: self = .pictureEnds
        case .appSound, .microphone:
            guard let sound = RelaySound(payload, origin: kind == .appSound ? .system : .microphone) else {
                throw .malformed
            }
            self = .sound(sound)
        case .end:
            guard let reason = RelayEndReason(rawValue: try Self.byte(payload)) else { throw .malformed }
            self = .end(reason)
        case .wish:
            guard let wish = RelayWish(payload) else { throw .malformed }
            self = .wish(wish)
        case .keyframeRequest: self = .keyframeRequest
        case .heartbeat: self = .heartbeat
        }
    }

    private static func byte(_ payload: RawSpan) throws(RelayWireError) -> UInt8 {
        guard let byte = payload.uint8(at: 1) else { throw .malformed }
        return byte
    }
}
