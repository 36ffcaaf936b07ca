import Foundation
package import HelioCore

/// A full-screen video with noise that changes everywhere in each picture, so it uses any available bitrate. Ends with
/// this object.
package final class MovingPicture {
    private static let graph =
        "testsrc2=s=640x360:r=25,scroll=horizontal=0.013:vertical=0.007,noise=alls=60:allf=t"

    private let player: RunningProgram

    /// Returns once the video plays.
    package init(on desktop: Desktop, _ size: PixelSize) throws {
        player = try desktop.start("ffplay", ["-v", "quiet", "-an", "-fs", "-f", "lavfi", Self.graph])
        let (strip, place) = Self.strip(of: size)
        var (last, changes): ([UInt8], Int) = ([], 0)
        let moves = try desktop.wait {
            let shown = try desktop.screenshot(strip, at: place).bgrx
            if shown != last { changes += 1 }
            last = shown
            return changes >= 5
        }
        if !moves { throw Patience.Exhausted(description: "ffplay shows no moving picture; it said: \(player.text)") }
    }

    /// A strip of the screen that changes with each picture.
    package static func strip(of size: PixelSize) -> (size: PixelSize, place: (x: Int, y: Int)) {
        (PixelSize(width: size.width, height: 16), (x: 0, y: size.height / 2))
    }

    /// Stops the video; the screen is still afterwards.
    package func stop() { player.kill() }
}
