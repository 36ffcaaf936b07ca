import HelioCore
import Testing

@testable import HelioMedia

@Suite("The share of media in what is sent")
struct MediaShareTests {
    private static let start = Instant.zero + .seconds(1)

    /// Returns the media share after a number of seconds with `ratio` bytes of repair for each byte of media.
    private func share(_ ratio: Double, seconds: Int = 5, of share: MediaShare = MediaShare()) -> MediaShare {
        var share = share
        for step in 0...(seconds * 10) {
            let media = 10_000 * step
            share.update(
                media: media, repair: Int(Double(media) * ratio), now: Self.start + .milliseconds(100 * step))
        }
        return share
    }

    @Test("it is all where nothing is repaired")
    func none() { #expect(share(0).share == 1) }

    @Test("it is what is left beside repair", arguments: [0.1, 0.25, 0.5, 1])
    func some(ratio: Double) {
        let found = share(ratio).share
        #expect(abs(found - 1 / (1 + ratio)) < 0.02, "\(found)")
    }

    @Test("an encoder is left a part in any case")
    func floor() { #expect(share(100).share == 0.3) }

    @Test("no media and no time change nothing")
    func pauses() {
        var share = MediaShare()
        share.update(media: 1000, repair: 0, now: Self.start)
        share.update(media: 1000, repair: 90_000, now: Self.start + .seconds(1))
        share.update(media: 2000, repair: 90_000, now: Self.start + .milliseconds(50))
        #expect(share.share == 1)
    }

    @Test("a little more or less is not told")
    func steady() {
        var share = share(0.25)
        let told = share.share
        let media = 10_000_000
        share.update(media: media, repair: media / 4, now: Self.start + .seconds(60))
        share.update(media: media + 100_000, repair: media / 4 + 25_400, now: Self.start + .seconds(61))
        #expect(share.share == told)
    }
}
