private import HelioBitstream
internal import HelioCore
internal import HelioSharing
internal import HelioSound
private import Synchronization

/// Filters a session's sound for an app that receives coded packets: removes duplicates, and computes presentation
/// times.
final class CodedSound: Sendable {
    private struct Stream {
        var attributes: SoundAttributes
        /// The unwrapped sequence number of the newest packet. `seen` has a bit for each of the last 64 sequence
        /// numbers, the newest in the lowest bit, which is set once the packet has arrived.
        var newest: UInt64
        var seen: UInt64 = 1
        var firstTime: Int64

        /// Records a packet's unwrapped sequence number. Returns false for a duplicate, and for a packet older than the
        /// 64 tracked numbers.
        mutating func isNew(_ number: UInt64) -> Bool {
            if number > newest {
                let step = number - newest
                seen = step < 64 ? seen << step | 1 : 1
                newest = number
                return true
            }
            let age = newest - number
            guard age < 64, seen & 1 << age == 0 else { return false }
            seen |= 1 << age
            return true
        }
    }

    private struct State {
        var streams: [SoundOrigin: Stream] = [:]
        var hasStarted = false
        var isPaused = false
    }

    private let plugin: (any AudioSinkPlugin)?
    private let state = Mutex(State())

    init(_ plugin: (any AudioSinkPlugin)?) { self.plugin = plugin }

    /// Handles the session's sound. Returns a packet if there is no plugin to receive it. Called on the event loop.
    func take(_ news: SoundNews) -> (EncodedSoundPacket, SoundInput)? {
        switch news {
        case .begun: state.withLock { $0.streams = [:] }
        case .clock: break
        case .packet(let packet):
            let input = SoundInput(packet.origin)
            guard let coded = sort(packet) else { return nil }
            guard let plugin else { return (coded, input) }
            plugin.receive(coded, of: input)
        }
        return nil
    }

    private func sort(_ packet: ReceivedSound) -> EncodedSoundPacket? {
        let format = SoundAttributes.Format(packet.codec)
        let (isFirst, isOther, time) = state.withLock { state -> (Bool, Bool, Int64?) in
            let number = UInt64(packet.sequence.rawValue)
            guard var stream = state.streams[packet.origin] else {
                state.streams[packet.origin] = Stream(
                    attributes: SoundAttributes(format: format), newest: number, firstTime: packet.mediaTime)
                defer { state.hasStarted = true }
                return (!state.hasStarted, state.hasStarted, 0)
            }
            guard stream.isNew(number) else { return (false, false, nil) }
            let isOther = stream.attributes.format != format
            stream.attributes.format = format
            state.streams[packet.origin] = stream
            return (false, isOther, packet.mediaTime &- stream.firstTime)
        }
        guard let time else { return nil }
        if isFirst {
            plugin?.initialize(SoundAttributes(format: format))
            plugin?.start()
        } else if isOther {
            plugin?.attributesChanged(SoundAttributes(format: format))
        }
        return EncodedSoundPacket(
            format: format, bytes: packet.payload,
            presentationTime: SoundFormat.standard.duration(ofFrames: time),
            duration: packet.duration)
    }

    /// Notifies the plugin that the app has paused or resumed sound.
    func pause(_ isPaused: Bool) {
        let hasStarted = state.withLock { state in
            state.isPaused = isPaused
            return state.hasStarted
        }
        if hasStarted { isPaused ? plugin?.pause() : plugin?.resume() }
    }

    func stop() {
        if state.withLock({ $0.hasStarted }) { plugin?.stop() }
    }
}

extension ReceivedSound {
    /// The duration of the packet's sound, derived from its payload.
    fileprivate var duration: Duration {
        switch codec {
        // The payload has two channels of 16 bits.
        case .pcm: SoundFormat.standard.duration(ofFrames: payload.count / 4)
        case .aac: .nanoseconds(21_333_333)
        case .opus: SoundFormat.standard.duration(ofFrames: OpusPacket(payload.span.bytes)?.frames ?? 0)
        }
    }
}
