/// A constant list that lives as long as the process: passing it around needs no reference counting, which matters where a
/// million lines are checked against it.
package struct StaticList<Element: Sendable & BitwiseCopyable>: RandomAccessCollection,
    ExpressibleByArrayLiteral,
    BitwiseCopyable, @unchecked Sendable
{
    /// Soundness of the pointer and of `@unchecked Sendable`: the memory is initialised once, before the list can be
    /// seen, never written again and never freed.
    private let elements: UnsafeBufferPointer<Element>

    init(_ elements: [Element]) {
        let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
        _ = memory.initialize(from: elements)
        self.elements = UnsafeBufferPointer(memory)
    }

    package init(arrayLiteral elements: Element...) { self.init(elements) }

    package var startIndex: Int { 0 }
    package var endIndex: Int { elements.count }
    package subscript(position: Int) -> Element { elements[position] }
}
