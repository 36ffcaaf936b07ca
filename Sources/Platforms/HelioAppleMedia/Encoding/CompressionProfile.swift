package import HelioCore

/// A profile that is requested of a compression session, each with the level that fits (row 87, defect 11).
package enum CompressionProfile: String, Sendable, Hashable, CaseIterable {
    case h264ConstrainedHigh = "Constrained High"
    case h264ConstrainedBaseline = "Constrained Baseline"
    case h264Main = "Main"
    case h264Baseline = "Baseline"
    case h265Main = "H.265 Main"

    /// The profiles to try, best first, in a mode of rate control.
    ///
    /// Apple's documents on low-latency rate control mention only Constrained High and Constrained Baseline; without it
    /// the spec's own two are requested.
    ///
    /// - Parameter forced: a requested `profile_idc`: only profiles that fit it are returned; with low latency perhaps
    ///   none, otherwise all if none fits. `nil`, or a value of no known profile, returns all.
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
