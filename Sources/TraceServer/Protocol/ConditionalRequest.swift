package import HTTPTypes

/// The conditions of a request and the range it asks for.
///
/// Source: RFC 9110, sections 13 and 14.
package struct ConditionalRequest: Sendable {
    /// How to continue.
    package enum Response: Hashable, Sendable {
        /// The request is carried out as if there were no conditions: 200 with all bytes, or the write.
        case whole
        /// 206 with these bytes.
        case part(ByteRange)
        /// 304.
        case notModified
        /// 412; nothing is written.
        case preconditionFailed
        /// 416.
        case rangeNotSatisfiable
    }

    private let method: HTTPRequest.Method
    private let fields: HTTPFields

    /// The conditions among the header fields of a request.
    package init(_ method: HTTPRequest.Method, _ fields: HTTPFields) {
        self.method = method
        self.fields = fields
    }

    /// Evaluates the conditions. They only apply to a request that would succeed without them,
    /// so authorization comes first.
    ///
    /// - Parameters:
    ///   - representation: nil if there is none yet: then only a write can succeed.
    ///   - now: For dates with years of two digits (``HTTPDate/init(_:now:)``).
    /// - Complexity: O(length of the fields).
    /// - Source: RFC 9110, section 13.2.2, in this order.
    package func answer(for representation: Representation?, now: HTTPDate) -> Response {
        if fields.contains(.ifMatch) {
            guard isMatched(by: representation) else { return .preconditionFailed }
        } else if let date = date(.ifUnmodifiedSince, now), representation?.modified != nil {
            guard isUnmodified(representation, since: date) else { return .preconditionFailed }
        }
        if fields.contains(.ifNoneMatch) {
            if let failure = failureOfIfNoneMatch(representation) { return failure }
        } else if method.isRead, let date = date(.ifModifiedSince, now),
            isUnmodified(representation, since: date)
        {
            return .notModified
        }
        return range(of: representation, now)
    }

    // MARK: - Conditions

    /// One line of a field; nil if there is none, or several: a date that appears to be a list is ignored.
    private func line(_ name: HTTPField.Name) -> String? {
        let values = fields[values: name]
        return values.count == 1 ? values.first : nil
    }

    private func date(_ name: HTTPField.Name, _ now: HTTPDate) -> HTTPDate? {
        line(name).flatMap { HTTPDate($0, now: now) }
    }

    /// `If-Match`. A malformed value matches nothing: to write although the condition is unknown is worse than a 412.
    ///
    /// A write concerns the resource, not the coding in which the client received it, so there the tag of either coding
    /// matches.
    ///
    /// Source: RFC 9110, section 13.1.1: strong comparison.
    private func isMatched(by representation: Representation?) -> Bool {
        guard let representation else { return false }
        switch EntityTagList(fields[values: .ifMatch]) {
        case .any: return true
        case .tags(let tags):
            guard let own = representation.tag else { return false }
            return tags.contains {
                method.isRead ? $0.matchesStrongly(own) : $0.identity.matchesStrongly(own.identity)
            }
        case nil: return false
        }
    }

    /// `If-None-Match`: nil if it is true, else 304 for a read and 412 for a write. A malformed value is ignored by a read,
    /// which only costs bytes, and fails a write.
    ///
    /// Source: RFC 9110, section 13.1.2: weak comparison.
    private func failureOfIfNoneMatch(_ representation: Representation?) -> Response? {
        let failure: Response = method.isRead ? .notModified : .preconditionFailed
        switch EntityTagList(fields[values: .ifNoneMatch]) {
        case .any: return representation == nil ? nil : failure
        case .tags(let tags):
            guard let own = representation?.tag else { return nil }
            return tags.contains { $0.matchesWeakly(own) } ? failure : nil
        case nil: return method.isRead ? nil : failure
        }
    }

    /// Whether it is certain that it was not changed after a date. A change within the very second of the date can only be ruled
    /// out if the file has rested.
    ///
    /// Source: RFC 9110, sections 13.1.3 and 13.1.4.
    private func isUnmodified(_ representation: Representation?, since date: HTTPDate) -> Bool {
        guard let representation, let modified = representation.modified else { return false }
        return representation.hasRested ? modified <= date : modified < date
    }

    // MARK: - Range

    /// Only `GET` has ranges.
    ///
    /// Source: RFC 9110, section 14.2.
    private func range(of representation: Representation?, _ now: HTTPDate) -> Response {
        guard method == .get, let representation, let ranges = line(.range).flatMap({ ByteRanges($0) }),
            !fields.contains(.ifRange) || isStillThat(representation, now)
        else { return .whole }
        switch ranges.selection(of: representation.size) {
        case .whole: return .whole
        case .part(let range): return .part(range)
        case .nothing: return .rangeNotSatisfiable
        }
    }

    /// `If-Range`: true for an equal strong tag, or for the exact date of a file that has rested. Otherwise, and if malformed, it
    /// is false, and the client gets all bytes.
    ///
    /// Source: RFC 9110, section 13.1.5.
    private func isStillThat(_ representation: Representation, _ now: HTTPDate) -> Bool {
        guard let value = line(.ifRange) else { return false }
        if let tag = EntityTag(value) {
            return representation.tag.map { tag.matchesStrongly($0) } ?? false
        }
        guard let date = HTTPDate(value, now: now) else { return false }
        return representation.hasRested && representation.modified == date
    }
}

extension HTTPRequest.Method {
    /// Whether it changes nothing, and may be answered with 304.
    var isRead: Bool { self == .get || self == .head }
}
