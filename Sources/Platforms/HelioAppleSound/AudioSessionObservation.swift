internal import AVFAudio
internal import Foundation
internal import HelioAppleMedia
private import Synchronization

/// Observes the audio session's notifications, and reports them on a runner until `end`. It is only type-checked; no
/// test runs it.
final class AudioSessionObservation: SoundObservation {
    private struct Tokens: @unchecked Sendable {
        var all: [any NSObjectProtocol] = []
    }

    private let tokens = Mutex(Tokens())
    #if os(macOS) || CHECKED_AS_MACOS
    private let devices: DeviceListener
    #endif

    init(on runner: any SerialRunner, _ handler: @escaping @Sendable (SoundSessionEvent) -> Void) {
        #if os(macOS) || CHECKED_AS_MACOS
        devices = DeviceListener { event in runner.async { handler(event) } }
        #endif
        for (name, read) in Self.readers {
            let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
                guard let event = read(notification) else { return }
                runner.async { handler(event) }
            }
            tokens.withLock { $0.all.append(token) }
        }
    }

    func end() {
        let all = tokens.withLock { tokens in
            defer { tokens.all = [] }
            return tokens
        }.all
        for token in all { NotificationCenter.default.removeObserver(token) }
        #if os(macOS) || CHECKED_AS_MACOS
        devices.end()
        #endif
    }

    private typealias Reader = @Sendable (Notification) -> SoundSessionEvent?

    #if os(macOS) || CHECKED_AS_MACOS
    private static var readers: [(NSNotification.Name, Reader)] { [] }
    #else
    private static var readers: [(NSNotification.Name, Reader)] {
        [
            (AVAudioSession.interruptionNotification, { interruption($0) }),
            (AVAudioSession.routeChangeNotification, { route($0) }),
            (AVAudioSession.mediaServicesWereLostNotification, { _ in .servicesLost }),
            (AVAudioSession.mediaServicesWereResetNotification, { _ in .servicesReset }),
            // UIKit's notification is given by its name, as `UIApplication` is not available in an extension.
            (NSNotification.Name("UIApplicationDidBecomeActiveNotification"), { _ in .becameActive }),
        ]
    }

    private static func interruption(_ notification: Notification) -> SoundSessionEvent? {
        SoundSessionEvent(
            interruption: notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt,
            options: notification.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt)
    }

    private static func route(_ notification: Notification) -> SoundSessionEvent {
        let reason = notification.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
        let before =
            notification.userInfo?[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription
        let ports: Set<AVAudioSession.Port> = [.headphones, .bluetoothA2DP, .bluetoothHFP, .bluetoothLE]
        return .routeChanged(
            SoundSessionEvent.RouteChange(reason ?? 0),
            wasPrivate: before?.outputs.contains { ports.contains($0.portType) } ?? false)
    }
    #endif
}
