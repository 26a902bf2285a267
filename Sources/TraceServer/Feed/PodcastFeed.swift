internal import RecordFormat
internal import TraceFormat

/// A feed of recordings, as podcast apps read it.
///
/// Source: RSS 2.0; the RSS Advisory Board's "Best Practices Profile", which the W3C's validator goes by; "Podcast Namespace" of Podcasting
/// 2.0; Apple, "A Podcaster's Guide to RSS".
struct PodcastFeed {
    let title: String
    /// The address of the server.
    let link: String
    /// Its own address.
    let address: String
    /// That of its image; nil if there is none.
    let image: String?
    /// As RFC 5646 has it.
    let language: String
    let episodes: [Episode]

    /// A session that one can listen to.
    struct Episode {
        var title: String
        /// What names it for ever.
        let guid: String
        let published: Timestamp?
        /// Plain text.
        let description: String
        let audio: String
        /// In bytes, and as the server sends it.
        let size: Int64
        let type: String
        let duration: SessionOffset?
        let chapters: String
        let transcript: String?
    }

    /// A feed of these. Where several of one day have one title, each gets the time of day behind it, and a number where that is the same, too:
    /// apps take what has one title, one day and like lengths for one episode, and show the first alone.
    init(
        title: String, link: String, address: String, image: String?, language: String, episodes: [Episode],
        in zone: ZoneRules
    ) {
        self.title = title
        self.link = link
        self.address = address
        self.image = image
        self.language = language
        self.episodes = Self.distinct(episodes, in: zone)
    }

    /// Apps compare titles without regard to case, and days by their own clock or by UTC.
    private static func distinct(_ episodes: [Episode], in zone: ZoneRules) -> [Episode] {
        func names(_ title: String, _ moment: Timestamp?) -> Set<String> {
            guard let moment else { return [title.lowercased()] }
            return Set([zone, .utc].map { "\($0.date(of: moment)) \(title.lowercased())" })
        }
        var counts: [String: Int] = [:]
        for name in episodes.flatMap({ names($0.title, $0.published) }) { counts[name, default: 0] += 1 }
        var taken = Set(counts.keys)
        return episodes.map { episode in
            guard names(episode.title, episode.published).contains(where: { counts[$0, default: 0] > 1 })
            else { return episode }
            let time = episode.published.map { " (\(zone.time(of: $0).prefix(5)))" } ?? ""
            var episode = episode
            let title = episode.title
            var number = 1
            repeat {
                episode.title = title + time + (number > 1 || time.isEmpty ? " \(number)" : "")
                number += 1
            } while !taken.isDisjoint(with: names(episode.title, episode.published))
            taken.formUnion(names(episode.title, episode.published))
            return episode
        }
    }

    /// The document.
    var bytes: [UInt8] {
        var xml = XMLText()
        xml.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        xml.raw("<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\"")
        xml.raw(" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\"")
        xml.raw(" xmlns:podcast=\"https://podcastindex.org/namespace/1.0\">\n<channel>\n")
        xml.element("title", title)
        xml.element("link", link)
        xml.element(
            "atom:link", nil, [("href", address), ("rel", "self"), ("type", "application/rss+xml")])
        xml.element("description", "Recordings of \(title)")
        xml.element("language", language)
        xml.element("itunes:author", title)
        xml.element("itunes:category", nil, [("text", "Music")])
        xml.element("itunes:explicit", "false")
        if let image { xml.element("itunes:image", nil, [("href", image)]) }
        // No directory is to list it, and no other host may take it over.
        xml.element("itunes:block", "Yes")
        xml.element("podcast:locked", "yes")
        for episode in episodes { write(episode, to: &xml) }
        xml.raw("</channel>\n</rss>\n")
        return xml.bytes
    }

    private func write(_ episode: Episode, to xml: inout XMLText) {
        xml.raw("<item>\n")
        xml.element("title", episode.title)
        xml.element("guid", episode.guid, [("isPermaLink", "false")])
        if let published = episode.published {
            xml.element("pubDate", HTTPDate(milliseconds: published.milliseconds).description)
        }
        xml.element("description", episode.description)
        xml.element(
            "enclosure", nil,
            [("url", episode.audio), ("length", "\(episode.size)"), ("type", episode.type)])
        if let duration = episode.duration {
            xml.element("itunes:duration", "\(duration.adding(SessionOffset(milliseconds: 500)).whole(1000))")
        }
        xml.element(
            "podcast:chapters", nil, [("url", episode.chapters), ("type", "application/json+chapters")])
        if let transcript = episode.transcript {
            xml.element("podcast:transcript", nil, [("url", transcript), ("type", "text/vtt")])
        }
        xml.raw("</item>\n")
    }
}
