import HelioBroadcast
import HelioCore
import HelioMPEGTS
import HelioProtection
import HelioReceivers

/// Fuzzes the parser of `srt://` addresses, whose descriptions must hide secrets, and the multiplexing of units into
/// transport packets.
package enum SRTLinkFuzz {
    package static func run(_ bytes: [UInt8]) {
        address(String(decoding: bytes, as: UTF8.self))
        multiplex(bytes)
    }

    private static func address(_ text: String) {
        guard let address = try? SRTAddress(parsing: text) else { return }
        precondition(address.port > 0 && (address.mode == .listener || !address.host.isEmpty))
        precondition(SRTAddress.latencies.contains(address.latency))
        precondition(SRTAddress.connectTimeouts.contains(address.connectTimeout))
        precondition(address.passphrase.map { SRTAddress.passphraseSizes.contains($0.count) } ?? true)
        precondition(!"\(address)".utf8.contains(UInt8(ascii: "?")) || address.host.utf8.contains(UInt8(ascii: "?")))
        let again = try? SRTAddress(parsing: "\(address)" + (address.mode == .listener ? "?mode=listener" : ""))
        precondition(again?.host == address.host && again?.port == address.port, "address changed on its way")
    }

    /// Multiplexes a sequence of units, each preceded by a byte for its kind and a byte for its size. The output must
    /// consist of complete packets that are read back without a fault.
    private static func multiplex(_ bytes: [UInt8]) {
        let tracks = BroadcastTracks(video: .h264, sound: .opus(channels: 2))
        guard var multiplexer = try? SRTMultiplexer(tracks) else { preconditionFailure("tracks that can be carried") }
        var reader = TransportStreamReader()
        var (offset, time) = (0, Duration.zero)
        var (written, read) = (0, 0)
        while offset + 2 <= bytes.count {
            let kind: BroadcastUnit.Kind = [.keyframe, .picture, .sound, .picture][Int(bytes[offset] & 3)]
            let end = min(bytes.count, offset + 2 + Int(bytes[offset + 1]))
            time += .milliseconds(1 + Int(bytes[offset] >> 2))
            let unit = BroadcastUnit(kind: kind, bytes: Array(bytes[offset + 2..<end]), time: time)
            offset = end
            guard let packets = multiplexer.packets(of: unit) else { continue }
            precondition(!packets.isEmpty && packets.count.isMultiple(of: TransportStream.packetSize))
            written += 1
            reader.append(packets)
            while let output = reader.next() {
                if case .program = output { continue }
                read += 1
            }
        }
        precondition(reader.faults.total == 0 && read == written, "own packets are not read back")
    }
}
