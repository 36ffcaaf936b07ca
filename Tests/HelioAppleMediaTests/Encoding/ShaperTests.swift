#if canImport(HelioLinuxSource)
import HelioAppleFakes
import HelioAppleMedia
import HelioCore
import Testing

@Suite("Scaling and turning")
struct ShaperTests {
    static let size = PixelSize(width: 640, height: 480)

    /// Returns a picture that is upright after a rotation by `rotation`.
    private func captured(_ upright: PixelSize, needing rotation: PictureRotation) throws -> FakePixels {
        let size = rotation.turned(upright)
        let picture = FakePixels.nv12(size)
        TestPattern.fill(picture) { x, y in
            let (x, y) =
                switch rotation {
                case .none: (x, y)
                case .quarter: (size.height - 1 - y, x)
                case .half: (size.width - 1 - x, size.height - 1 - y)
                case .threeQuarters: (y, size.width - 1 - x)
                }
            return TestPattern.sample(x, y, of: upright)
        }
        return picture
    }

    @Test(
        "every turn gives an upright picture of the right shape, through coding, too",
        arguments: PictureRotation.allCases)
    func upright(rotation: PictureRotation) throws {
        let transfers = FakeTransfers()
        let shaper = PictureShaper(transfers)
        let bench = try EncodingBench(Self.size)
        let picture = try captured(Self.size, needing: rotation)
        for _ in 0..<4 {
            let shaped = try #require(try shaper.shape(picture, rotation: rotation))
            #expect(shaped.size == Self.size)
            let decoded = try #require(try bench.send(shaped))
            for (is_, wanted) in zip(decoded.corners(), TestPattern.corners) {
                #expect(is_?.isClose(to: wanted) == true)
            }
            #expect(decoded.error(of: Self.size) < 10.3)
        }
        // All pictures share one session and one pool; without any change to make, there are none.
        #expect(transfers.made == (rotation == .none ? 0 : 1))
        #expect(transfers.pools == (rotation == .none ? [] : [Self.size]))
        #expect(shaper.losses.total == 0)
    }

    @Test("a tablet's screen becomes 720p at most, its shape kept, before it is turned")
    func scaling() throws {
        let transfers = FakeTransfers()
        let shaper = PictureShaper(transfers)
        let screen = PixelSize(width: 1668, height: 2388)
        let picture = FakePixels.nv12(screen)
        let shaped = try #require(try shaper.shape(picture, rotation: .quarter))
        #expect(shaped.size == shaper.size(of: screen, rotation: .quarter))
        #expect(shaped.size.width <= 1280 && shaped.size.height <= 720)
        let shape = Double(shaped.size.width) / Double(shaped.size.height)
        #expect(abs(shape - 2388.0 / 1668.0) < 0.01)
        #expect(transfers.pools == [PixelSize(width: shaped.size.height, height: shaped.size.width), shaped.size])
    }

    @Test("a session of no use is replaced once a picture, and another failure is thrown")
    func rebuilding() throws {
        let transfers = FakeTransfers()
        let shaper = PictureShaper(transfers)
        let picture = try captured(Self.size, needing: .half)
        transfers.statuses = [.invalidSession]
        #expect(try shaper.shape(picture, rotation: .half) != nil)
        #expect(transfers.made == 2)
        #expect(shaper.losses[.rebuilt] == 1)
        transfers.statuses = [.invalidSession, .invalidSession]
        #expect(throws: HelioError.self) { try shaper.shape(picture, rotation: .half) }
        #expect(try shaper.shape(picture, rotation: .half) != nil)
        #expect(transfers.made == 4)
        #expect(transfers.invalidated == 3)
    }

    @Test("pictures in use are bounded, and one too many is counted")
    func bound() throws {
        let shaper = PictureShaper(FakeTransfers(), limit: 2)
        let picture = try captured(Self.size, needing: .half)
        var held = [try shaper.shape(picture, rotation: .half), try shaper.shape(picture, rotation: .half)]
        #expect(try shaper.shape(picture, rotation: .half) == nil)
        #expect(shaper.losses[.allInUse] == 1)
        held.removeLast()
        #expect(try shaper.shape(picture, rotation: .half) != nil)
        #expect(held.count == 1)
    }

    @Test("turns are told in degrees of either sign", arguments: [(-90, 270), (450, 90), (0, 0), (180, 180)])
    func degrees(_ degrees: Int, _ turn: Int) {
        #expect(PictureRotation(degrees: degrees)?.rawValue == turn)
        #expect(PictureRotation(degrees: 45) == nil)
    }
}
#endif
