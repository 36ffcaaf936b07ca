package import HelioCore
internal import Synchronization

/// The screen of an iPhone or iPad as a capture stream: a recorder's pictures, rotated upright and scaled to the
/// requested size (requirement rows 82, 94, 154, 156).
///
/// The only display is this device, with the size of the upright pictures: a guess until the first picture, and another
/// size when the device is rotated. The system prompts the user at each start of the recorder, so the recorder runs
/// until this object is released, and `stop` only drops its pictures. The last picture is kept, for a request in
/// another size while the screen is still.
///
/// A recorder has no frame rate setting: excess pictures are replaced in `FrameInbox`, and counted there.
package final class RecorderStream<Transfers: PictureTransfers & SendableMetatype, Buffer: Sendable>: ScreenStreaming {
    package typealias Picture = Transfers.Session.Picture

    /// The assumed size before the first picture.
    package static var guess: PixelSize { PixelSize(width: 1170, height: 2532) }

    private let core: RecorderCore<Transfers, Buffer>

    /// - Parameters:
    ///   - open: returns the picture in a buffer.
    ///   - box: makes a buffer of a picture.
    ///   - tell: shows a message to the user; called on any thread.
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
    /// Makes the description of this device's screen, with the size of the upright picture.
    package static func device(_ size: PixelSize) -> DisplayInfo {
        DisplayInfo(
            number: 1, name: "This device",
            frame: FrameRect(x: 0, y: 0, width: Double(size.width), height: Double(size.height)), pixels: size,
            isMain: true)
    }
}
