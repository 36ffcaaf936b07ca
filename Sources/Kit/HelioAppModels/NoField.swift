/// The field type of a screen without text fields.
public enum NoField: Hashable, Sendable {}
