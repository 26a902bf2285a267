# Out of what the test runner printed: each issue with its explanation, then what failed. The last line is the runner's own summary.
# What is printed into a pipe has colours.
{ gsub(/\033\[[0-9;]*m/, "") }
/^(◇|✔|✘|➜|↳)/ { if (!/^↳/) shown = /^✘ .*(recorded an issue|failed after)/ }
shown
