/// The reason why a transport packet is dropped.
enum TransportPacketError: Error {
    case broken
    case scrambled
    case malformed

    var fault: TransportStreamFault {
        switch self {
        case .broken: .transportError
        case .scrambled: .scrambled
        case .malformed: .malformedPacket
        }
    }
}
