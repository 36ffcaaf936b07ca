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

    @Test(
        "sound that can't be captured takes no picture with it",
        arguments: [
            (-3818, true, .withoutSound), (-3819, true, .withoutSound), (-3818, false, .stop(.failed(-3818))),
            (-3802, true, .stop(.failed(-3802))), (-3817, true, .stop(.byPerson)),
        ] as [(Int, Bool, CaptureFault)])
    func faults(code: Int, hears: Bool, fault: CaptureFault) {
        #expect(CaptureFault(code: code, hears: hears) == fault)
    }
}
