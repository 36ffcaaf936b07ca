/// The fields of a screen that has none.
public enum NoField: Hashable, Sendable {}
