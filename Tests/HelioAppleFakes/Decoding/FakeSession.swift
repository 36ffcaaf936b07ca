#if canImport(HelioLinuxSink)
import Dispatch
package import HelioAppleMedia
import HelioBitstream
import HelioCore
import HelioLinuxSink
import Synchronization

/// A decompression session based on FFmpeg. Like VideoToolbox, it expects length-prefixed samples, and parameter sets
/// only in the format description.
package final class FakeSession: DecompressionSession {
    package typealias Done = @Sendable (DecompressionResult<FakePixels>) -> Void

    private let owner: FakeSessions
    private let decoder: FFmpegDecoder?
    private let made: DecompressionFormat
    private var needsSets = true
    private var isInvalid = false
    private var format: DecompressionFormat

    init(_ owner: FakeSessions, _ format: DecompressionFormat) {
        self.owner = owner
        made = format
        self.format = format
        decoder = try? FFmpegDecoder(format.codec)
    }

    package var isHardware: Bool { owner.isHardware }

    package func accepts(_ format: DecompressionFormat) -> Bool {
        owner.state.withLock { $0.acceptsOthers } && format.picture.size == made.picture.size
    }

    package func decode(_ sample: [UInt8], format: DecompressionFormat, done: @escaping Done) -> SessionStatus {
        let trouble = owner.state.withLock { state in
            defer { state.samples += 1 }
            guard var list = state.troubles[state.samples], !list.isEmpty else { return FakeSessions.Trouble?.none }
            let first = list.removeFirst()
            // Remaining troubles apply to the next sample, of any session.
            state.troubles[state.samples] = nil
            if !list.isEmpty { state.troubles[state.samples + 1] = list }
            return first
        }
        if isInvalid { return .invalidSession }
        if format != self.format { (self.format, needsSets) = (format, true) }
        switch trouble {
        case .invalidAtOnce: return .invalidSession
        case .invalidInCallback: done(.init(status: .invalidSession, buffer: nil))
        case .leftOut: done(.init(status: .done, buffer: nil))
        case .badData: done(.init(status: .badData, buffer: nil))
        case .never: break
        case .late:
            owner.state.withLock { $0.kept.append(sample) }
            let result = result(of: sample)
            owner.state.withLock { $0.late.append { done(result) } }
        case .twice:
            let result = result(of: sample)
            done(result)
            done(result)
        case .elsewhere:
            let result = result(of: sample)
            DispatchQueue.global().async { done(result) }
        case nil: done(result(of: sample))
        }
        return .done
    }

    package func invalidate() {
        if !isInvalid { owner.state.withLock { $0.invalidated += 1 } }
        isInvalid = true
    }

    private func result(of sample: [UInt8]) -> DecompressionResult<FakePixels> {
        guard let units = AVCC.annexB(from: sample.span.bytes), let decoder else {
            return .init(status: .badData, buffer: nil)
        }
        let sets = needsSets ? format.parameterSets.flatMap { AnnexB.startCode + $0 } : []
        let isKeyframe = AnnexB.containsKeyframe(units.span.bytes, codec: format.codec)
        let frame = ReceivedFrame(
            codec: format.codec, annexB: sets + units, mediaTime: 0, frameIndex: 0, isKeyframe: isKeyframe,
            firstArrival: .zero, completed: .zero)
        guard let picture = try? decoder.decode(frame), let pixels = FakePixels(picture) else {
            return .init(status: .badData, buffer: nil)
        }
        needsSets = false
        return .init(status: .done, buffer: pixels)
    }
}
#endif
