import HelioCore

extension ServerFrame {
    /// Writes the frame. The caller keeps to `RendezvousLimits`.
    package func serialised() -> [UInt8] {
        var bytes: [UInt8] = []
        switch self {
        case .challenge(let version, let nonce):
            precondition(nonce.count == RendezvousLimits.nonce, "a nonce has 32 bytes")
            bytes = [Kind.challenge.rawValue, version] + nonce
        case .registered(let device): bytes = [Kind.registered.rawValue] + device.bytes
        case .rung(let call, let tag, let address):
            bytes.begin(.rung, call)
            bytes += tag.bytes
            bytes.append(text: address, limit: RendezvousLimits.address)
        case .ringing(let call): bytes.begin(.ringing, call)
        case .presence(let device, let state, let seconds):
            bytes = [Kind.presence.rawValue] + device.bytes + [state.rawValue]
            bytes.append(bigEndian: seconds)
        case .turn(let call, let entries, let seconds):
            precondition(entries.count <= RendezvousLimits.turnEntries, "too many TURN servers for a frame")
            bytes.begin(.turn, call)
            bytes.append(bigEndian: seconds)
            bytes.append(UInt8(entries.count))
            for entry in entries { entry.append(to: &bytes) }
        case .message(let call, let content):
            precondition(content.count <= RendezvousLimits.message, "a message is too long for a frame")
            bytes.append(Kind.message.rawValue)
            bytes.append(content, of: call)
        case .data(let call, let content):
            precondition(content.count <= RendezvousLimits.data, "a datagram is too long for a frame")
            bytes.append(Kind.data.rawValue)
            bytes.append(content, of: call)
        case .hungUp(let call, let reason):
            bytes.begin(.hungUp, call)
            bytes.append(reason.rawValue)
        case .draining(let seconds):
            bytes.append(Kind.draining.rawValue)
            bytes.append(bigEndian: seconds)
        case .refused(let reason): bytes = [Kind.refused.rawValue, reason.rawValue]
        }
        return bytes
    }
}

extension [UInt8] {
    /// Appends the beginning of a frame about a call.
    fileprivate mutating func begin(_ kind: ServerFrame.Kind, _ call: CallNumber) {
        append(kind.rawValue)
        append(bigEndian: call.value)
    }
}
