package import RecordFormat
package import TestSupport
package import TraceFormat

/// Numbers as a broken clock or a slip makes them, and records that bear such.
package enum ExtremeNumbers {
    /// Numbers at which something ends, those beside them, and any others.
    package static func number(_ random: inout SeededRandom) -> Int64 {
        let ends: [Int64] = [
            .min, -253_402_300_799_999, -62_167_219_200_000, -86_400_000, -1, 0, 1, 999, 59_999, 3_599_999,
            86_400_000,
            4_294_967_296, 9_223_372_036_854, 253_402_300_799_999, 1 << 53, 1 << 62, .max / 1000, .max / 2,
            .max,
        ]
        let end = random.element(of: ends)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return .random(in: .min ... .max, using: &random)
        case 1: return end &+ .random(in: -2...2, using: &random)
        default: return end
        }
    }

    package static func offset(_ random: inout SeededRandom) -> SessionOffset {
        let number = number(&random)
        return SessionOffset(milliseconds: number < 0 ? .max &+ number &+ 1 : number)
    }

    package static func session(_ random: inout SeededRandom) -> Session {
        var session = RecordSample.session(
            status: Bool.random(using: &random) ? .active : .closed, length: nil)
        session.startTime = Timestamp(milliseconds: number(&random))
        if Bool.random(using: &random) { session.endTime = Timestamp(milliseconds: number(&random)) }
        if Bool.random(using: &random) { session.duration = offset(&random) }
        return session
    }

    package static func markers(_ random: inout SeededRandom) -> [Marker] {
        (0..<8).map { number in
            RecordSample.marker(
                number, at: offset(&random).milliseconds, "Take \(number)",
                tags: [random.element(of: ["highlight", "fix-review", "structure", "x"])],
                duration: Bool.random(using: &random) ? offset(&random).milliseconds : nil)
        }
    }
}
