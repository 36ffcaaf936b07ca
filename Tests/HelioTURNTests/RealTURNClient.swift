import Foundation
import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioSTUN
import HelioTURN
import HelioTestPrograms

/// The client engine on real sockets and the real clock, with a real server.
final class RealTURNClient {
    struct Late: Error, CustomStringConvertible {
        let description: String
    }

    let client: TURNClient
    private let isTCP: Bool
    private var socket: LoopbackSocket
    private let start = ContinuousClock.now
    private(set) var events: [TURNClient.Event] = []
    /// The bytes sent to the server.
    private(set) var sent: [[UInt8]] = []
    /// The error codes of the server's responses.
    private(set) var errors: [UInt16] = []
    /// Sockets that echo received datagrams to their sender.
    var echoes: [LoopbackSocket] = []
    private(set) var echoed: [(bytes: [UInt8], from: TransportAddress)] = []

    init(
        _ server: Coturn, isTCP: Bool = false, username: String? = nil, password: String? = nil, overIPv6: Bool = false,
        relayedFamily: AddressFamily = .ipv4
    ) throws {
        let ip = overIPv6 ? LoopbackSocket.loopback6 : LoopbackSocket.loopback4
        let address = TransportAddress(ip, port: server.port)
        self.isTCP = isTCP
        client = TURNClient(
            TURNServer(
                id: TURNServer.ID(rawValue: 1), address: address, isTCP: isTCP, username: username ?? server.username,
                password: SecretBytes(Array((password ?? server.password).utf8)), relayedFamily: relayedFamily),
            crypto: OpenSSLCrypto(), random: SecureGenerator())
        socket = try LoopbackSocket(ip, isTCP: isTCP)
        try connect(to: address)
    }

    private func connect(to address: TransportAddress) throws {
        socket = try LoopbackSocket(address.ip, isTCP: isTCP)
        try socket.connect(to: address)
        try give(.connected)
    }

    private var now: Instant { .zero + (ContinuousClock.now - start) }

    func give(_ input: TURNClient.Input) throws {
        client.handle(input, now: now)
        try drain()
    }

    private func drain() throws {
        while let output = client.poll() {
            switch output {
            case .send(let bytes):
                sent.append(bytes)
                try socket.send(bytes)
            case .event(let event):
                events.append(event)
                if case .redirected(let address) = event { try connect(to: address) }
            }
        }
    }

    /// Handles all events until a condition holds; throws after a time-out.
    ///
    /// - Parameter often: a closure called about every 20 ms.
    func run(_ what: String, often: (() throws -> Void)? = nil, until isDone: () -> Bool) throws {
        let end = now + .seconds(20)
        var again = now
        while !isDone() {
            if let often, again <= now {
                again = now + .milliseconds(20)
                try often()
            }
            guard now < end else { throw Late(description: "no \(what); \(events.count) events, errors \(errors)") }
            let next = min(client.deadline?.at ?? end, often == nil ? end : again)
            LoopbackSocket.wait([socket] + echoes, milliseconds: Int32((next - now).milliseconds.rounded(.up)))
            while let (bytes, _) = socket.receive() {
                if let code = (try? STUNPacket(parsing: bytes.span.bytes))?.message.errorCode?.code {
                    errors.append(code)
                }
                try give(isTCP && bytes.isEmpty ? .disconnected : .received(bytes))
                if isTCP, bytes.isEmpty { break }
            }
            for echo in echoes {
                while let (bytes, from) = echo.receive() {
                    echoed.append((bytes, from))
                    try echo.send(bytes, to: from)
                }
            }
            client.tick(now: now)
            try drain()
        }
    }

    /// Runs until there is a relayed address.
    func allocate() throws -> TransportAddress {
        try run("allocation") { !events.isEmpty && (client.relayedAddress != nil || failure != nil) }
        guard let address = client.relayedAddress else {
            throw Late(description: "no allocation: \(failure?.description ?? "?")")
        }
        return address
    }

    var failure: TURNFailure? {
        for event in events { if case .failed(let failure) = event { return failure } }
        return nil
    }

    var data: [[UInt8]] { events.compactMap { if case .data(let bytes, _) = $0 { bytes } else { nil } } }

    /// The number of packets sent by a channel.
    var channelMessages: Int { sent.count { (0x40...0x4F).contains($0[0]) } }
}
