internal import HelioCore
internal import HelioRendezvousWire

extension BusFrame {
    func serialised(from sender: InstanceID) -> [UInt8] {
        var bytes: [UInt8] = [Self.version, kind.rawValue] + sender.bytes
        switch self {
        case .alive(let number), .complete(let number): bytes.append(bigEndian: number)
        case .ask, .leave: break
        case .record(let number, let record): Self.append(record, number, to: &bytes)
        case .ring(let call, let device, let tag, let address):
            bytes.append(bigEndian: call)
            bytes += device.bytes + tag.bytes
            let text = address.utf8.prefix(RendezvousLimits.address)
            bytes.append(UInt8(text.count))
            bytes += text
        case .reached(let call, let own):
            bytes.append(bigEndian: call)
            bytes.append(bigEndian: own)
        case .message(let call, let content), .data(let call, let content):
            bytes.reserveCapacity(bytes.count + 8 + content.count)
            bytes.append(bigEndian: call)
            bytes += content
        case .hangUp(let call, let reason):
            bytes.append(bigEndian: call)
            bytes.append(reason.rawValue)
        }
        return bytes
    }

    private static func append(_ record: DeviceRecord, _ number: UInt64, to bytes: inout [UInt8]) {
        bytes.append(bigEndian: number)
        bytes += record.device.bytes
        bytes.append(bigEndian: record.epoch)
        bytes.append(record.isOnline ? 1 : 0)
        bytes.append(bigEndian: record.secondsAgo)
        let permits = record.permits.prefix(RendezvousLimits.permits)
        bytes.append(UInt8(permits.count))
        for permit in permits {
            bytes += permit.tag.bytes
            bytes.append(bigEndian: permit.seconds)
        }
    }

    private var kind: Kind {
        switch self {
        case .alive: .alive
        case .ask: .ask
        case .record: .record
        case .complete: .complete
        case .leave: .leave
        case .ring: .ring
        case .reached: .reached
        case .message: .message
        case .data: .data
        case .hangUp: .hangUp
        }
    }
}
