import HelioAppleMedia
import HelioCore
import Synchronization

/// A capture stream with scripted events and numbers for buffers. It keeps every receiver, so that it can send events
/// after it was stopped.
final class ScriptedStream: ScreenStreaming, Sendable {
    struct State: Sendable {
        var displays: [DisplayInfo] = [.main]
        var starts: [StreamSettings] = []
        var updates: [StreamSettings] = []
        var stops = 0
        var awake: [Bool] = []
        var receivers: [@Sendable (StreamEvent<Int>, Int) -> Void] = []
    }

    let state = Mutex(State())

    var starts: [StreamSettings] { state.withLock { $0.starts } }
    var awake: [Bool] { state.withLock { $0.awake } }
    var updates: [StreamSettings] { state.withLock { $0.updates } }

    func start(_ settings: StreamSettings, receive: @escaping @Sendable (StreamEvent<Int>, Int) -> Void) {
        state.withLock {
            $0.starts.append(settings)
            $0.receivers.append(receive)
        }
    }

    func update(_ settings: StreamSettings) { state.withLock { $0.updates.append(settings) } }
    func stop() { state.withLock { $0.stops += 1 } }
    func keepAwake(_ isWatched: Bool) { state.withLock { $0.awake.append(isWatched) } }
    func displays() -> [DisplayInfo] { state.withLock { $0.displays } }
    func setDisplays(_ displays: [DisplayInfo]) { state.withLock { $0.displays = displays } }

    /// Sends an event to the receiver of the given start, by default the newest.
    func tell(_ event: StreamEvent<Int>, start: Int? = nil) {
        let (receive, generation) = state.withLock {
            let index = start ?? $0.receivers.count - 1
            return ($0.receivers[index], $0.starts[index].generation)
        }
        receive(event, generation)
    }

    func frame(_ buffer: Int?, size: PixelSize? = nil, dirty: [FrameRect]? = nil, start: Int? = nil) {
        let wanted = state.withLock { $0.updates.last?.size ?? $0.starts[$0.starts.count - 1].size }
        tell(.frame(StreamFrame(buffer: buffer, size: size ?? wanted, dirty: dirty)), start: start)
    }
}

extension DisplayInfo {
    /// A display of 640x360 points at two pixels a point.
    static let main = DisplayInfo(
        number: 1, name: "Built-in", frame: FrameRect(x: 0, y: 0, width: 640, height: 360),
        pixels: PixelSize(width: 1280, height: 720), isMain: true)
    /// A display to the left of the main one and a little higher, at one pixel a point.
    static let left = DisplayInfo(
        number: 7, name: "Left", frame: FrameRect(x: -800, y: -100, width: 800, height: 600),
        pixels: PixelSize(width: 800, height: 600), isMain: false)
}
