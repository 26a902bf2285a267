# Out of what the test runner printed: each issue with its explanation, then what failed. The last line is the runner's own summary.
/^(◇|✔|✘|➜|↳)/ { if (!/^↳/) shown = /^✘ .*(recorded an issue|failed after)/ }
shown
