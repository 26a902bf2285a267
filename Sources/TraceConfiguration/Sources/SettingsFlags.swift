package import SystemPackage

/// What the command line says about the configuration; it outranks everything else.
package struct SettingsFlags: Sendable {
    /// The one configuration file to use, instead of the machine's and the user's.
    var configFile: FilePath?
    /// The settings given; at most one of a key.
    private var settings: [Setting] = []

    /// One setting given by a flag.
    struct Setting: Sendable {
        /// The key.
        let key: String
        /// The flag as it is written (`--root`), for messages.
        let spelling: String
        /// Its values; bytes, since a path need not be UTF-8.
        let texts: [[UInt8]]
    }

    /// Creates flags that say nothing but, perhaps, which configuration file to use.
    package init(configFile: FilePath? = nil) {
        self.configFile = configFile
    }

    /// Sets a key to the values of a flag, written as in a configuration file. No values: the flag was not given.
    ///
    /// - Parameter spelling: The flag as the user writes it, such as `--root`.
    package mutating func set<Value>(_ key: SettingKey<Value>, by spelling: String, to texts: [String]) {
        set(key, by: spelling, toBytes: texts.map { Array($0.utf8) })
    }

    /// As ``set(_:by:to:)``, for values that need not be UTF-8.
    package mutating func set<Value>(_ key: SettingKey<Value>, by spelling: String, toBytes texts: [[UInt8]])
    {
        settings.removeAll { $0.key == key.name }
        if !texts.isEmpty { settings.append(Setting(key: key.name, spelling: spelling, texts: texts)) }
    }

    /// The setting of a key, if a flag gives it.
    subscript(key: String) -> Setting? {
        settings.first { $0.key == key }
    }
}
