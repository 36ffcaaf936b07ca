/// A command with options that are not taken from the configuration file.
///
/// The options of all other commands are, so that a new option is in the file without further ado.
protocol NotConfigured {
    /// The options that are for one call alone, without their dashes; `nil` for all options.
    static var onlyTyped: Set<String>? { get }
}
