import Dispatch
import HelioBitstream
import HelioCore
import HelioExtension
import HelioTestPrograms
import Synchronization

/// A broadcast extension's encoder: a picture every 20 ms, and keyframes on request.
final class FakeExtension: Sendable {
    private struct State {
        var events: [BroadcastRelay.Event] = []
        var needsKeyframe = false
        var size: PixelSize
        var number = 0
    }

    private final class Shared: Sendable {
        let state: Mutex<State>
        init(_ size: PixelSize) { state = Mutex(State(size: size)) }
    }

    let relay: BroadcastRelay
    private let shared: Shared
    private let pictures: Task<Void, any Error>

    init(_ path: String, size: PixelSize) throws {
        let shared = Shared(size)
        self.shared = shared
        let relay = try BroadcastRelay(.init(socketPath: path, size: size)) { event in
            shared.state.withLock { state in
                state.events.append(event)
                if event == .keyframeNeeded { state.needsKeyframe = true }
            }
        }
        self.relay = relay
        pictures = Task {
            while true {
                relay.write(Self.picture(shared))
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    deinit { pictures.cancel() }

    func stop() { pictures.cancel() }

    private static func picture(_ shared: Shared) -> EncodedFrame {
        let (isKeyframe, size, number) = shared.state.withLock { state in
            defer {
                state.needsKeyframe = false
                state.number += 1
            }
            return (state.needsKeyframe, state.size, state.number)
        }
        var bytes: [UInt8] = []
        if isKeyframe { bytes += parameterSets(size) }
        bytes += [0, 0, 0, 1, isKeyframe ? 0x65 : 0x41] + Array("\(size.width)/\(number);".utf8)
        bytes += (0..<3000).map { UInt8(4 + ($0 * 7 + number) % 250) }
        return EncodedFrame(
            annexB: bytes, presentationTime: .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds)),
            isKeyframe: isKeyframe)
    }

    /// Returns parameter sets with the picture's size, which is how viewers learn it.
    private static func parameterSets(_ size: PixelSize) -> [UInt8] {
        var writer = BitWriter()
        for byte: UInt32 in [66, 0xC0, 31] { writer.bits(byte, 8) }
        // seq_parameter_set_id, log2_max_frame_num, picture order count type, reference frames.
        for value: UInt32 in [0, 4, 2, 1] { writer.unsigned(value) }
        writer.flag(false)
        writer.unsigned(UInt32((size.width + 15) / 16 - 1))
        writer.unsigned(UInt32((size.height + 15) / 16 - 1))
        writer.bits(0b11, 2)
        let (right, bottom) = ((16 - size.width % 16) % 16 / 2, (16 - size.height % 16) % 16 / 2)
        writer.flag(right + bottom > 0)
        if right + bottom > 0 { for side in [0, right, 0, bottom] { writer.unsigned(UInt32(side)) } }
        writer.flag(false)
        var annexB: [UInt8] = []
        writer.finish(header: [0x67], into: &annexB)
        return annexB + [0, 0, 0, 1, 0x68, 0xCE, 0x38, 0x80]
    }

    /// Changes the size from the next picture on.
    func change(to size: PixelSize) throws {
        try relay.change(size: size)
        shared.state.withLock { $0.size = size }
    }

    var events: [BroadcastRelay.Event] { shared.state.withLock { $0.events } }

    var wishes: [(bitrate: Int?, largest: PixelSize?)] {
        events.compactMap { if case .wanted(let bitrate, let largest) = $0 { (bitrate, largest) } else { nil } }
    }

    func wait(for wanted: BroadcastRelay.Event) async throws {
        try await eventually("\(wanted) came", sees: "\(events)") { events.contains(wanted) }
    }
}
