import HelioCore
import HelioSDP
import Testing

struct H264ParametersTests {
    /// RFC 6184 table 5, with both values of the bits that are ignored.
    @Test(arguments: [
        ("42e01f", H264Profile.constrainedBaseline), ("42c01f", .constrainedBaseline), ("42401f", .constrainedBaseline),
        ("4d801f", .constrainedBaseline), ("4DE01F", .constrainedBaseline), ("58c01f", .constrainedBaseline),
        ("42001f", .baseline), ("42801f", .baseline), ("58801f", .baseline), ("58a01f", .baseline),
        ("4d001f", .main), ("4d401f", .main), ("58001f", .extended), ("58301f", .extended),
        ("64001f", .high), ("640c1f", .constrainedHigh), ("6e001f", .high10), ("7a001f", .high422),
        ("f4001f", .high444Predictive),
    ])
    func profiles(text: String, profile: H264Profile) throws {
        let read = try #require(H264ProfileLevel(text))
        #expect(read.profile == profile)
        #expect(read.level.idc == 31)
        #expect(H264ProfileLevel(read.text) == read)
    }

    @Test(arguments: [
        "", "42e01", "42e01ff", "42e01g", "+2e01f", "42e11f", "4d201f", "64101f", "f4101f", "2c101f", "42e000",
        "42e0ff",
        "42e00e", "00001f",
    ])
    func refused(text: String) {
        #expect(H264ProfileLevel(text) == nil)
    }

    @Test(arguments: H264Profile.allCases)
    func everyProfileIsWrittenAsItIsRead(profile: H264Profile) throws {
        for idc in [9, 10, 11, 31, 62] as [UInt8] {
            let value = H264ProfileLevel(profile, try #require(H264Level(idc: idc)))
            #expect(H264ProfileLevel(value.text) == value)
        }
    }

    /// ITU-T H.264 table A-1: level 1b is signalled by a flag in some profiles, and by a level_idc of its own in
    /// others.
    @Test func level1b() throws {
        #expect(H264ProfileLevel("42f00b")?.level.idc == 9)
        #expect(H264ProfileLevel("42e00b")?.level.idc == 11)
        #expect(H264ProfileLevel("640009")?.level.idc == 9)
        let level = try #require(H264Level(idc: 9))
        #expect(H264ProfileLevel(.constrainedBaseline, level).text == "42f00b")
        #expect(H264ProfileLevel(.high, level).text == "640009")
        let sorted = [11, 62, 9, 10, 31].compactMap { H264Level(idc: $0) }.sorted()
        #expect(sorted.map(\.idc) == [10, 9, 11, 31, 62])
    }

    private func parameters(_ text: String) -> H264FormatParameters? {
        H264FormatParameters(FormatParameters(attributeValue: "96 \(text)"))
    }

    @Test func whatIsNotSaid() {
        let silent = H264FormatParameters(nil)
        #expect(silent?.profileLevel.text == "42e01f")
        #expect(silent?.packetizationMode == 0)
        #expect(silent?.allowsLevelAsymmetry == false)
        let full = parameters("level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=f40034")
        #expect(full?.profileLevel.profile == .high444Predictive)
        #expect(full?.profileLevel.level.idc == 52)
        #expect(full?.packetizationMode == 1)
        #expect(full?.allowsLevelAsymmetry == true)
        #expect(full?.parameters.count == 3)
        #expect(parameters("sprop-parameter-sets=Z0LAH,aM4=")?.packetizationMode == 0)
    }

    @Test(arguments: [
        "packetization-mode=3", "packetization-mode=x", "packetization-mode", "profile-level-id=42", "profile-level-id",
    ])
    func badParameters(text: String) {
        #expect(parameters(text) == nil)
    }
}
