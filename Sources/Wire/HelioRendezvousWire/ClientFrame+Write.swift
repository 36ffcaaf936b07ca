import HelioCore

extension ClientFrame {
    /// Writes the frame. The caller keeps to `RendezvousLimits`.
    package func serialised() -> [UInt8] {
        var bytes: [UInt8] = [kind.rawValue]
        switch self {
        case .register(let key, let signature):
            precondition(key.count == RendezvousLimits.publicKey, "a public key has 32 bytes")
            precondition(signature.count == RendezvousLimits.signature, "a signature has 64 bytes")
            bytes += key + signature
        case .permit(let permits):
            precondition(permits.count <= RendezvousLimits.permits, "too many permits for a frame")
            bytes.append(UInt8(permits.count))
            for permit in permits { permit.append(to: &bytes) }
        case .ring(let call, let device, let token):
            bytes.append(bigEndian: call.value)
            bytes += device.bytes + token.bytes
        case .watch(let device, let token):
            bytes += device.bytes + token.bytes
        case .message(let call, let content):
            precondition(content.count <= RendezvousLimits.message, "a message is too long for a frame")
            bytes.append(content, of: call)
        case .data(let call, let content):
            precondition(content.count <= RendezvousLimits.data, "a datagram is too long for a frame")
            bytes.append(content, of: call)
        case .hangUp(let call, let reason):
            bytes.append(bigEndian: call.value)
            bytes.append(reason.rawValue)
        }
        return bytes
    }

    private var kind: Kind {
        switch self {
        case .register: .register
        case .permit: .permit
        case .ring: .ring
        case .watch: .watch
        case .message: .message
        case .data: .data
        case .hangUp: .hangUp
        }
    }
}

extension [UInt8] {
    /// Appends a call's number and its content.
    mutating func append(_ content: [UInt8], of call: CallNumber) {
        reserveCapacity(count + 4 + content.count)
        append(bigEndian: call.value)
        append(contentsOf: content)
    }
}
