import HelioCore

/// Pictures whose bytes contain their number and reference, so that a test knows whether received ones can be decoded.
enum TestPicture {
    static let sps: [UInt8] = [0x67, 0x42, 0xC0, 0x1F]
    static let pps: [UInt8] = [0x68, 0xCE, 0x38]
    static let startCode: [UInt8] = [0, 0, 0, 1]

    /// The label in a NAL unit of a picture.
    struct Label: Hashable {
        var number: Int
        var slice: Int
        var count: Int
    }

    /// Returns a slice of a picture; the first slice of a keyframe has parameter sets by default.
    static func slice(
        _ number: Int, slice: Int = 0, of count: Int = 1, isKeyframe: Bool = false, captured: Instant = .zero,
        padding: Int = 0, parameterSets: Bool = true
    ) -> EncodedSlice {
        var annexB: [UInt8] = []
        if isKeyframe, slice == 0, parameterSets { annexB += startCode + sps + startCode + pps }
        annexB += startCode + [isKeyframe ? 0x65 : 0x41] + Array("\(number)/\(slice)/\(count);".utf8)
        annexB += [UInt8](repeating: 0x55, count: padding)
        return EncodedSlice(
            frameIndex: UInt64(number), annexB: annexB, isFirst: slice == 0, isLast: slice == count - 1,
            isKeyframe: isKeyframe, timing: FrameTiming(damaged: captured, captured: captured))
    }

    /// The labels of an access unit's coded slices, in order; `nil` if one has no label.
    static func labels(_ annexB: [UInt8]) -> [Label]? {
        var labels: [Label] = []
        for unit in units(annexB) where unit[0] == 0x65 || unit[0] == 0x41 {
            let text = String(decoding: unit.dropFirst().prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
            let numbers = text.split(separator: "/").compactMap { Int($0) }
            guard numbers.count == 3 else { return nil }
            labels.append(Label(number: numbers[0], slice: numbers[1], count: numbers[2]))
        }
        return labels
    }

    /// Returns the NAL units without their start codes of 4 bytes.
    static func units(_ annexB: [UInt8]) -> [[UInt8]] {
        var units: [[UInt8]] = []
        var index = 0
        while index < annexB.count {
            if annexB[index...].starts(with: startCode) {
                units.append([])
                index += 4
            } else {
                units[units.count - 1].append(annexB[index])
                index += 1
            }
        }
        return units
    }
}
