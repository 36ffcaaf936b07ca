import HelioCore

/// The platforms of a session's source and sink.
enum Way: String, CaseIterable {
    case appleToLinux
    case linuxToApple
    case appleToApple

    /// The directions with an Apple source.
    static let fromApple: [Way] = [.appleToLinux, .appleToApple]
    /// The directions with an Apple sink.
    static let toApple: [Way] = [.linuxToApple, .appleToApple]

    /// The colour description of the transmitted pictures.
    var color: ColorDescription { self == .linuxToApple ? .bt709By601 : .bt709 }
}
