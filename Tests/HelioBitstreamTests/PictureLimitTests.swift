import HelioBitstream
import HelioCore
import Testing

@Suite struct PictureLimitTests {
    @Test(arguments: [
        (PixelSize?.none, 35_651_584), (PixelSize(width: 1280, height: 720), 1280 * 768),
        (PixelSize(width: 1, height: 1), 64 * 64), (PixelSize(width: 0, height: 100), 35_651_584),
        (PixelSize(width: .max, height: .max), 35_651_584), (PixelSize(width: 7680, height: 4320), 7680 * 4352),
    ])
    func whatIsAgreed(size: PixelSize?, samples: Int) {
        #expect(PictureLimit.samples(within: size) == samples)
    }
}
