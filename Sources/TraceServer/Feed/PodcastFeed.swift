internal import RecordFormat
internal import TraceFormat

/// A feed of recordings, as podcast apps read it.
///
/// Source: RSS 2.0; "Podcast Namespace" of Podcasting 2.0; Apple, "A Podcaster's Guide to RSS".
struct PodcastFeed {
    let title: String
    /// The address of the server.
    let link: String
    let episodes: [Episode]

    /// A session that one can listen to.
    struct Episode {
        let title: String
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

    /// The document.
    var bytes: [UInt8] {
        var xml = XMLText()
        xml.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        xml.raw("<rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\"")
        xml.raw(" xmlns:podcast=\"https://podcastindex.org/namespace/1.0\">\n<channel>\n")
        xml.element("title", title)
        xml.element("link", link)
        xml.element("description", "Recordings of \(title)")
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
