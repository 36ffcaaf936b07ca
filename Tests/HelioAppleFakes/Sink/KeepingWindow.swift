package import HelioCore
import HelioGround

/// A window without a screen that stores the pictures it presents.
package final class KeepingWindow<Picture: DecodedImaging>: FramePresenting {
    private let kept: KeptPictures<Picture>
    package private(set) var picture: Picture?

    init(_ kept: KeptPictures<Picture>) { self.kept = kept }

    package var waker: @Sendable () -> Void {
        { [kept] in kept.act(.woken) }
    }

    package func wait(until: Instant?) -> [WindowEvent] { kept.wait(until: until) }

    package func show(_ picture: Picture, damage: Region?) -> Instant {
        self.picture = picture
        kept.add(picture)
        return MonotonicClock.now
    }

    package func setTitle(_ title: String) {}
    package func setScaleMode(_ mode: ScaleMode) {}
    package func setWaitingText(_ text: String) {}
    package func setMessage(_ text: String?) {}
    package func setStatistics(_ lines: [String]?) {}
    package func setControls(_ isOn: Bool) {}
    package func setCursorShape(_ shape: CursorShape?) {}
    package func setCursorPosition(_ position: (x: Int, y: Int)?) {}
}
