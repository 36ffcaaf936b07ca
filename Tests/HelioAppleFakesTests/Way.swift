import HelioCore

/// From which machine to which.
enum Way: String, CaseIterable {
    case appleToLinux
    case linuxToApple
    case appleToApple

    /// Those that begin at Apple's adapters.
    static let fromApple: [Way] = [.appleToLinux, .appleToApple]
    /// Those that end there.
    static let toApple: [Way] = [.linuxToApple, .appleToApple]

    /// The colour of the pictures that it carries.
    var color: ColorDescription { self == .linuxToApple ? .bt709By601 : .bt709 }
}
