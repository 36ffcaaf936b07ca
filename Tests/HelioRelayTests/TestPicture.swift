import HelioCore

/// Pictures that say which they are and what they refer to, so that a test knows whether what came can be decoded.
enum TestPicture {
    static let sps: [UInt8] = [0x67, 0x42, 0xC0, 0x1F]
    static let pps: [UInt8] = [0x68, 0xCE, 0x38]
    static let startCode: [UInt8] = [0, 0, 0, 1]

    /// What a NAL unit of a picture says.
    struct Label: Hashable {
        var number: Int
        var slice: Int
        var count: Int
    }

    /// A slice of a picture; the first of a keyframe has parameter sets, unless told otherwise.
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

    /// What the coded slices of an access unit say, in order; `nil` if one is not of ours.
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

    /// The NAL units without start codes, of 4 bytes each.
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
