import HelioADBWire
import HelioCore
import Testing

@Suite("Requests to adb's server")
struct ADBRequestTests {
    @Test(
        "each has its length in hexadecimal digits",
        arguments: [
            (ADBRequest.version, "000chost:version"), (.devices, "000ehost:devices-l"),
            (.trackDevices, "0012host:track-devices"), (.transport(serial: "AB12"), "0013host:transport:AB12"),
            (.run("id"), "0007exec:id"), (.sync, "0005sync:"),
            (.abstractSocket("helio"), "0013localabstract:helio"),
        ])
    func bytes(request: ADBRequest, text: String) {
        #expect(request.serialised == Array(text.utf8))
    }

    @Test("one that is too long is known as such") func tooLong() {
        #expect(ADBRequest.run(String(repeating: "x", count: 4096)).serialised == nil)
    }

    @Test("a file goes in pieces") func file() {
        let file = [UInt8](repeating: 7, count: ADBSync.longestPiece + 1)
        let bytes = ADBSync.send(file, to: "/a", mode: 0o644, time: 1)
        let head = Array("SEND".utf8) + [8, 0, 0, 0] + Array("/a,33188".utf8) + Array("DATA".utf8) + [0, 0, 1, 0]
        #expect(Array(bytes.prefix(head.count)) == head)
        let tail = Array("DATA".utf8) + [1, 0, 0, 0, 7] + Array("DONE".utf8) + [1, 0, 0, 0]
        #expect(Array(bytes.suffix(tail.count)) == tail)
        #expect(bytes.count == head.count + ADBSync.longestPiece + tail.count)
    }
}
