/// Syntax structures of ITU-T H.265 that have to be parsed to reach the needed fields of a parameter set.
enum H265Syntax {
    /// Reads `profile_tier_level` with `profilePresentFlag` set (section 7.3.3), and returns `general_profile_idc` and
    /// `general_level_idc`.
    static func profileAndLevel(
        _ reader: inout BitReader, subLayers: Int
    ) throws(BitstreamError) -> (profile: UInt8, level: UInt8) {
        let profile = UInt8(truncatingIfNeeded: try reader.bits(8) & 0x1F)
        try reader.skip(80)  // compatibility, source and constraint flags
        let level = try reader.byte()
        guard subLayers > 0 else { return (profile, level) }
        var present: [(profile: Bool, level: Bool)] = []
        for _ in 0..<subLayers { present.append((try reader.flag(), try reader.flag())) }
        try reader.skip(2 * (8 - subLayers))
        for layer in present { try reader.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) }
        return (profile, level)
    }

    /// Skips `scaling_list_data` (section 7.3.4).
    static func skipScalingLists(_ reader: inout BitReader) throws(BitstreamError) {
        for size in 0..<4 {
            for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                guard try reader.flag() else {  // scaling_list_pred_mode_flag
                    _ = try reader.unsigned(atMost: 5)
                    continue
                }
                if size > 1 { _ = try reader.signed() }
                for _ in 0..<min(64, 1 << (4 + size * 2)) { _ = try reader.signed() }
            }
        }
    }

    /// Skips `num_short_term_ref_pic_sets` and each `st_ref_pic_set` (section 7.3.7).
    static func skipReferenceSets(_ reader: inout BitReader) throws(BitstreamError) {
        var previous: ReferenceSet?
        for _ in 0..<(try reader.unsigned(atMost: 64)) {
            if let reference = previous, try reader.flag() {  // inter_ref_pic_set_prediction_flag
                previous = try predictedSet(&reader, from: reference)
            } else {
                previous = try explicitSet(&reader)
            }
        }
    }

    /// A short-term reference picture set: the picture order distances of reference pictures before and after the
    /// current picture, nearest first. Sets are parsed because each set's length depends on the previous set.
    private struct ReferenceSet {
        var before: [Int] = []
        var after: [Int] = []
    }

    private static func explicitSet(_ reader: inout BitReader) throws(BitstreamError) -> ReferenceSet {
        let before = Int(try reader.unsigned(atMost: 16))
        let after = Int(try reader.unsigned(atMost: 16))
        var set = ReferenceSet()
        var distance = 0
        for _ in 0..<before {
            distance -= Int(try reader.unsigned(atMost: 0x7FFF)) + 1
            set.before.append(distance)
            try reader.skip(1)  // used_by_curr_pic_s0_flag
        }
        distance = 0
        for _ in 0..<after {
            distance += Int(try reader.unsigned(atMost: 0x7FFF)) + 1
            set.after.append(distance)
            try reader.skip(1)  // used_by_curr_pic_s1_flag
        }
        return set
    }

    /// Reads a set that is predicted from another set (equations 7-61 and 7-62).
    private static func predictedSet(
        _ reader: inout BitReader, from reference: ReferenceSet
    ) throws(BitstreamError) -> ReferenceSet {
        let isNegative = try reader.flag()  // delta_rps_sign
        let magnitude = Int(try reader.unsigned(atMost: 0x7FFF)) + 1
        let delta = isNegative ? -magnitude : magnitude
        // The reference set's own picture, at the distance `delta`, comes last.
        let moved = (reference.before + reference.after + [0]).map { $0 + delta }
        var kept: [Int] = []
        for distance in moved {
            let isUsed = try reader.flag()  // used_by_curr_pic_flag
            if isUsed { kept.append(distance) } else if try reader.flag() { kept.append(distance) }
        }
        let set = ReferenceSet(
            before: kept.filter { $0 < 0 }.sorted(by: >), after: kept.filter { $0 > 0 }.sorted())
        guard set.before.count <= 16, set.after.count <= 16 else { throw .invalid }
        return set
    }
}
