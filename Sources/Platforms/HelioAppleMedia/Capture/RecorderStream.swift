package import HelioCore
internal import Synchronization

/// The screen of an iPhone or iPad as a capture stream: a recorder's pictures, set upright and scaled to the requested
/// size (rows 82, 94, 154, 156).
///
/// There is one display, this device, with the size of the pictures as a person sees them: a guess until the first
/// picture, and another size when the device is turned. The recorder asks the person at each start, so `stop` only
/// drops its pictures, and the recorder runs until this object is released. The last picture is kept, for a request in
/// another size while the screen is still.
///
/// A recorder takes no rate: excess pictures are replaced in `FrameInbox`, and counted there.
package final class RecorderStream<Transfers: PictureTransfers & SendableMetatype, Buffer: Sendable>: ScreenStreaming {
    package typealias Picture = Transfers.Session.Picture

    /// The size before the first picture.
    package static var guess: PixelSize { PixelSize(width: 1170, height: 2532) }

    private let core: RecorderCore<Transfers, Buffer>

    /// - Parameters:
    ///   - open: returns the picture in a buffer.
    ///   - box: makes a buffer of a picture.
    ///   - tell: shows a message to the person, on any thread.
    package init(
        _ recorder: any ScreenRecording<Buffer>, shaper: sending PictureShaper<Transfers>,
        open: @escaping @Sendable (Buffer) -> Picture, box: @escaping @Sendable (Picture) -> Buffer,
        tell: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        core = RecorderCore(recorder, shaper: shaper, guess: Self.guess, open: open, box: box, tell: tell)
    }

    deinit { core.end() }

    /// The pictures that were dropped, counted by reason.
    package var drops: DropCounter<RecorderDrop> { core.drops }

    package func start(
        _ settings: StreamSettings, receive: @escaping @Sendable (StreamEvent<Buffer>, Int) -> Void
    ) { core.start(settings, receive) }

    package func update(_ settings: StreamSettings) { core.update(settings) }
    package func stop() { core.stop() }
    package func displays() -> [DisplayInfo] { [.device(core.size)] }
}

extension DisplayInfo {
    /// This device's screen, in the size that a person sees.
    package static func device(_ size: PixelSize) -> DisplayInfo {
        DisplayInfo(
            number: 1, name: "This device",
            frame: FrameRect(x: 0, y: 0, width: Double(size.width), height: Double(size.height)), pixels: size,
            isMain: true)
    }
}
