@_exported public import RecordFormat
