/// The reasons for dropping a transport packet.
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
