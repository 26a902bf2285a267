package import RecordFormat
internal import TraceFormat
internal import TraceIndex

/// How the markers of a session are spread over a stretch of it.
package struct StripAnswer: Sendable, Hashable {
    let strip: MarkerStrip

    /// How many markers each cell holds, by category, and how many precede it in the stretch.
    ///
    /// A marker of two categories counts in both, but once in `total` and `before`; `other` are those without any.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.member("cells", JSONText(Int64(strip.counts.count)))
            object.member("offset_min", JSONText(strip.offsets.lowerBound))
            object.member("offset_max", JSONText(strip.offsets.upperBound))
            object.member("total", JSONText(Int64(strip.total)))
            object.member(
                "categories",
                .object { object in
                    for category in MarkerCategory.allCases {
                        object.member(category.rawValue, Self.numbers(strip.categories[category] ?? []))
                    }
                    object.member("other", Self.numbers(strip.others))
                })
            object.member("before", Self.numbers(strip.before))
        }
    }

    /// There are thousands of them: each is written into the one text, and none has a text of its own.
    private static func numbers(_ numbers: [Int]) -> JSONText {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 + numbers.count * 3)
        bytes.append(UInt8(ascii: "["))
        for (index, number) in numbers.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            // A count is not negative.
            if number < 10 {
                bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number))
            } else {
                bytes.append(contentsOf: String(number).utf8)
            }
        }
        bytes.append(UInt8(ascii: "]"))
        return JSONText(verbatim: bytes)
    }
}
