import HelioRendezvousWire

/// One frame of each type, and of each at its limits.
enum Examples {
    static let device = RendezvousID(bytes(16, from: 1))!
    static let token = RingToken(bytes(16, from: 33))!
    static let tag = RingTag(bytes(16, from: 65))!
    static let call = CallNumber(0x0102_0304)

    static func bytes(_ count: Int, from first: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: first + $0) }
    }

    private static let many = (0..<128).map { Permit(tag: RingTag(bytes(16, from: $0))!, seconds: UInt32($0)) }
    private static let long = TURNEntry(
        url: String(repeating: "u", count: 255), username: String(repeating: "n", count: 255),
        credential: String(repeating: "c", count: 255))
    private static let short = TURNEntry(url: "turn:t.example:3478", username: "1:é", credential: "")

    static let client: [ClientFrame] =
        [
            .register(publicKey: bytes(32, from: 3), signature: bytes(64, from: 5)), .permit([]),
            .permit([Permit(tag: tag, seconds: 0), Permit(tag: tag, seconds: .max)]), .permit(many),
            .ring(call, device, token), .watch(device, token), .message(call, []), .message(call, [1, 2, 3]),
            .data(call, bytes(2_048, from: 9)), .data(call, []),
        ] + HangUpReason.allCases.map { .hangUp(call, $0) }

    static let server: [ServerFrame] =
        [
            .challenge(version: 1, nonce: bytes(32, from: 7)), .registered(device), .rung(call, tag, address: ""),
            .rung(call, tag, address: String(repeating: "f", count: 64)), .ringing(call), .turn(call, [], seconds: 0),
            .turn(call, [short], seconds: 86_400), .turn(call, [TURNEntry](repeating: long, count: 8), seconds: .max),
            .message(call, []), .message(call, [4, 5]), .data(call, bytes(2_048, from: 11)), .data(call, [0]),
            .draining(seconds: 30),
        ] + PresenceState.allCases.map { .presence(device, $0, secondsAgo: 0x0A0B_0C0D) }
        + HangUpReason.allCases.map { .hungUp(call, $0) } + RefusalReason.allCases.map { .refused($0) }
}
