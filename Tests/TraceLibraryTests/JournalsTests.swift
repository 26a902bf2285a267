import Journals
import RecordFormat
import SystemPackage
import Testing
import TraceStore

/// What the list of all kinds of journal promises to those who go by numbers and names.
struct JournalsTests {
    private let layouts = Journals.all.formats.map(\.layout)

    @Test func `a kind of entry has a number, a name and a file of its own`() {
        let entries = layouts.flatMap(\.entryKinds)
        #expect(Set(entries.map(\.kind)).count == entries.count)
        #expect(Set(entries.map(\.name)).count == entries.count)
        for entry in entries {
            #expect(
                layouts.flatMap(\.files).count { $0.entryKinds.contains(entry.kind) } == 1, "\(entry.name)")
        }
    }

    @Test func `a kind of journal has a name and a header of its own`() {
        #expect(Set(layouts.map(\.kind)).count == layouts.count)
        #expect(Set(layouts.compactMap(\.names.first)).count == layouts.count)
    }

    @Test func `a rule of several kinds is one rule`() {
        for rule in layouts.flatMap(\.rules) { #expect(Journals.all.rule(named: rule.id) == rule) }
        #expect(Set(Journals.all.rules.map(\.id)).count == Journals.all.rules.count)
    }

    @Test func `a layout names its files as its format does`() {
        for format in Journals.all.formats {
            #expect(format.layout.files.map(\.baseName) == format.fileNames.map(\.string))
        }
    }
}
