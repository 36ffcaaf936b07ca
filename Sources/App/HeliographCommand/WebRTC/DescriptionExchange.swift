/// The transport of descriptions to the other side and back.
protocol DescriptionExchange: Sendable {
    func give(_ description: SignalledDescription) async throws
    /// Waits for the other side's description.
    func take(_ kind: SignalledDescription.Kind) async throws -> SignalledDescription
}
