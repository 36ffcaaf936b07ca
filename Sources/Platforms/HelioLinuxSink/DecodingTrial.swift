internal import HelioCore
private import HelioGround

/// Measures how long software and a device take to decode a moving picture.
enum DecodingTrial {
    /// The number of pictures in a trial: a keyframe, which starts the decoder and is not measured, followed by moving
    /// pictures.
    private static let pictures = 4

    /// Returns the decoding times for pictures of a size; `nil` if the device does not decode them, FFmpeg has no
    /// encoder to make them, or the deadline has passed.
    static func times(
        _ codec: VideoCodec, _ size: PixelSize, by device: any DecodingDevice, until deadline: Instant
    ) -> DecodingTimes? {
        guard let stream = TrialStream(codec, size) else { return nil }
        var units: [[UInt8]] = []
        for number in 0..<pictures {
            guard MonotonicClock.now < deadline, let unit = stream.next(number) else { return nil }
            units.append(unit)
        }
        guard let inDevice = time(units, codec, by: device, until: deadline),
            let inSoftware = time(units, codec, by: nil, until: deadline)
        else { return nil }
        return DecodingTimes(software: inSoftware, device: inDevice)
    }

    /// Returns the median decoding time of the pictures after the first, including the copy to system memory; `nil` if
    /// it can't be measured.
    private static func time(
        _ units: [[UInt8]], _ codec: VideoCodec, by device: (any DecodingDevice)?, until deadline: Instant
    ) -> Duration? {
        guard let decoder = try? FFmpegDecoder(codec, device: device, usesPatches: false) else { return nil }
        var times: [Duration] = []
        for (number, unit) in units.enumerated() {
            let start = MonotonicClock.now
            guard start < deadline,
                (try? decoder.decodePart(
                    unit, isFirst: true, isLast: true, isKeyframe: number == 0, frameIndex: UInt64(number), mediaTime: 0
                ))
                    != nil,
                decoder.decodedByHardware == (device != nil)
            else { return nil }
            if number > 0 { times.append(MonotonicClock.now - start) }
        }
        times.sort()
        return times.isEmpty ? nil : times[times.count / 2]
    }
}
