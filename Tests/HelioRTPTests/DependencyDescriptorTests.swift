import HelioBitstream
import HelioCore
import HelioRTP
import Testing

/// Handwritten vectors, bit by bit from the syntax in the AV1 RTP specification.
@Suite("Dependency descriptor") struct DependencyDescriptorTests {
    private static let vectors: [(DependencyDescriptor, String)] = [
        (DependencyDescriptor(isFirst: true, isLast: false, template: .followsPrevious, number: 0x1234), "81 1234"),
        (DependencyDescriptor(isFirst: false, isLast: false, template: .followsPrevious, number: 0xFFFF), "01 FFFF"),
        (DependencyDescriptor(isFirst: false, isLast: true, template: .followsPrevious, number: 0), "41 0000"),
        // A repair picture in one packet.
        (DependencyDescriptor(isFirst: true, isLast: true, template: .independent, number: 7), "C0 0007"),
        // 0 0010, 11, 0000 0000 0010, 00 and three zeros; the largest frame difference.
        (
            DependencyDescriptor(isFirst: true, isLast: true, template: .followsPrevious, number: 9, back: 3),
            "C1 0009 16 00 40"
        ),
        (
            DependencyDescriptor(isFirst: true, isLast: false, template: .followsPrevious, number: 9, back: 4096),
            "81 0009 17 FF E0"
        ),
        // 1 0000, 000000, 00000, 00 11, 10 11, 0, 1 0000 0, 0, 0.
        (
            DependencyDescriptor(
                isFirst: true, isLast: false, template: .independent, number: 1,
                structure: DependencyDescriptor.Structure(size: nil)), "80 0001 80 00 3B 40 00"
        ),
        // The same with a resolution of 1919 and 1079 in 16 bits each, and 7 zeros.
        (
            DependencyDescriptor(
                isFirst: true, isLast: false, template: .independent, number: 2,
                structure: DependencyDescriptor.Structure(size: PixelSize(width: 1920, height: 1080))),
            "80 0002 80 00 3B 40 83 BF 82 1B 80"
        ),
        (
            DependencyDescriptor(
                isFirst: true, isLast: true, template: .independent, number: 3,
                structure: DependencyDescriptor.Structure(size: PixelSize(width: 65_536, height: 1))),
            "C0 0003 80 00 3B 40 FF FF 80 00 00"
        ),
    ]

    @Test(arguments: vectors.indices) func golden(index: Int) {
        let (value, digits) = Self.vectors[index]
        let data = hex(digits)
        #expect(value.element(id: 5) == RTPHeaderExtension.Element(id: 5, data: data))
        #expect(value.size == data.count && data.count <= DependencyDescriptor.largestSize)
        #expect(DependencyDescriptor(data: data.span.bytes) == value)
    }

    @Test(
        "another structure, another template and another length are refused",
        arguments: [
            "", "81", "81 12", "82 1234", "BF 1234", "81 1234 00", "81 1234 80", "80 0001 80 00 3B 40",
            // Two decode targets; a next layer; an additional frame difference; a chain.
            "80 0001 80 01 3B 40 00", "80 0001 80 00 5B 40 00", "80 0001 80 00 3B 42 00", "80 0001 80 00 3B 41 00",
            // A frame difference of another size, with trailing data, on a later packet, and with the other template.
            "81 0009 14 00 40", "81 0009 16 00 41", "81 0009 16 00 48", "01 0009 16 00 40", "80 0009 16 00 40",
            // A structure on a packet that is not a frame's first.
            "00 0001 80 00 3B 40 00",
            // Without a resolution, too long; with one, too short or too long; and non-zero padding.
            "80 0001 80 00 3B 40 00 00", "80 0002 80 00 3B 40 83 BF 82 1B", "80 0002 80 00 3B 40 83 BF 82 1B 80 00",
            "80 0002 80 00 3B 40 83 BF 82 1B 81", "80 0001 80 00 3B 40 01",
        ])
    func refused(digits: String) {
        #expect(DependencyDescriptor(data: hex(digits).span.bytes) == nil)
    }

    @Test func whatItSaysComesBack() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<1000 {
            let isFirst = Bool.random(using: &random)
            var value = DependencyDescriptor(
                isFirst: isFirst, isLast: .random(using: &random),
                template: Bool.random(using: &random) ? .independent : .followsPrevious,
                number: .random(in: 0 ... .max, using: &random))
            if isFirst, Bool.random(using: &random) {
                let size = PixelSize(
                    width: .random(in: 1...65_536, using: &random), height: .random(in: 1...65_536, using: &random))
                value.structure = DependencyDescriptor.Structure(size: Bool.random(using: &random) ? size : nil)
            } else if isFirst, Bool.random(using: &random) {
                value.template = .followsPrevious
                value.back = .random(in: 1...DependencyDescriptor.mostBack, using: &random)
            }
            let data = value.element(id: 1).data
            #expect(data.count == value.size)
            #expect(DependencyDescriptor(data: data.span.bytes) == value)
        }
    }

    @Test func aSizeThatDoesNotFitIsNotStated() {
        for size in [PixelSize(width: 0, height: 5), PixelSize(width: 5, height: 65_537)] {
            #expect(DependencyDescriptor.Structure(size: size).size == nil)
        }
    }

    @Test("the size of the pictures is read where a keyframe begins", arguments: [40, 1200])
    func pictureSize(largestPayload: Int) {
        let sps = hex("00000001 67 42C01F95A01E0089F950")
        let pps = hex("00000001 68 CE3C80")
        func slice(isKeyframe: Bool, isFirst: Bool = true, _ annexB: [UInt8]) -> PacketizedSlice {
            PacketizedSlice(
                EncodedSlice(
                    frameIndex: 0, annexB: annexB, isFirst: isFirst, isLast: true, isKeyframe: isKeyframe,
                    timing: FrameTiming(damaged: .zero, captured: .zero)), codec: .h264,
                largestPayload: largestPayload)
        }
        let picture = hex("00000001 65 88") + [UInt8](repeating: 7, count: 100)
        let parameters = slice(isKeyframe: true, sps + pps + picture).sequenceParameters
        #expect(parameters?.size == PixelSize(width: 1920, height: 1080) && parameters?.frameNumberBits == 8)
        #expect(slice(isKeyframe: true, picture).sequenceParameters == nil)
        #expect(slice(isKeyframe: true, isFirst: false, sps + pps + picture).sequenceParameters == nil)
        #expect(slice(isKeyframe: false, sps + pps + picture).sequenceParameters == nil)
    }
}
