import HelioCore
import HelioOpenSSL
import HelioProtection

/// Compares Heliograph's SRTP and libsrtp2: the same key and packets, in place, in alternating rounds.
struct SRTPBench {
    private static let roomBehind = 64

    private let profile: SRTPProfile
    /// The length before protection, including the header.
    private let packetLength: Int
    private let rounds: Int
    private let table: Table
    private let key: SRTPMasterKey

    init(_ profile: SRTPProfile, packetLength: Int, rounds: Int, _ table: Table) {
        self.profile = profile
        self.packetLength = packetLength
        self.rounds = rounds
        self.table = table
        var generator = SecureGenerator()
        key = SRTPMasterKey(profile: profile, using: &generator)
    }

    /// Runs the measurements; returns whether both directions meet their budget.
    func run() throws -> Bool {
        var sender = try SRTPSender(key: key, crypto: OpenSSLCrypto())
        var receiver = try SRTPReceiver(key: key, crypto: OpenSSLCrypto())
        let theirSender = LibSRTP(key: key, isSending: true)
        let theirReceiver = LibSRTP(key: key, isSending: false)
        let stride = packetLength + Self.roomBehind
        var theirs = [UInt8](repeating: 0, count: stride * Packets.roundLength)
        var lengths = [Int](repeating: 0, count: Packets.roundLength)
        var protectRounds: (ours: [Round], theirs: [Round]) = ([], [])
        var openRounds: (ours: [Round], theirs: [Round]) = ([], [])

        for round in 0..<rounds {
            let first = UInt64(round * Packets.roundLength)
            var ours = (0..<Packets.roundLength).map {
                Packets.plain(first + UInt64($0), length: packetLength, room: Self.roomBehind)
            }
            for n in 0..<Packets.roundLength {
                theirs.replaceSubrange(n * stride..<n * stride + packetLength, with: ours[n])
            }

            let oursFirst = round.isMultiple(of: 2)
            if oursFirst { protectRounds.ours.append(Packets.protect(&sender, &ours, first)) }
            protectRounds.theirs.append(
                theirs.withUnsafeMutableBufferPointer { bytes in
                    Round.measure(packets: Packets.roundLength) {
                        for n in 0..<Packets.roundLength {
                            lengths[n] = theirSender.protect(
                                bytes.baseAddress! + n * stride, count: packetLength)
                        }
                    }
                })
            if !oursFirst { protectRounds.ours.append(Packets.protect(&sender, &ours, first)) }
            for n in 0..<Packets.roundLength {
                precondition(theirs[n * stride..<n * stride + lengths[n]] == ours[n][...], "the two disagree")
            }

            if oursFirst { openRounds.ours.append(Packets.open(&receiver, &ours)) }
            openRounds.theirs.append(
                theirs.withUnsafeMutableBufferPointer { bytes in
                    Round.measure(packets: Packets.roundLength) {
                        for n in 0..<Packets.roundLength {
                            lengths[n] = theirReceiver.open(bytes.baseAddress! + n * stride, count: lengths[n])
                        }
                    }
                })
            if !oursFirst { openRounds.ours.append(Packets.open(&receiver, &ours)) }
            for n in 0..<Packets.roundLength {
                precondition(
                    ours[n] == Packets.plain(first + UInt64(n), length: packetLength, room: Self.roomBehind),
                    "not what was sent")
            }
        }
        try crossCheckControl(&sender, &receiver, theirSender, theirReceiver)
        let isProtectKept = report("protect", protectRounds)
        let isOpenKept = report("open", openRounds)
        return isProtectKept && isOpenKept
    }

    /// Checks SRTCP in both directions. libsrtp2 counts from 1, so each can open the other's packets, but they are not
    /// equal.
    private func crossCheckControl(
        _ sender: inout SRTPSender, _ receiver: inout SRTPReceiver, _ theirSender: LibSRTP, _ theirReceiver: LibSRTP
    ) throws {
        let plain: [UInt8] = [0x80, 201, 0, 1, 0, 0, 0, 7] + [UInt8](repeating: 0x5A, count: 24)
        for _ in 0..<3 {
            var packet = plain
            try sender.protect(rtcp: &packet)
            theirReceiver.openControl(&packet)
            precondition(packet == plain)
            theirSender.protectControl(&packet)
            _ = try receiver.open(rtcp: &packet)
            precondition(packet == plain)
        }
    }

    private func report(_ what: String, _ rounds: (ours: [Round], theirs: [Round])) -> Bool {
        let ours = Summary(rounds.ours)
        let theirs = Summary(rounds.theirs)
        let ratio = ours.packetsPerSecond / theirs.packetsPerSecond
        let isKept = table.row(
            "\(profile.rawValue) \(what), \(packetLength) bytes", ours, ratio: ratio, budget: .protection)
        table.row("    libsrtp2", theirs)
        return isKept
    }
}
