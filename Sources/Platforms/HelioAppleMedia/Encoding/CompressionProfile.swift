package import HelioCore

/// A profile that a compression session is asked for, each with the level that fits (row 87, defect 11).
package enum CompressionProfile: String, Sendable, Hashable, CaseIterable {
    case h264ConstrainedHigh = "Constrained High"
    case h264ConstrainedBaseline = "Constrained Baseline"
    case h264Main = "Main"
    case h264Baseline = "Baseline"
    case h265Main = "H.265 Main"

    /// The profiles to try, best first, in a mode of rate control.
    ///
    /// Apple's texts on low-latency rate control speak of Constrained High and Constrained Baseline alone; without it
    /// the spec's own two are asked for.
    ///
    /// - Parameter forced: a `profile_idc` that was asked for: only those that fit it; with low latency perhaps none.
    ///   Without it, or where it is none of these, all of them.
    package static func choices(_ codec: VideoCodec, lowLatency: Bool, forced: UInt8?) -> [Self] {
        if codec == .h265 { return [.h265Main] }
        let all: [Self] = lowLatency ? [.h264ConstrainedHigh, .h264ConstrainedBaseline] : [.h264Main, .h264Baseline]
        let known = allCases.filter { $0 != .h265Main }
        guard let forced, known.contains(where: { $0.indication == forced }) else { return all }
        let fitting = all.filter { $0.indication == forced }
        return fitting.isEmpty && !lowLatency ? all : fitting
    }

    /// `profile_idc` of ITU-T H.264 section A.2 and of H.265 section A.3.
    var indication: UInt8 {
        switch self {
        case .h264ConstrainedHigh: 100
        case .h264ConstrainedBaseline, .h264Baseline: 66
        case .h264Main: 77
        case .h265Main: 1
        }
    }
}
