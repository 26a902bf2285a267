/// The style and the script of a page. They are constant, so that a page can allow these two alone by their sums: what a
/// label might smuggle in is not run. A test compares the sums.
enum PageAssets {
    static let styleHash = "sha256-xFfWUcmkm3XJlN7zLiFY8npMSbcGU/B/Vjf+GJ0YB04="
    static let scriptHash = "sha256-pmhyGwVRvagXWLhAHJsFmIunHYHBLD/v3tbtAugBpfg="

    static let style = """

        :root { color-scheme: light dark; --ink: #1c1b22; --faint: #6b6875; --line: #dcd9e2; --page: #fbfafc; --card: #fff;
          --wave: #b9b3c9; --highlight: #a86200; --structure: #0b7285; --texture-sample: #9c36b5; --fix-review: #c92a2a;
          --voice: #2b8a3e; --other: #6b6875; }
        @media screen and (prefers-color-scheme: dark) {
          :root { --ink: #ece9f1; --faint: #a5a0b0; --line: #3a3744; --page: #17161b; --card: #201f26; --wave: #57526a;
            --highlight: #ffb454; --structure: #66d9e8; --texture-sample: #e599f7; --fix-review: #ff8787; --voice: #8ce99a;
            --other: #a5a0b0; } }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
        main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; overflow-wrap: anywhere; }
        h1 { font-size: 1.7rem; line-height: 1.2; margin: 0; }
        h2 { font-size: 1.05rem; margin: 2rem 0 .4rem; }
        h3 { font-size: 1rem; margin: 1.2rem 0 0; }
        .facts { color: var(--faint); margin: .3rem 0 1rem; }
        ul { list-style: none; margin: 0; padding: 0; }
        .counts { display: flex; flex-wrap: wrap; gap: .4rem; }
        .counts li { border: 1px solid var(--line); border-radius: 1rem; padding: .1rem .7rem; background: var(--card); }
        .highlight, .fact.highlight { color: var(--highlight); } .structure { color: var(--structure); }
        .texture-sample { color: var(--texture-sample); } .fix-review { color: var(--fix-review); }
        figure { margin: 1.5rem 0 .5rem; }
        .strip { display: block; width: 100%; height: 6.5rem; background: var(--card); border: 1px solid var(--line);
          border-radius: .4rem; }
        .strip line { stroke: currentColor; stroke-width: 2; vector-effect: non-scaling-stroke; }
        .wave, .cell { fill: var(--wave); }
        .tick { color: var(--other); } .tick.highlight { color: var(--highlight); } .tick.structure { color: var(--structure); }
        .tick.texture-sample { color: var(--texture-sample); } .tick.fix-review { color: var(--fix-review); }
        .tick.voice { color: var(--voice); } .tick.voice line { stroke-dasharray: 4 3; }
        .needle { color: var(--ink); visibility: hidden; } .playing .needle { visibility: visible; }
        figcaption { display: flex; justify-content: space-between; color: var(--faint); font-size: .8rem; }
        audio { display: block; width: 100%; margin: .8rem 0; } audio[hidden] { display: none; }
        .rows li { border-top: 1px solid var(--line); padding: .45rem 0; break-inside: avoid; display: grid;
          grid-template-columns: 4.6rem 1fr; gap: .4rem; }
        .rows.wide li { grid-template-columns: 6rem 1fr; } .rows.plain li, .rows li.more { display: block; }
        .time { font-weight: 600; font-variant-numeric: tabular-nums; }
        a.t { color: var(--structure); } a.time { text-decoration: none; } a.time:hover { text-decoration: underline; }
        .spoken { font-size: .85rem; }
        .of::before { content: "· "; }
        .fact, .none, .more, .of { color: var(--faint); font-size: .85rem; }
        .fact.structure { color: var(--structure); } .fact.texture-sample { color: var(--texture-sample); }
        .fact.fix-review { color: var(--fix-review); }
        .note { margin: .1rem 0 0; color: var(--faint); }
        .mark { stroke: currentColor; stroke-width: 1.5; vector-effect: non-scaling-stroke; color: var(--other); }
        .mark.highlight { color: var(--highlight); } .mark.structure { color: var(--structure); }
        .mark.texture-sample { color: var(--texture-sample); } .mark.fix-review { color: var(--fix-review); }
        details.all { margin-top: 2rem; } summary { font-weight: 600; cursor: pointer; }
        .words { margin: 0; } pre.words { white-space: pre-wrap; font: inherit; }
        .words h3, .words h4, .words h5, .words h6 { font-size: 1rem; margin: 1rem 0 .2rem; } .words h3 { font-size: 1.15rem; }
        .words p { margin: .4rem 0; } .words ul { list-style: disc; } .words ul, .words ol { margin: .4rem 0; padding-left: 1.5rem; }
        .words .task { list-style: none; text-indent: -1.4rem; } .words .task > p { display: inline; }
        .words code, .words pre pre, div.words pre { font: .85em/1.4 ui-monospace, monospace; }
        div.words pre { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: .4rem; padding: .5rem; }
        div.words pre code { font: inherit; }
        .words blockquote { margin: .4rem 0; padding-left: .8rem; border-left: 3px solid var(--line); color: var(--faint); }
        .words table { display: block; overflow-x: auto; border-collapse: collapse; margin: .4rem 0; }
        .words th, .words td { border: 1px solid var(--line); padding: .15rem .5rem; text-align: start; vertical-align: top; }
        .words .left { text-align: left; } .words .middle { text-align: center; } .words .right { text-align: right; }
        .words hr { border: 0; border-top: 1px solid var(--line); } .words a { color: var(--structure); }
        .fix li > div::before { content: "\\2610\\00a0\\00a0"; }
        .outcome { font-weight: 600; }
        .failed, .error { color: var(--fix-review); } .waiting, .warning { color: var(--highlight); }
        .succeeded { color: var(--voice); }
        .days { width: 100%; border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
        .days th, .days td { text-align: left; font-weight: 400; padding: .15rem .5rem .15rem 0; white-space: nowrap; }
        .days td:nth-child(2) { width: 60%; } .days svg { display: block; width: 100%; height: .8rem; }
        .days rect { fill: var(--wave); }
        @media (max-width: 38rem) {
          main { padding-top: 1rem; } .rows li { grid-template-columns: 3.6rem 1fr; } .days .wide { display: none; }
          .note, .said { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
          .note:focus, .said:focus { display: block; }
        }
        @media print {
          :root { color-scheme: light; --ink: #000; --faint: #444; --line: #bbb; --page: #fff; --card: #fff; --wave: #bbb; }
          body { font-size: 10.5pt; } main { max-width: none; padding: 0; } audio, .needle, .spoken { display: none; }
          a.t { color: inherit; } h2 { break-after: avoid; } .strip { height: 3.5rem; }
        }

        """

    static let script = """

        (function () {
          "use strict";
          var player = document.querySelector("audio");
          var strip = document.querySelector("svg[data-length]");
          var needle = document.getElementById("needle");
          var wanted = null;
          if (!player) {
            if (!document.querySelector("a.t")) { return; }
            player = document.createElement("audio");
            player.controls = true;
            document.querySelector("header").appendChild(player);
            player.hidden = true;
          }
          var own = player.getAttribute("src");
          function play(place) {
            var parts = place.split("#t=");
            wanted = parseFloat(parts[1]) || 0;
            player.hidden = false;
            if (player.getAttribute("src") !== parts[0]) { player.setAttribute("src", parts[0]); }
            if (player.readyState > 0) { player.currentTime = wanted; wanted = null; }
            var started = player.play();
            if (started) { started.catch(function () {}); }
          }
          player.addEventListener("loadedmetadata", function () {
            if (wanted !== null) { player.currentTime = wanted; wanted = null; }
          });
          document.addEventListener("click", function (event) {
            var link = event.target.closest ? event.target.closest("a.t") : null;
            if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) { return; }
            event.preventDefault();
            play(link.getAttribute("href"));
          });
          if (!strip || !own) { return; }
          var length = parseFloat(strip.getAttribute("data-length"));
          var start = parseFloat(strip.getAttribute("data-start"));
          function playSession(seconds) {
            if (seconds >= start) { play(own + "#t=" + (seconds - start)); }
          }
          strip.addEventListener("click", function (event) {
            if (event.target.closest("a.t")) { return; }
            var box = strip.getBoundingClientRect();
            playSession((event.clientX - box.left) / box.width * length);
          });
          player.addEventListener("timeupdate", function () {
            if (player.getAttribute("src") !== own) { strip.classList.remove("playing"); return; }
            var x = Math.min(1000, (player.currentTime + start) / length * 1000);
            needle.setAttribute("x1", x);
            needle.setAttribute("x2", x);
            strip.classList.add("playing");
          });
          function follow() {
            var named = /[#?&]t=([0-9.]+)/.exec(location.search + location.hash);
            if (named) { playSession(parseFloat(named[1])); }
          }
          window.addEventListener("hashchange", follow);
          follow();
        })();

        """
}
