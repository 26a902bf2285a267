# Shows the progress of `swift build` in a line for each module and for each fifty C files; what is no progress is shown as it is.
match($0, /^\[[0-9]+\/[0-9]+\] /) {
  count = substr($0, 1, RLENGTH - 1)
  rest = substr($0, RLENGTH + 1)
  if (rest ~ /^Linking /) print count, "linking", substr(rest, 9)
  else if (split(rest, words, " ") > 2 && (words[1] == "Compiling" || words[1] == "Emitting")) {
    name = words[1] == "Compiling" ? words[2] : words[3]
    if (!(name in shown)) print count, name
    shown[name] = 1
  } else if (words[1] == "Compiling" && ++files % 50 == 0) print count, files " C files"
  fflush()
  next
}
/^(Building for|Planning build|Fetching|Fetched|Computing|Computed|Creating working copy|Working copy|Updating|Updated)/ { next }
{ print; fflush() }
