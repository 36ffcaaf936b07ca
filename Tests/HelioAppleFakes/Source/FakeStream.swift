import Dispatch
package import HelioAppleMedia
import HelioCore

/// A capture stream of a panel: delivers frames by callbacks on a queue of its own, scaled as configured. The pictures
/// of a rotated panel are made upright by the real shaper.
///
/// `@unchecked Sendable`: mutable state is accessed only on its queue.
package final class FakeStream: ScreenStreaming, @unchecked Sendable {
    package typealias Buffer = FakePixels

    private let panel: FakePanel
    private let queue = DispatchQueue(label: "heliograph.fake-capture")
    private var running: (settings: StreamSettings, receive: @Sendable (StreamEvent<FakePixels>, Int) -> Void)?
    private let shaper = PictureShaper(FakeTransfers(), preset: nil, limit: 8)
    /// The picture that was delivered last.
    private var given: KnownPicture?

    package init(_ panel: FakePanel) {
        self.panel = panel
        panel.listen { [weak self] change in self?.hear(change) }
    }

    package func start(
        _ settings: StreamSettings, receive: @escaping @Sendable (StreamEvent<FakePixels>, Int) -> Void
    ) {
        queue.async { [self] in
            guard panel.mayStart() else { return receive(.stopped(.bySystem), settings.generation) }
            running = (settings, receive)
            given = nil
            give()
        }
    }

    package func update(_ settings: StreamSettings) {
        queue.async { [self] in
            running?.settings = settings
            given = nil
            give()
        }
    }

    package func stop() {
        queue.async { [self] in running = nil }
    }

    package func displays() -> [DisplayInfo] {
        let size = panel.size
        return [
            DisplayInfo(
                number: 1, name: "Panel",
                frame: FrameRect(x: 0, y: 0, width: Double(size.width), height: Double(size.height)), pixels: size,
                isMain: true)
        ]
    }

    private func hear(_ change: FakePanel.Change) {
        queue.async { [self] in
            guard let (settings, receive) = running else { return }
            switch change {
            case .picture: give()
            case .display: receive(.displaysChanged, settings.generation)
            case .stopped(let stop):
                running = nil
                receive(.stopped(stop), settings.generation)
            }
        }
    }

    private func give() {
        guard let (settings, receive) = running, !panel.isBlank else { return }
        let picture = KnownPicture(settings.size, number: panel.number)
        let turn = panel.turn
        let captured = panel.pictures.planes(picture, panel.color ?? settings.color, needing: turn)
        guard let pixels = try? shaper.shape(captured, rotation: turn) else { return }
        let dirty = given?.size == picture.size ? picture.moving.map { FrameRect($0.rect) } : nil
        given = picture
        receive(.frame(StreamFrame(buffer: pixels, size: pixels.size, dirty: dirty)), settings.generation)
    }
}

extension FrameRect {
    fileprivate init(_ rect: PixelRect) {
        self.init(x: Double(rect.x), y: Double(rect.y), width: Double(rect.width), height: Double(rect.height))
    }
}
