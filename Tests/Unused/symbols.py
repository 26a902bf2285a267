"""What the compiler's index says of declarations and of who uses them: `libIndexStore` of the toolchain, by its C interface.

Source: indexstore/indexstore.h of LLVM, as Swift has it.
"""

import ctypes
from dataclasses import dataclass, field
from pathlib import Path

# Roles of an occurrence, and of its relations to others.
DEFINITION, REFERENCE = 1 << 1, 1 << 2
CHILD_OF, OVERRIDE_OF, EXTENDED_BY, ACCESSOR_OF, CONTAINED_BY = 1 << 9, 1 << 11, 1 << 14, 1 << 15, 1 << 16
KINDS = {
    5: "enum", 6: "struct", 7: "class", 8: "protocol", 11: "typealias", 12: "function", 13: "variable", 15: "case", 16: "method", 17: "method",
    18: "method", 19: "property", 20: "property", 21: "property", 22: "initializer",
}
TYPES = {"enum", "struct", "class", "protocol", "typealias"}


class Text(ctypes.Structure):
    """A string that the library lends."""
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


@dataclass
class Symbol:
    """A declaration, and where it is mentioned: by the file, and what contains the mention."""
    usr: str
    name: str = ""
    kind: str = ""
    place: tuple = ()
    parents: set = field(default_factory=set)
    implements: set = field(default_factory=set)
    accessor_of: str = ""
    mentions: set = field(default_factory=set)


class Index:
    """The declarations of index stores, by their USR."""

    def __init__(self, library):
        self.library = ctypes.CDLL(str(library))
        pointer = ctypes.c_void_p
        self.each = ctypes.CFUNCTYPE(ctypes.c_bool, pointer, pointer)
        for name, result, arguments in [
            ("store_create", pointer, [ctypes.c_char_p, pointer]),
            ("record_reader_create", pointer, [pointer, ctypes.c_char_p, pointer]),
            ("record_reader_dispose", None, [pointer]),
            ("record_reader_occurrences_apply_f", ctypes.c_bool, [pointer, pointer, self.each]),
            ("occurrence_get_symbol", pointer, [pointer]),
            ("occurrence_get_roles", ctypes.c_uint64, [pointer]),
            ("occurrence_get_line_col", None, [pointer, ctypes.POINTER(ctypes.c_uint), ctypes.POINTER(ctypes.c_uint)]),
            ("occurrence_relations_apply_f", ctypes.c_bool, [pointer, pointer, self.each]),
            ("symbol_relation_get_roles", ctypes.c_uint64, [pointer]),
            ("symbol_relation_get_symbol", pointer, [pointer]),
            ("symbol_get_usr", Text, [pointer]),
            ("symbol_get_name", Text, [pointer]),
            ("symbol_get_kind", ctypes.c_int, [pointer]),
        ]:
            function = getattr(self.library, f"indexstore_{name}")
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)
        self.symbols = {}

    def add(self, store, files):
        """Adds what the store of a module says of its files, of which no two have one name."""
        opened = self.store_create(str(store).encode(), None)
        for path in sorted(Path(store, "v5", "records").glob("*/*.swift-*")):
            name = path.name.rsplit("-", 1)[0]
            if name in files:
                self.read_record(opened, path.name, files[name])

    def symbol(self, usr):
        return self.symbols.setdefault(usr, Symbol(usr))

    def read_record(self, store, name, file):
        line, column = ctypes.c_uint(), ctypes.c_uint()

        def occurrence(_, found):
            described = self.occurrence_get_symbol(found)
            usr = str(self.symbol_get_usr(described))
            roles = self.occurrence_get_roles(found)
            symbol = self.symbol(usr)
            relations = []

            def relation(_, related):
                relations.append(
                    (self.symbol_relation_get_roles(related), str(self.symbol_get_usr(self.symbol_relation_get_symbol(related)))))
                return True

            self.occurrence_relations_apply_f(found, None, self.each(relation))
            self.occurrence_get_line_col(found, line, column)
            if roles & DEFINITION:
                symbol.name = str(self.symbol_get_name(described))
                symbol.kind = KINDS.get(self.symbol_get_kind(described), "")
                symbol.place = (file, line.value)
                for kinds, other in relations:
                    if kinds & CHILD_OF: symbol.parents.add(other)
                    if kinds & ACCESSOR_OF: symbol.accessor_of = other
            if roles & REFERENCE:
                within = frozenset(other for kinds, other in relations if kinds & CONTAINED_BY)
                # What extends a type does not use it.
                if not any(kinds & EXTENDED_BY for kinds, _ in relations): symbol.mentions.add((file, within))
            # What implements a requirement of a protocol by an extension elsewhere.
            for kinds, other in relations:
                if kinds & OVERRIDE_OF: symbol.implements.add(other)
            return True

        reader = self.record_reader_create(store, name.encode(), None)
        if reader:
            self.record_reader_occurrences_apply_f(reader, None, self.each(occurrence))
            self.record_reader_dispose(reader)
