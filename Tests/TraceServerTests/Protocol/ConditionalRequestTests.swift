import HTTPTypes
import Testing

@testable import TraceServer

/// Conditions, their order, and what is left for a range.
struct ConditionalRequestTests {
    private static let now = HTTPDate(seconds: 1_770_000_000)
    private static let modified = HTTPDate(seconds: 784_111_777)
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let earlier = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let later = "Sun, 06 Nov 1994 08:49:38 GMT"
    private static let part = ConditionalRequest.Response.part(ByteRange(first: 0, last: 9))

    /// The answer for a file of 1000 bytes with the tag `"ab"`.
    private func answer(
        _ fields: [HTTPField.Name: String], isWeak: Bool = false, hasRested: Bool = true,
        modified: HTTPDate? = Self.modified
    ) -> ConditionalRequest.Response {
        answer(.get, fields, isWeak: isWeak, hasRested: hasRested, modified: modified)
    }

    private func answer(
        _ method: HTTPRequest.Method, _ fields: [HTTPField.Name: String], isWeak: Bool = false,
        hasRested: Bool = true, modified: HTTPDate? = Self.modified
    ) -> ConditionalRequest.Response {
        let there = Representation(
            size: 1000, tag: EntityTag(hash: [0xAB], isWeak: isWeak), modified: modified, hasRested: hasRested
        )
        return ConditionalRequest(method, HTTPFields(fields.map { HTTPField(name: $0, value: $1) }))
            .answer(for: there, now: Self.now)
    }

    // MARK: - If-Range

    @Test(arguments: [
        ("\"ab\"", true), (" \"ab\" ", true), ("W/\"ab\"", false), ("\"cd\"", false),
        ("\"ab\", \"cd\"", false),
        ("*", false), ("ab", false), ("", false), (Self.date, true), ("Sunday, 06-Nov-94 08:49:37 GMT", true),
        ("Sun Nov  6 08:49:37 1994", true), (Self.earlier, false), (Self.later, false),
    ])
    func `a range is sent only of exactly the version that the client has a part of`(
        value: String, isSent: Bool
    ) {
        #expect(answer([.range: "bytes=0-9", .ifRange: value]) == (isSent ? Self.part : .whole))
    }

    @Test func `neither a weak tag nor the date of a file that has not rested promises bytes`() {
        #expect(answer([.range: "bytes=0-9", .ifRange: "\"ab\""], isWeak: true) == .whole)
        #expect(answer([.range: "bytes=0-9", .ifRange: "W/\"ab\""], isWeak: true) == .whole)
        #expect(answer([.range: "bytes=0-9", .ifRange: Self.date], hasRested: false) == .whole)
    }

    @Test func `a range past the end is refused only of the version that was asked for`() {
        #expect(answer([.range: "bytes=1000-", .ifRange: "\"ab\""]) == .rangeNotSatisfiable)
        #expect(answer([.range: "bytes=1000-", .ifRange: "\"cd\""]) == .whole)
        #expect(answer([.ifRange: "\"ab\""]) == .whole)
    }

    // MARK: - If-None-Match

    @Test(arguments: ["*", "\"x\", \"y\", \"ab\"", "W/\"ab\"", "\"ab\"", ",,\"ab\",", " W/\"x\",W/\"ab\" "])
    func `a version that the client has is not sent again, with or without a range`(value: String) {
        #expect(answer([.ifNoneMatch: value]) == .notModified)
        #expect(answer(.head, [.ifNoneMatch: value]) == .notModified)
        #expect(answer([.ifNoneMatch: value, .range: "bytes=0-9"]) == .notModified)
        #expect(answer([.ifNoneMatch: value, .range: "bytes=1000-"]) == .notModified)
        #expect(answer([.ifNoneMatch: value], isWeak: true) == .notModified)
        #expect(answer(.put, [.ifNoneMatch: value]) == .preconditionFailed)
    }

    @Test(arguments: ["\"x\"", "\"ab-gz\"", "\"AB\""])
    func `another version is sent`(value: String) {
        #expect(answer([.ifNoneMatch: value]) == .whole)
        #expect(answer([.ifNoneMatch: value, .range: "bytes=0-9"]) == Self.part)
        #expect(answer(.put, [.ifNoneMatch: value]) == .whole)
    }

    @Test(arguments: ["ab", "\"ab", "*, \"ab\"", "*, *", "\"ab\" \"cd\"", "w/\"ab\"", "W/ \"ab\"", ""])
    func `a list that can't be read is ignored by a read and fails a write`(value: String) {
        #expect(answer([.ifNoneMatch: value]) == .whole)
        #expect(answer(.put, [.ifNoneMatch: value]) == .preconditionFailed)
        #expect(answer([.ifMatch: value]) == .preconditionFailed)
        #expect(answer(.patch, [.ifMatch: value]) == .preconditionFailed)
    }

    @Test func `the lines of a field are one list`() {
        var fields = HTTPFields()
        fields.append(HTTPField(name: .ifNoneMatch, value: "\"x\""))
        fields.append(HTTPField(name: .ifNoneMatch, value: "\"ab\""))
        let there = Representation(size: 1, tag: EntityTag(hash: [0xAB]), modified: nil, hasRested: true)
        #expect(ConditionalRequest(.get, fields).answer(for: there, now: Self.now) == .notModified)
    }

    // MARK: - If-Match

    @Test(arguments: ["\"ab\"", "*", "\"x\", \"ab\""])
    func `a write on the version that it is about is carried out`(value: String) {
        #expect(answer(.patch, [.ifMatch: value]) == .whole)
        #expect(answer([.ifMatch: value, .range: "bytes=0-9"]) == Self.part)
    }

    @Test(arguments: ["\"x\"", "W/\"ab\""])
    func `a write on another version is not`(value: String) {
        #expect(answer(.patch, [.ifMatch: value]) == .preconditionFailed)
        #expect(answer([.ifMatch: value]) == .preconditionFailed)
    }

    @Test func `a write does not depend on how its version was compressed on its way`() {
        #expect(answer(.patch, [.ifMatch: "\"ab-gz\""]) == .whole)
        #expect(answer([.ifMatch: "\"ab-gz\""]) == .preconditionFailed)
    }

    @Test func `a weak tag promises no bytes, so nothing is written on it`() {
        #expect(answer(.patch, [.ifMatch: "W/\"ab\""], isWeak: true) == .preconditionFailed)
        #expect(answer(.patch, [.ifMatch: "*"], isWeak: true) == .whole)
    }

    // MARK: - Dates

    @Test(arguments: [
        (Self.date, true), (Self.later, true), (Self.earlier, false), ("yesterday", false), ("", false),
    ])
    func `what was not changed since is not sent again`(date: String, isKept: Bool) {
        #expect(answer([.ifModifiedSince: date]) == (isKept ? .notModified : .whole))
        #expect(answer(.put, [.ifModifiedSince: date]) == .whole)
    }

    @Test(arguments: [(Self.date, false), (Self.later, true), (Self.earlier, false)])
    func `what has not rested may have changed in the very second`(date: String, isKept: Bool) {
        #expect(answer([.ifModifiedSince: date], hasRested: false) == (isKept ? .notModified : .whole))
        #expect(
            answer(.put, [.ifUnmodifiedSince: date], hasRested: false)
                == (isKept ? .whole : .preconditionFailed))
    }

    @Test(arguments: [
        (Self.date, true), (Self.later, true), (Self.earlier, false),
        ("Wed, 31 Dec 1969 23:59:59 GMT", false),
        ("yesterday", true),
    ])
    func `a write on what was changed since is not carried out`(date: String, isWritten: Bool) {
        #expect(answer(.put, [.ifUnmodifiedSince: date]) == (isWritten ? .whole : .preconditionFailed))
    }

    @Test func `without a time of change the dates don't matter`() {
        #expect(answer(.put, [.ifUnmodifiedSince: Self.earlier], modified: nil) == .whole)
        #expect(answer([.ifModifiedSince: Self.later], modified: nil) == .whole)
        #expect(answer([.range: "bytes=0-9", .ifRange: Self.date], modified: nil) == .whole)
    }

    @Test func `a date that is given twice is ignored`() {
        var fields = HTTPFields()
        for _ in 0..<2 { fields.append(HTTPField(name: .ifModifiedSince, value: Self.later)) }
        let there = Representation(size: 1, tag: nil, modified: Self.modified, hasRested: true)
        #expect(ConditionalRequest(.get, fields).answer(for: there, now: Self.now) == .whole)
    }

    // MARK: - Together

    @Test func `a tag counts more than a date`() {
        #expect(answer([.ifMatch: "\"ab\"", .ifUnmodifiedSince: Self.earlier]) == .whole)
        #expect(answer([.ifNoneMatch: "\"x\"", .ifModifiedSince: Self.later]) == .whole)
        #expect(answer([.ifNoneMatch: "nonsense", .ifModifiedSince: Self.later]) == .whole)
    }

    @Test func `a version that is another is found before one that the client has`() {
        #expect(answer([.ifMatch: "\"x\"", .ifNoneMatch: "\"ab\""]) == .preconditionFailed)
        #expect(answer([.ifMatch: "\"ab\"", .ifNoneMatch: "\"ab\""]) == .notModified)
    }

    @Test(arguments: [HTTPRequest.Method.head, .post, .put, .patch, .delete])
    func `only a read of the bytes has ranges`(method: HTTPRequest.Method) {
        #expect(answer(method, [.range: "bytes=0-9"]) == .whole)
        #expect(answer(method, [.range: "bytes=1000-"]) == .whole)
    }

    @Test func `two ranges in two lines are ignored`() {
        var fields = HTTPFields()
        for value in ["bytes=0-1", "bytes=2-3"] { fields.append(HTTPField(name: .range, value: value)) }
        let there = Representation(size: 1000, tag: nil, modified: nil, hasRested: true)
        #expect(ConditionalRequest(.get, fields).answer(for: there, now: Self.now) == .whole)
    }

    @Test(arguments: [
        ([HTTPField.Name.ifMatch: "*"], false), ([.ifMatch: "\"ab\""], false), ([.ifNoneMatch: "*"], true),
        ([.ifNoneMatch: "\"ab\""], true), ([:], true), ([.range: "bytes=0-9"], true),
    ])
    func `what is not there yet is written only without a version to be on`(
        fields: [HTTPField.Name: String], isWritten: Bool
    ) {
        let request = ConditionalRequest(.put, HTTPFields(fields.map { HTTPField(name: $0, value: $1) }))
        #expect(request.answer(for: nil, now: Self.now) == (isWritten ? .whole : .preconditionFailed))
    }
}
