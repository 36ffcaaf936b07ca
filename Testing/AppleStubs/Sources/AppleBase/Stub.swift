/// Stands for what Apple's framework does. Nothing that is type-checked against these declarations is ever run.
public func stub(_ name: StaticString = #function) -> Never { fatalError("\(name) is declared, not there") }
