import HelioAppleMedia
import Testing

@Suite("Why a stream stops")
struct StreamStopTests {
    @Test(
        "ScreenCaptureKit's errors are told apart by what is done about them",
        arguments: [
            (-3801, .refused), (-3803, .refused), (-3815, .sourceGone), (-3817, .byPerson), (-3821, .bySystem),
            (-3805, .bySystem), (-3811, .failed(-3811)), (0, .failed(0)),
        ] as [(Int, StreamStop)])
    func codes(code: Int, stop: StreamStop) {
        #expect(StreamStop(screenCaptureKit: code) == stop)
    }
}
