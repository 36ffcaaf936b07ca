/// Exchanges the session descriptions of a WebRTC connection between the two sides, through the terminal or files.
protocol DescriptionExchange: Sendable {
    func give(_ description: SignalledDescription) async throws
    /// Waits for the other side's description.
    func take(_ kind: SignalledDescription.Kind) async throws -> SignalledDescription
}
