import HelioCore
import HelioLinuxSource

/// A synthetic desktop with stepwise typing, scrolling or window motion.
struct RepairedScreen {
    enum Activity: CaseIterable, Sendable {
        case typing, scrolling, window, film, rest, refinement
    }

    private var screen: TestPicture
    private var page: TestPicture
    private var film: TestPicture
    private var steps = 0
    private var top = 0

    init(_ size: PixelSize) {
        screen = TestPicture(size.width, size.height)
        page = TestPicture(size.width, 4 * size.height, seed: 7)
        film = TestPicture(300, 200, seed: 9)
        screen.drawText(in: PixelRect(size), isColored: true)
        page.drawText(in: PixelRect(page.size), isColored: true)
        film.drawNoise(in: PixelRect(film.size))
    }

    func show(in picture: PlanarPicture) { screen.convert(into: picture) }

    /// Draws the next step, and returns its encoding request.
    mutating func step(_ activity: Activity, into picture: PlanarPicture) -> EncodeRequest {
        let size = screen.size
        steps += 1
        switch activity {
        case .typing:
            let x = steps * 8 % (size.width - 16) & ~1
            screen.copy(
                PixelRect(x: 64 + steps % 4 * 8, y: 32, width: 8, height: 16), of: page, toX: x, y: size.height / 2 & ~1
            )
        case .scrolling:
            top = (top + 14) % (3 * size.height)
            let height = size.height / 2 & ~1
            screen.copy(
                PixelRect(x: 0, y: top, width: size.width / 2 & ~1, height: height), of: page, toX: 16, y: 8)
        case .window:
            film.drawNoise(in: PixelRect(x: 0, y: steps * 8 % 160, width: 300, height: 40))
            let width = min(300, size.width / 2) & ~1
            let height = min(200, size.height / 3) & ~1
            let x = steps * 6 % (size.width - width) & ~1
            screen.copy(
                PixelRect(x: 0, y: 0, width: width, height: height), of: film, toX: x, y: size.height - height)
        case .film:
            screen.drawNoise(in: PixelRect(x: 0, y: 0, width: size.width, height: size.height * 2 / 3 & ~1))
        case .rest: break
        case .refinement: return EncodeRequest(refinement: 1)
        }
        screen.convert(into: picture)
        return EncodeRequest()
    }
}
