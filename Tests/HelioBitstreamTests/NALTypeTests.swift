import HelioBitstream
import HelioCore
import Testing

struct NALTypeTests {
    /// Row 145: 5 is IDR, 7 SPS, 8 PPS; other types are slices.
    @Test(arguments: [
        (UInt8(0x65), H264NALType.idr), (0x25, .idr), (0x67, .sps), (0x68, .pps), (0x06, .sei), (0x41, .slice),
        (0x09, .accessUnitDelimiter), (0x78, .stapA), (0x7C, .fuA),
    ])
    func readsH264(header: UInt8, type: H264NALType) {
        #expect(H264NALType(header: header) == type)
    }

    @Test(arguments: [
        (UInt8(0x40), H265NALType.vps), (0x42, .sps), (0x44, .pps), (0x4E, .prefixSEI), (0x28, .idr),
        (0x26, .idrWithLeading), (0x02, .trailing), (0x46, .accessUnitDelimiter), (0x60, .aggregation),
        (0x62, .fragment), (0xA9, .idr),
    ])
    func readsH265(header: UInt8, type: H265NALType) {
        #expect(H265NALType(header: header) == type)
    }

    @Test func sortsH264() {
        let all = (UInt8(0)...31).map { H264NALType(rawValue: $0) }
        #expect(all.filter(\.isVCL).map(\.rawValue) == [1, 2, 3, 4, 5])
        #expect(all.filter(\.isKeyframe) == [.idr])
        #expect(all.filter(\.isParameterSet) == [.sps, .pps])
        #expect(all.filter(\.isNALUnit).map(\.rawValue) == Array(1...23))
    }

    @Test func sortsH265() {
        let all = (UInt8(0)...63).map { H265NALType(rawValue: $0) }
        #expect(all.filter(\.isVCL).map(\.rawValue) == Array(0...31))
        #expect(all.filter(\.isKeyframe).map(\.rawValue) == Array(16...23))
        #expect(all.filter(\.isParameterSet) == [.vps, .sps, .pps])
        #expect(all.filter(\.isNALUnit).map(\.rawValue) == Array(0...47))
    }
}
