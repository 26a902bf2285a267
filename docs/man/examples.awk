# Puts the examples of a command's help into its manual page, behind the exit statuses: awk -f examples.awk HELP PAGE

FNR == 1 { file++ }
file == 1 && /^EXAMPLES:$/ { isExample = 1; next }
file == 1 { if (isExample && NF) examples[++count] = substr($0, 3); next }
/^\.Sh ("?SEE ALSO"?|AUTHORS)$/ { put() }
{ print }
END { put() }

function put(  number, line) {
  if (isPut || !count) return
  isPut = 1
  print ".Sh EXAMPLES"
  print ".Bd -literal -offset indent"
  for (number = 1; number <= count; number++) {
    line = examples[number]
    gsub(/\\/, "\\e", line)
    gsub(/-/, "\\-", line)
    gsub(/'/, "\\(aq", line)
    if (line ~ /^\./) line = "\\&" line
    print line
  }
  print ".Ed"
}
