import HelioADBWire
import Testing

@Suite("Answers of adb's server")
struct ADBReaderTests {
    @Test("a status and a block, wherever the stream is cut") func everyCut() throws {
        let bytes = Array("OKAY0005helloFAIL0006closed".utf8)
        for cut in 0...bytes.count {
            var reader = ADBReader()
            var seen: [String] = []
            for part in [bytes[..<cut], bytes[cut...]] {
                reader.append(Array(part))
                if seen.isEmpty, try reader.takeStatus() == .okay { seen.append("okay") }
                if seen.count == 1, let block = try reader.takeBlock() {
                    seen.append(String(decoding: block, as: UTF8.self))
                }
                if seen.count == 2, case .fail(let reason)? = try reader.takeStatus() { seen.append(reason) }
            }
            #expect(seen == ["okay", "hello", "closed"], "cut at \(cut)")
            #expect(reader.bufferedByteCount == 0)
        }
    }

    @Test("raw bytes of a service follow its status") func raw() throws {
        var reader = ADBReader()
        reader.append(Array("OKAYraw".utf8))
        #expect(try reader.takeStatus() == .okay)
        #expect(reader.takeRest() == Array("raw".utf8))
        #expect(reader.takeRest().isEmpty)
    }

    @Test("hostile answers throw", arguments: ["WHAT", "FAILxyz1", "FAIL-001a"])
    func hostile(text: String) {
        var reader = ADBReader()
        reader.append(Array(text.utf8))
        #expect(throws: ADBWireError.self) { try reader.takeStatus() }
    }

    @Test("a file's status, and the end of a transfer") func transfer() throws {
        var reader = ADBReader()
        reader.append(Array("STAT".utf8) + [0xA4, 0x81, 0, 0, 5, 0, 0, 0, 9, 0, 0, 0])
        let status = try #require(try reader.takeFileStatus())
        #expect(status.mode == 0x81A4 && status.size == 5 && status.time == 9)
        reader.append(Array("OKAY".utf8) + [0, 0, 0, 0])
        #expect(try reader.takeTransferStatus() == .okay)
        reader.append(Array("FAIL".utf8) + [4, 0, 0, 0] + Array("full".utf8))
        #expect(try reader.takeTransferStatus() == .fail("full"))
        reader.append(Array("FAIL".utf8) + [0, 0, 1, 0])
        #expect(throws: ADBWireError.wrongLength) { try reader.takeTransferStatus() }
    }
}
