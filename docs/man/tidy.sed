# What the generated manual pages lack: names as files have them (trace.mark is trace-mark), paragraphs, and what the exit
# statuses mean.
/^\.\(Xr\|Dt\) / {
  :next
  s/\([A-Za-z]\)\.\([A-Za-z]\)/\1-\2/
  t next
}
s/^\(\.Nd ".*\)\."$/\1"/
s/^$/.Pp/
/^\.Ex -std$/c\
0 when it is done, and another that tells what was wrong when it is not: see\
.Xr trace 1 .
