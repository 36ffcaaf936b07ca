import HelioAndroid
import HelioCore
import HelioSharing
import Testing

@testable import Heliograph

extension SDKTests {
    @Test("a phone that ends for good before its source is there ends the start; later it ends the source")
    func phoneEnds() async throws {
        let ready = AndroidEvent.ready(
            serial: "P", model: "Maker Phone", screen: PixelSize(width: 640, height: 480), encoders: [])
        try await withSource { source in
            let early = PhoneReceiver(PhonePlugin(), onWait: { _ in })
            early.take(ready)
            early.take(.failed(.noEncoder))
            #expect(try await early.ready().serial == "P")
            let error = #expect(throws: HelioError.self) { try early.begin(source, nil, video: Self.video) }
            #expect(error?.message == AndroidTrouble.noEncoder.error.message)

            let late = PhoneReceiver(PhonePlugin(), onWait: { _ in })
            late.take(ready)
            try late.begin(source, nil, video: Self.video)
            late.take(.failed(.captureFailed("no")))
            var failure: HelioError?
            for await event in source.events { if case .failed(let error) = event { failure = error } }
            #expect(failure?.code == .captureFailed)
        }
    }
}
