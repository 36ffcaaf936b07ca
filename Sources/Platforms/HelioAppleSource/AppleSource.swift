#if canImport(ScreenCaptureKit)
package import HelioAppleMedia
private import HelioAppleSound
package import HelioCore
private import HelioGround

/// The source's platform on macOS: screen and sound from ScreenCaptureKit, the system's pointer, VideoToolbox's
/// encoders, and input by `CGEvent`. It is only type-checked; no test runs it.
package struct AppleSource: SourcePlatform {
    private let feeds = SampleFeeds()
    private let names = DisplayNames()
    /// The platform for sound; screen capture provides the sound that the machine plays.
    package let sound: (any SoundPlatform)?

    package init() {
        sound = DeviceSound.apple(feeds: feeds)
        feeds.announce("This Mac", of: .system)
        names.refresh()
    }

    package func openScreen(
        display: String?, monitor: String?, framesPerSecond: Int
    ) throws(HelioError) -> StreamScreen<SystemStream> {
        var permission = PermissionFlow(.screenRecording)
        try permission.need(SystemPermissions(), now: MonotonicClock.now)
        return try StreamScreen(
            stream: SystemStream(feeds: feeds, names: names), monitor: monitor, framesPerSecond: framesPerSecond,
            waiter: waiter)
    }

    package func openTestScreen(
        size: PixelSize, framesPerSecond: Int
    ) throws(HelioError) -> NumberedScreen<TestPicturePainter> {
        try NumberedScreen(
            size: size, framesPerSecond: framesPerSecond, painter: TestPicturePainter(), waiter: waiter)
    }

    package func openCursor(on screen: StreamScreen<SystemStream>) throws(HelioError) -> PolledCursor<SystemCursor> {
        PolledCursor(SystemCursor(), monitor: { screen.layout.selected }, clock: { MonotonicClock.now })
    }

    /// Opens an injector. It drops input until the user has granted the permission, so viewers can only watch.
    package func openInjector(display: String?) throws(HelioError) -> PermittedInjector<MacInjector<SystemEvents>> {
        PermittedInjector(
            SystemPermissions(), clock: { MonotonicClock.now },
            make: { MacInjector(SystemEvents(), doubleClick: SystemEvents.doubleClick, clock: { MonotonicClock.now }) })
    }

    /// Lists the displays, followed by the windows, which can be selected like displays.
    package func monitors(display: String?) throws(HelioError) -> [ScreenMonitor] {
        DisplayList.readAll(names).compactMap(\.monitor)
    }

    private var waiter: CaptureWaiter { CaptureWaiter() }
}
#endif
