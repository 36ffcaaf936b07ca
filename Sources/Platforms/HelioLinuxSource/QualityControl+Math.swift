private import Glibc

func log2of(_ x: Double) -> Double { log2(x) }
func exp2of(_ x: Double) -> Double { exp2(x) }
