internal import RecordFormat
internal import TraceFormat

/// Where in a session each marker stands, and of which category it is, in constant memory: markers of one category that a
/// picture could not show apart are one.
struct MarkerTicks: Sendable, Hashable {
    /// The number of places: more than a page has room for.
    static let placeCount = 2000

    private let length: SessionOffset
    /// Of each place, a bit for each category that is there, and one for markers without.
    private var places = [UInt8](repeating: 0, count: placeCount)

    /// - Returns: Nil for a session without a length, in which there are no places.
    init?(length: SessionOffset) {
        guard length > .zero else { return nil }
        self.length = length
    }

    mutating func add(_ offset: SessionOffset, _ category: MarkerCategory?) {
        places[length.index(of: offset, among: Self.placeCount)] |= Self.bit(category)
    }

    /// The places at which markers of a category stand, or of none.
    func places(of category: MarkerCategory?) -> [Int] {
        places.indices.filter { places[$0] & Self.bit(category) != 0 }
    }

    private static func bit(_ category: MarkerCategory?) -> UInt8 {
        switch category {
        case nil: 1
        case .highlight: 2
        case .structure: 4
        case .texture: 8
        case .fix: 16
        }
    }
}

extension SessionOffset {
    /// In which of `count` equal pieces of this length a place lies; the last one for what follows.
    ///
    /// - Precondition: This is greater than zero.
    func index(of offset: SessionOffset, among count: Int) -> Int {
        guard offset > .zero else { return 0 }
        guard offset < self else { return count - 1 }
        let product = offset.milliseconds.multipliedFullWidth(by: Int64(count))
        return Int(milliseconds.dividingFullWidth(product).quotient)
    }
}
