/** Drawings and words that several views share, and the first does not need. */
import { drawings } from "../base/dom.js";
import { texts } from "../base/words.js";

drawings({
  pause: "M7.5 5v14M16.5 5v14^3",
  previous: "M7 5v14M19 5.5v13L10 12z*",
  next: "M17 5v14M5 5.5v13l9-6.5z*",
  back10:
    "M4 12a8 8 0 1 0 3-6.2L4 8.5M4 4v4.5h4.5M9.5 10.5l1.5-1v6" +
    "M14.8 9.5a1.6 1.6 0 0 1 1.6 1.6v2.8a1.6 1.6 0 0 1-3.2 0v-2.8a1.6 1.6 0 0 1 1.6-1.6z",
  forward10:
    "M20 12a8 8 0 1 1-3-6.2l3 2.7M20 4v4.5h-4.5M8 10.5l1.5-1v6" +
    "M13.3 9.5a1.6 1.6 0 0 1 1.6 1.6v2.8a1.6 1.6 0 0 1-3.2 0v-2.8a1.6 1.6 0 0 1 1.6-1.6z",
  loop: "M17 3l3 3-3 3M4 11V9a3 3 0 0 1 3-3h13M7 21l-3-3 3-3M20 13v2a3 3 0 0 1-3 3H4",
  mic: "M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM6 11a6 6 0 0 0 12 0M12 17v4",
  stop: "M7 7h10v10H7z*",
  undo: "M8 5L4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-3",
  keep: "M12 3v11M7.5 10l4.5 4.5 4.5-4.5M5 20h14",
  kept: "M5 20h14M6.5 11l4 4 7-9",
  download: "M12 3v11M7.5 10l4.5 4.5 4.5-4.5M4 16v4h16v-4",
  more: "M5 12h.01M12 12h.01M19 12h.01^3",
  bin: "M5 7h14M9.5 7V4.5h5V7M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5",
  check: "M5 12.5l4.5 4.5L19 7",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  action: "M13 3L5 13.5h6L10.5 21 19 10h-6.5z",
  digest: "M6 3h9l4 4v14H6zM9.5 9h3M9.5 13h6M9.5 17h6",
  retry: "M20 5v5h-5M19.5 10A8 8 0 1 0 20 13.5",
  key: "M8 11.5a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM11 13L20 4M16 8l3 3",
});

texts({
  "generate": "Update digest.md",
  "edit-words": "Edit digest.md",
  "cancel": "Cancel",
  "put-back": "Put it back",
  "pause": "Pause",
  "all": "All",
  "a-mark": "Marked",
  "marked": "{category} at {time}",
  "name": "Name",
  "note": "Note",
  "insecure-cure":
    "Recording, and keeping recordings, needs HTTPS. “tailscale serve”, a proxy or a certificate of your own " +
    "gives it; see operations.md.",
  "not-undone": "The mark could not be taken back.",
  "more": "More",
  "edit": "Edit",
  "player": "Player",
  "undo-last": "Undo last",
  "save": "Save",
  "remove": "Remove",
});
